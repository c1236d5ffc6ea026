import { sql } from "kysely";
import { all, builder, type Connection, type Dialect } from "../connection.ts";
import { statement } from "../statement.ts";
import type { SearchHit, SearchQuery } from "../types/issues.ts";
import { type Found, foundTexts } from "./found.ts";
import { hitsOf } from "./hits.ts";
import { countOf, isRare, type ListedUnit, listed, type Scope } from "./lists.ts";
import { type Asked, idOf, type Match, matches, matchText } from "./match.ts";
import { LIKE, rater, type Wanted } from "./rank.ts";
import { queryOf } from "./units.ts";
import { labelWord, projectWord, wordsOf } from "./words.ts";

/** Of more matches than these the newest are taken, so that a search costs the same in a large table as in a small one. */
const MATCHES = 2000;
/** Texts that are read and compared. */
const RATED = 100;
/** Fewer issues than these with all words are followed by issues with some of them. */
const ENOUGH = 10;

/** How a hit was found, the best first; what is found better stands before the rest. */
const TIERS = { words: 3, forms: 2, some: 1, near: 1 } as const;

/**
 * Finds issues in tiers: all words as they are typed; all words in some form; any word, the rare ones first, and words
 * that differ by one letter from a word that no issue has. Each step reads a bounded part of the index, and the texts
 * are compared here and not by the database, so that SQLite and PostgreSQL answer alike.
 */
export async function lexical(
  connection: Connection,
  query: SearchQuery,
): Promise<readonly SearchHit[]> {
  const { typed, isTypedCut, units, isCut } = queryOf(query.text);
  const project = await projectRow.one(connection, { uid: query.project_uid });
  if (typed.length === 0 || project === undefined) return [];
  const labels: Scope = {
    scope: query.labels.map(labelWord),
    outside: query.exclude_labels.map(labelWord),
  };
  const own: Scope = {
    ...labels,
    scope: [projectWord(project.id), ...query.labels.map(labelWord)],
  };
  const lists = await listed(connection, units, { labels, own, isAlone: project.projects === 1 });
  // A rare word alone leads to few issues; reading the list of all issues of a project would be slower.
  const scope = project.projects === 1 || lists.some(isRare) ? labels : own;
  const newestId = Math.max(0, ...lists.map(({ ids }) => ids[0] ?? 0));
  const weighted = lists.map((unit) => ({
    ...unit,
    weight: Math.log(1 + project.issues / (countOf(unit, newestId) + 0.5)),
  }));
  const asTyped = isCut
    ? []
    : await newest(connection, { asked: { all: typed }, ...scope }, query, MATCHES);
  const isTruncated = asTyped.length > RATED;
  const full = new Set((isTruncated ? titled(asTyped, typed) : asTyped).map(({ id }) => id));
  const hasAll = !isCut && lists.length === units.length;
  const others = new Set<number>();
  if (full.size < ENOUGH) {
    if (hasAll && !lists.some(isRare))
      for (const id of await amongCommon(connection, weighted, scope, query)) others.add(id);
    for (const id of likeliest(weighted)) others.add(id);
  }
  const rate = rater(weighted.map(wantedOf));
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
  const sets = lists.map((unit) => new Set(unit.ids));
  const read = [...full, ...[...others].filter((id) => !full.has(id)).slice(0, RATED)];
  const rated = (await foundTexts(connection, read, query)).map((text): Rated => {
    const { score, likeness, places } = rate(text);
    const isTyped = full.has(text.id) && (!isTypedCut || likeness.every((like) => like === 1));
    // Only the beginning of a long text was compared; the lists know of the rest.
    const isListed = hasAll && sets.length > 0 && sets.every((set) => set.has(text.id));
    const matched = isTyped ? "words" : isListed ? "forms" : tierOf(likeness, hasAll);
    const has = weighted.reduce(
      (sum, { weight }, at) =>
        sum + ((likeness[at] ?? 0) > 0 || sets[at]?.has(text.id) === true ? weight : 0),
      0,
    );
    const characters = text.body.length + text.comments.length;
    return { id: text.id, matched, score: TIERS[matched] + 0.99 * score, places, characters, has };
  });
  const isWhole = ({ matched }: Found) => matched === "words" || matched === "forms";
  const found = rated.some(isWhole);
  const best = rated
    // Beside issues with all words, those with less than half of them are noise.
    .filter(
      (one) => full.has(one.id) || isWhole(one) || (one.has > 0 && (!found || one.has > total / 2)),
    )
    .sort((a, b) => b.score - a.score || (isTruncated ? b.id - a.id : a.id - b.id))
    .slice(0, query.limit);
  return await hitsOf(connection, best, weighted.map(wantedOf));
}

