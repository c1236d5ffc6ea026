import { normalized } from "../../domain/words.ts";
import type { Connection } from "../connection.ts";
import { issueStatement } from "../repos/statements.ts";
import { issuesWithProject } from "../rows/rows.ts";
import { isIn } from "../rows/statement.ts";
import type { SearchHit } from "../types/issues.ts";
import type { StoredIssue } from "../types/rows.ts";
import { commentTexts } from "./comment-texts.ts";
import { excerptOf } from "./excerpt.ts";
import type { ScoredIssue } from "./found.ts";
import { partsOf } from "./parts.ts";
import { makeRater, type SearchWord, type Texts } from "./rank.ts";

/** How many UTF-16 code units of one text are searched for an excerpt, at most. */
const READ = 100_000;
/** How many UTF-16 code units of all long texts together are searched for excerpts. */
const SHARED = 60_000;
/** How many UTF-16 code units of each long text are searched, even when `SHARED` is used up. */
const LEAST = 2000;

/**
 * Converts found issues to hits in the same order. A hit names the parts of the issue (title, body, comments) that
 * contain a word of the search, and may have an excerpt.
 */
export async function hitsOf(
  connection: Connection,
  found: readonly ScoredIssue[],
  wanted: readonly SearchWord[],
): Promise<readonly SearchHit[]> {
  if (found.length === 0) return [];
  const issues = await issuesByIds(
    connection,
    found.map(({ id }) => id),
  );
  const uids = [...issues.values()].map(({ uid }) => uid);
  const comments = await commentTexts(connection, uids);
  const rate = makeRater(wanted);
  const weightOf = weightOfWord(wanted);
  let left = SHARED;
  return found.flatMap(({ id, score, matched, places: known, characters }) => {
    const issue = issues.get(id);
    if (issue === undefined) return [];
    const all = { title: issue.title, body: issue.body, comments: comments.get(issue.uid) ?? "" };
    const isKnown = characters === all.body.length + all.comments.length;
    const read = isKnown ? READ : Math.max(LEAST, Math.min(READ, left));
    const texts = { ...all, body: all.body.slice(0, read), comments: all.comments.slice(0, read) };
    if (!isKnown) left -= texts.body.length + texts.comments.length;
    const places = isKnown ? known : rate(texts).places;
    const excerpt = placeIn(texts, wanted, weightOf);
    const hit: SearchHit = { issue, score, matched_in: places, matched };
    return [excerpt === undefined ? hit : { ...hit, excerpt }];
  });
}

function placeIn(
  { body, comments }: Texts,
  wanted: readonly SearchWord[],
  weightOf: (word: string) => number,
): string | undefined {
  const grams = wanted.flatMap(({ gram }) => gram ?? []);
  return excerptOf(body, weightOf, grams) ?? excerptOf(comments, weightOf, grams);
}

/**
 * Returns a function that computes how much a word of a text counts as a match of the search. Caches the results,
 * because most words occur more than once.
 */
function weightOfWord(wanted: readonly SearchWord[]): (word: string) => number {
  const weights = new Map<string, number>();
  for (const { weight, words } of wanted)
    for (const [word, like] of words)
      weights.set(word, Math.max(weights.get(word) ?? 0, weight * like));
  const known = new Map<string, number>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const all = [normalized(word), ...partsOf(word)].map((one) => weights.get(one) ?? 0);
    const weight = Math.max(0, ...all);
    known.set(word, weight);
    return weight;
  };
}

export async function issuesByIds(
  connection: Connection,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredIssue>> {
  const found = await issuesById.all(connection, { ids });
  return new Map(found.map((issue) => [issue.id, issue]));
}

const issuesById = issueStatement((db, p: { ids: readonly number[] }, dialect) =>
  issuesWithProject(db).where(({ ref }) => isIn(dialect, ref("i.id"), p.ids, "bigint")),
);
