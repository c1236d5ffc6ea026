import type { Connection } from "../connection.ts";
import { isIn, statement } from "../statement.ts";
import { isSpaceless } from "./grams.ts";
import { nearMisses } from "./near.ts";
import { inflectionsOf, stemOf } from "./stem.ts";

/**
 * `text_word` holds each word that the index contains, so that a search finds the other forms of its words. A word may
 * stay after its last text is gone; a purge empties the table and lets `rewrite.ts` fill it again.
 */

const SHORTEST = 3;
const LONGEST = 64;

function isKept(word: string): boolean {
  return (
    word.length >= SHORTEST && word.length <= LONGEST && !/^\d+$/.test(word) && !isSpaceless(word)
  );
}

export async function addWords(connection: Connection, words: Iterable<string>): Promise<void> {
  const kept = [...words].filter(isKept);
  if (kept.length === 0) return;
  if (connection.dialect === "sqlite")
    await connection.execute(
      "insert or ignore into text_word (word) select value from json_each(?)",
      [kept],
    );
  // In a fixed order, so that two daemons on one database wait for each other and neither is refused.
  else
    await connection.execute(
      "insert into text_word (word) select unnest($1::text[]) on conflict do nothing",
      [kept.sort()],
    );
}

export async function clearWords(connection: Connection): Promise<void> {
  await connection.execute("delete from text_word", []);
}

/** Words read with the same beginning. */
const RANGE = 300;
const MOST_FORMS = 16;

/** Words of the index with the stem of `word` and words that begin with it, the closest first, without itself. */
export async function formsOf(connection: Connection, word: string): Promise<readonly string[]> {
  if (!isKept(word)) return [];
  const stem = stemOf(word);
  const [same, longer] = [
    await known(connection, inflectionsOf(word, stem)),
    await beginnings.all(connection, { from: word, to: `${word}\u{10ffff}` }),
  ];
  const rest = longer
    .map((row) => row.word)
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const found = new Set([...same.toSorted(), ...rest]);
  found.delete(word);
  return [...found].slice(0, MOST_FORMS);
}

const MOST_NEAR = 8;

/** Words of the index that differ from this one by one letter. */
export async function nearOf(connection: Connection, word: string): Promise<readonly string[]> {
  if (!isKept(word)) return [];
  return (await known(connection, nearMisses(word))).toSorted().slice(0, MOST_NEAR);
}

async function known(connection: Connection, words: readonly string[]): Promise<readonly string[]> {
  if (words.length === 0) return [];
  return (await present.all(connection, { words })).map(({ word }) => word);
}

const present = statement((db, p: { words: readonly string[] }, dialect) =>
  db
    .selectFrom("text_word")
    .select("word")
    .where(({ ref }) => isIn(dialect, ref("word"), p.words)),
);

const beginnings = statement((db, p: { from: string; to: string }) =>
  db
    .selectFrom("text_word")
    .select("word")
    .where("word", ">", p.from)
    .where("word", "<", p.to)
    .orderBy("word")
    .limit(RANGE),
);
