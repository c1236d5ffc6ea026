import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { isIn, sqlStatement, statement } from "../rows/statement.ts";
import { isSpaceless } from "./grams.ts";
import { nearMisses } from "./near.ts";
import { inflectionsOf, stemOf } from "./stem.ts";

/*
 * The table `text_word` holds each word that the index contains, so that a search finds the other forms of its words. A
 * word may stay in the table when no text contains it any more; a purge empties the table and lets `rewrite.ts` fill it
 * again.
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
  // Sort the words, so that all daemons on one database lock them in the same order and cannot deadlock.
  else
    await connection.execute(
      "insert into text_word (word) select unnest($1::text[]) on conflict do nothing",
      [kept.sort()],
    );
}

export async function clearWords(connection: Connection): Promise<void> {
  await connection.execute("delete from text_word", []);
}

/** For each word of a search, at most this many longer words are read that begin with the word. */
const RANGE = 300;
const MOST_FORMS = 16;

/**
 * Returns, for each word, other words of the index: first those with the same stem, then those that begin with the
 * word, shortest first.
 */
export async function formsOf(
  connection: Connection,
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const kept = [...new Set(words)].filter(isKept);
  const inflected = new Map(kept.map((word) => [word, inflectionsOf(word, stemOf(word))]));
  const present = await knownWords(connection, [...inflected.values()].flat());
  const longer = await beginningWith(connection, kept);
  return new Map(
    [...inflected].map(([word, inflections]) => {
      const same = inflections.filter((one) => present.has(one)).toSorted();
      const rest = longer
        .filter((one) => one.word === word)
        .map((one) => one.longer)
        .sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
      const found = new Set([...same, ...rest]);
      found.delete(word);
      return [word, [...found].slice(0, MOST_FORMS)];
    }),
  );
}

const MOST_NEAR = 8;

export async function nearOf(
  connection: Connection,
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const misses = new Map(words.filter(isKept).map((word) => [word, nearMisses(word)]));
  const present = await knownWords(connection, [...misses.values()].flat());
  return new Map(
    [...misses].map(([word, near]) => [
      word,
      near
        .filter((one) => present.has(one))
        .toSorted()
        .slice(0, MOST_NEAR),
    ]),
  );
}

async function knownWords(
  connection: Connection,
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  if (words.length === 0) return new Set();
  return new Set((await present.all(connection, { words })).map(({ word }) => word));
}

const present = statement((db, p: { words: readonly string[] }, dialect) =>
  db
    .selectFrom("text_word")
    .select("word")
    .where(({ ref }) => isIn(dialect, ref("word"), p.words)),
);

interface LongerWord {
  readonly word: string;
  readonly longer: string;
}

async function beginningWith(
  connection: Connection,
  words: readonly string[],
): Promise<readonly LongerWord[]> {
  if (words.length === 0) return [];
  if (connection.dialect === "postgres") return await allBeginnings.all(connection, { words });
  const found: LongerWord[] = [];
  for (const word of words) {
    const rows = await beginnings.all(connection, { from: word, to: `${word}\u{10ffff}` });
    found.push(...rows.map((row) => ({ word, longer: row.word })));
  }
  return found;
}

const beginnings = statement((db, p: { from: string; to: string }) =>
  db
    .selectFrom("text_word")
    .select("word")
    .where("word", ">", p.from)
    .where("word", "<", p.to)
    .orderBy("word")
    .limit(RANGE),
);

const allBeginnings = sqlStatement<{ readonly words: readonly string[] }, LongerWord>(
  (p) => sql`select given.word, t.longer from unnest(${p.words}::text[]) as given (word)
    cross join lateral (
      select word as longer from text_word
      where word > given.word and word < given.word || U&'\\+10FFFF' order by word limit ${sql.lit(RANGE)}
    ) as t`,
);
