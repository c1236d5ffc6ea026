import { sql } from "kysely";
import { all, builder, type Connection, type Dialect } from "../connection.ts";
import { statement } from "../statement.ts";
import type { SearchHit, SearchQuery } from "../types/issues.ts";
import { type Found, foundTexts } from "./found.ts";
import { hitsOf } from "./hits.ts";
import { isRare, type ListedUnit, listed, type Scope } from "./lists.ts";
import { type Asked, idOf, type Match, matches, matchText } from "./match.ts";
import { LIKE, rater, type Wanted } from "./rank.ts";
import { queryOf } from "./units.ts";
import { labelWord, projectWord } from "./words.ts";

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
  const { typed, units, isCut } = queryOf(query.text);
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
  const weighted = lists.map((unit) => ({
    ...unit,
    weight: Math.log(1 + project.issues / (unit.ids.length + 0.5)),
  }));
  const asTyped = isCut
    ? []
    : await newest(connection, { asked: { all: typed }, ...scope }, query, MATCHES);
  const isTruncated = asTyped.length > RATED;
  const full = new Map<number, keyof typeof TIERS>();
  for (const id of isTruncated ? await titled(connection, typed, scope, asTyped) : asTyped)
    full.set(id, "words");
  if (full.size < ENOUGH && !isCut && lists.length === units.length) {
    const asked = { all: lists.map(({ forms }) => forms) };
    for (const id of await newest(connection, { asked, ...scope }, query, RATED))
      if (!full.has(id)) full.set(id, "forms");
  }
  const others = full.size < ENOUGH ? likeliest(weighted, full) : [];
  const rate = rater(weighted.map(wantedOf));
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
  const rated = (await foundTexts(connection, [...full.keys(), ...others], query)).flatMap(
    (text): readonly Found[] => {
      const { score, likeness } = rate(text);
      const matched = full.get(text.id) ?? tierOf(likeness);
      const has = weighted.reduce(
        (sum, { weight }, at) => sum + ((likeness[at] ?? 0) > 0 ? weight : 0),
        0,
      );
      // Beside issues with all words, those with less than half of them are noise.
      if (!full.has(text.id) && (has === 0 || (full.size > 0 && has <= total / 2))) return [];
      return [{ id: text.id, matched, score: TIERS[matched] + 0.99 * score }];
    },
  );
  const best = rated
    .sort((a, b) => b.score - a.score || (isTruncated ? b.id - a.id : a.id - b.id))
    .slice(0, query.limit);
  return await hitsOf(connection, best, weighted.map(wantedOf));
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

/** A text that has some words only by a near miss: `near` if it has no other word, or all of them. */
function tierOf(likeness: readonly number[]): "some" | "near" {
  const isNear = (like: number) => like > 0 && like <= LIKE.near;
  if (!likeness.some(isNear)) return "some";
  return likeness.every((like) => like > 0) || likeness.every((like) => like === 0 || isNear(like))
    ? "near"
    : "some";
}

/** The issues with the most and the rarest of the words. */
function likeliest(
  units: readonly (ListedUnit & { readonly weight: number })[],
  known: ReadonlyMap<number, unknown>,
): readonly number[] {
  const sums = new Map<number, number>();
  const add = (ids: readonly number[], weight: number) => {
    for (const id of ids) if (!known.has(id)) sums.set(id, (sums.get(id) ?? 0) + weight);
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

/** Ids of matching issues, newest first. */
async function newest(
  connection: Connection,
  match: Match,
  { project_uid, include_deleted }: SearchQuery,
  limit: number,
): Promise<readonly number[]> {
  const { dialect } = connection;
  const matching = builder(dialect)
    .selectFrom(sql<{ rowid: number }>`issue_text`.as("t"))
    .crossJoin("issue as i")
    .where(sql<boolean>`i.id = ${idOf(dialect)}`)
    .where(holds(dialect, match))
    .where("i.project_uid", "=", project_uid);
  const live = include_deleted ? matching : matching.where("i.deleted_at", "is", null);
  const rows = await all(
    connection,
    live.select(idOf(dialect).as("id")).orderBy(idOf(dialect), "desc").limit(limit),
  );
  return rows.map(({ id }) => id);
}

/** Of the newest matches those with the most words in their titles, then the newest. */
async function titled(
  connection: Connection,
  typed: readonly Asked[],
  scope: Scope,
  ids: readonly number[],
): Promise<readonly number[]> {
  const counts = new Map(ids.map((id) => [id, 0]));
  const { dialect } = connection;
  // A bound number arrives as a real, which FTS5 does not use to limit the range of ids, so it is cast.
  const oldest = sql<number>`cast(${ids.at(-1) ?? 0} as bigint)`;
  for (const asked of typed) {
    if (!("phrase" in asked)) continue;
    const match: Match = { asked: { all: typed }, ...scope, titled: asked.phrase };
    const rows = await all(
      connection,
      builder(dialect)
        .selectFrom(sql<{ rowid: number }>`issue_text`.as("t"))
        .select(idOf(dialect).as("id"))
        .where(holds(dialect, match))
        .where(sql<boolean>`${idOf(dialect)} >= ${oldest}`)
        .orderBy(idOf(dialect), "desc")
        .limit(MATCHES),
    );
    for (const { id } of rows) {
      const count = counts.get(id);
      if (count !== undefined) counts.set(id, count + 1);
    }
  }
  return [...counts]
    .sort(([a, left], [b, right]) => right - left || b - a)
    .slice(0, RATED)
    .map(([id]) => id);
}
