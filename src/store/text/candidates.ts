import { sql } from "kysely";
import { wordsOf } from "../../domain/words.ts";
import type { Connection } from "../connection.ts";
import { isIn, statement, unindexed } from "../rows/statement.ts";
import type { SearchQuery } from "../types/issues.ts";
import type { FilterIds } from "./limited.ts";
import { formsAsked, isRare, type ListedUnit, type Scope } from "./lists.ts";
import type { TextQuery } from "./match.ts";
import { amongIds, type IndexState, newestOf } from "./newest.ts";

import { LIKENESS_FACTORS } from "./rank.ts";

/**
 * The maximum number of matches that a search considers, newest first, so that its cost does not grow with the table.
 */
const MATCHES = 2000;
/**
 * The maximum number of issues with some of the words whose texts are compared with the search. Also the usual maximum
 * for issues with all words (`ratedFor`).
 */
export const RATED = 100;

/**
 * The maximum number of issues with all words whose texts are compared: more than `RATED` only if more hits are
 * requested.
 */
export function ratedFor({ limit }: Pick<SearchQuery, "limit">): number {
  return Math.max(RATED, limit);
}

/**
 * Returns the ids of the issues whose words have the greatest total weight, at most `RATED`. Issues that `kept` leaves
 * out, such as those of other projects, do not count towards this limit.
 */
export async function likeliestCandidates(
  units: readonly (ListedUnit & { readonly weight: number })[],
  kept: FilterIds | undefined,
): Promise<readonly number[]> {
  const sums = new Map<number, number>();
  const add = (ids: readonly number[], weight: number) => {
    for (const id of ids) sums.set(id, (sums.get(id) ?? 0) + weight);
  };
  for (const { ids, nearIds, weight } of units) {
    add(ids, weight);
    add(nearIds, weight * LIKENESS_FACTORS.near);
  }
  const ids = [...sums].sort(([a, left], [b, right]) => right - left || b - a).map(([id]) => id);
  if (kept === undefined) return ids.slice(0, RATED);
  const own: number[] = [];
  for (let at = 0; at < ids.length && own.length < RATED; at += LOOKED_UP)
    own.push(...(await kept(ids.slice(at, at + LOOKED_UP))));
  return own.slice(0, RATED);
}

const LOOKED_UP = 250;

export async function inProject(
  connection: Connection,
  ids: readonly number[],
  project_uid: string,
): Promise<readonly number[]> {
  const rows = await ofProject.all(connection, { ids, project_uid });
  const found = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => found.has(id));
}

const ofProject = statement((db, p: { ids: readonly number[]; project_uid: string }, dialect) =>
  db
    .selectFrom("issue")
    .select("id")
    .where(({ ref }) => isIn(dialect, ref("id"), p.ids, "bigint"))
    .where(sql<boolean>`${unindexed(dialect, "project_uid")} = ${p.project_uid}`),
);

/**
 * At most this many of the rarest words of a search are looked up together: an issue must have all of them, each in
 * some form. Words that no issue has do not count.
 */
const MAX_RAREST_WORDS = 3;
/**
 * The maximum number of other forms that are looked up for each of the rarest words, since the index list of every form
 * is read.
 */
const MAX_FORMS_PER_WORD = 3;

/**
 * Returns the newest issues that have all of the rarest words in some form, at most half of `RATED`. Returns none if
 * fewer than two words occur in issues. A comparison of the lists of the words would miss older issues, since the list
 * of a common word contains only its newest issues.
 */
export async function withRarest(
  connection: Connection,
  units: readonly (ListedUnit & { readonly weight: number })[],
  { scope, index }: { readonly scope: Scope; readonly index: IndexState },
): Promise<readonly number[]> {
  const rarest = units
    .filter(({ ids }) => ids.length > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_RAREST_WORDS);
  if (rarest.length < 2) return [];
  const all = rarest.map(({ unit, like }) => formsAsked(unit, like.slice(0, MAX_FORMS_PER_WORD)));
  const match = { query: { all }, ...scope };
  const expected = rarest.some(isRare) ? "few" : "many";
  const [ids = []] = await newestOf(connection, [match], RATED / 2, index, expected);
  return ids;
}

/**
 * Returns the newest issues with all words as typed. Words joined by a sign, such as `write-ahead`, are a phrase.
 * Checking a phrase reads each text that has its words, which takes long for common words. So only the newest issues
 * with all of the single words are checked for the phrase.
 */
export async function withAll(
  connection: Connection,
  typed: readonly TextQuery[],
  {
    scope,
    index,
    hasRare,
  }: { readonly scope: Scope; readonly index: IndexState; readonly hasRare: boolean },
): Promise<readonly number[]> {
  const words = { query: { all: separateWords(typed) }, ...scope };
  const hasPhrase = typed.some((query) => "phrase" in query && query.phrase.length > 1);
  const most = hasPhrase ? MATCHES / 2 : MATCHES;
  const expected = hasRare || typed.length > MAX_RAREST_WORDS ? "few" : "many";
  const [ids = []] = await newestOf(connection, [words], most, index, expected);
  if (!hasPhrase) return ids;
  return await amongIds(connection, { query: { all: typed }, ...scope }, ids);
}

/** Replaces each phrase by conditions for its single words, without repetitions. Keeps the other conditions. */
function separateWords(typed: readonly TextQuery[]): readonly TextQuery[] {
  const words = new Set(typed.flatMap((query) => ("phrase" in query ? query.phrase : [])));
  const others = typed.filter((query) => !("phrase" in query));
  return [...[...words].map((word) => ({ phrase: [word] })), ...others];
}

/**
 * Returns the best of the project's matching issues, at most `ratedFor`: first the issues with the most typed phrases
 * in their titles; among equals, the newest first.
 */
export async function titled(
  connection: Connection,
  ids: readonly number[],
  typed: readonly TextQuery[],
  query: SearchQuery,
): Promise<readonly number[]> {
  const { project_uid, include_deleted } = query;
  const phrases = typed.flatMap((query) => ("phrase" in query ? withSpaces(query.phrase) : []));
  return (await titles.all(connection, { ids }))
    .filter(
      (row) => row.project_uid === project_uid && (include_deleted || row.deleted_at === null),
    )
    .map(({ id, title }) => {
      const words = withSpaces(wordsOf(title));
      return { id, count: phrases.filter((phrase) => words.includes(phrase)).length };
    })
    .sort((a, b) => b.count - a.count || b.id - a.id)
    .slice(0, ratedFor(query))
    .map(({ id }) => id);
}

const titles = statement((db, p: { ids: readonly number[] }, dialect) =>
  db
    .selectFrom("issue")
    .select(["id", "title", "project_uid", "deleted_at"])
    .where(({ ref }) => isIn(dialect, ref("id"), p.ids, "bigint")),
);

function withSpaces(words: readonly string[]): string {
  return ` ${words.join(" ")} `;
}