interface Rated extends Found {
  /** The weights of the units that the text has. */
  readonly has: number;
}

const projectRow = statement((db, p: { uid: string }) =>
  db
    .selectFrom("project")
    .select(["id", sql<number>`open_issues + closed_issues`.as("issues")])
    .select(({ selectFrom }) =>
      selectFrom("project as p")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .as("projects"),
    )
    .where("uid", "=", p.uid),
);

function wantedOf({ unit, weight, like, near }: ListedUnit & { readonly weight: number }): Wanted {
  const words = new Map<string, number>();
  for (const word of near) words.set(word, LIKE.near);
  for (const word of like) words.set(word, LIKE.form);
  words.set(unit.text, LIKE.typed);
  return unit.isGram
    ? { weight, gram: unit.text, words: new Map() }
    : { weight, gram: undefined, words };
}

/** Of a text that has some words only by a near miss: `near` if it has no other word, or all of them. */
function tierOf(likeness: readonly number[], mayHaveAll: boolean): "forms" | "some" | "near" {
  const isNear = (like: number) => like > 0 && like <= LIKE.near;
  if (mayHaveAll && likeness.length > 0 && likeness.every((like) => like > LIKE.near))
    return "forms";
  if (!likeness.some(isNear)) return "some";
  return likeness.every((like) => like > 0) || likeness.every((like) => like === 0 || isNear(like))
    ? "near"
    : "some";
}

/** The issues with the most and the rarest of the words. */
function likeliest(
  units: readonly (ListedUnit & { readonly weight: number })[],
): readonly number[] {
  const sums = new Map<number, number>();
  const add = (ids: readonly number[], weight: number) => {
    for (const id of ids) sums.set(id, (sums.get(id) ?? 0) + weight);
  };
  for (const { ids, nearIds, weight } of units) {
    add(ids, weight);
    add(nearIds, weight * LIKE.near);
  }
  return [...sums]
    .sort(([a, left], [b, right]) => right - left || b - a)
    .slice(0, RATED)
    .map(([id]) => id);
}

function holds(dialect: Dialect, match: Match) {
  return matches(dialect, matchText(dialect, match));
}

/** Words of which an issue must have some form, when all words of a search are common: the rarest. */
const MOST_JOINED = 3;

/** The newest issues that have the rarest of common words. The lists of these end long before the oldest issue. */
async function amongCommon(
  connection: Connection,
  units: readonly (ListedUnit & { readonly weight: number })[],
  scope: Scope,
  query: SearchQuery,
): Promise<readonly number[]> {
  const rarest = units.toSorted((a, b) => b.weight - a.weight).slice(0, MOST_JOINED);
  const asked = { all: rarest.map(({ forms }) => forms) };
  return (await newest(connection, { asked, ...scope }, query, RATED)).map(({ id }) => id);
}

interface Titled {
  readonly id: number;
  readonly title: string;
}

/** Matching issues, newest first. */
async function newest(
  connection: Connection,
  match: Match,
  { project_uid, include_deleted }: SearchQuery,
  limit: number,
): Promise<readonly Titled[]> {
  const { dialect } = connection;
  const matching = builder(dialect)
    .selectFrom(sql<{ rowid: number }>`issue_text`.as("t"))
    .crossJoin("issue as i")
    .where(sql<boolean>`i.id = ${idOf(dialect)}`)
    .where(holds(dialect, match))
    .where("i.project_uid", "=", project_uid);
  const live = include_deleted ? matching : matching.where("i.deleted_at", "is", null);
  return await all(
    connection,
    live
      .select(idOf(dialect).as("id"))
      .select("i.title")
      .orderBy(idOf(dialect), "desc")
      .limit(limit),
  );
}

/** Of the newest matches those with the most words in their titles, then the newest. */
function titled(matches: readonly Titled[], typed: readonly Asked[]): readonly Titled[] {
  const phrases = typed.flatMap((asked) => ("phrase" in asked ? spaced(asked.phrase) : []));
  return matches
    .map((match) => {
      const words = spaced(wordsOf(match.title));
      return { match, count: phrases.filter((phrase) => words.includes(phrase)).length };
    })
    .sort((a, b) => b.count - a.count || b.match.id - a.match.id)
    .slice(0, RATED)
    .map(({ match }) => match);
}

function spaced(words: readonly string[]): string {
  return ` ${words.join(" ")} `;
}
