import { sql } from "kysely";
import { all, builder, type Connection, type Dialect } from "../connection.ts";
import { labelFilters } from "../repos/filters.ts";
import { projects } from "../repos/projects.ts";
import { statement } from "../statement.ts";
import type { SearchHit, SearchQuery } from "../types/issues.ts";
import { hitsOf, type Scored } from "./hits.ts";
import { idOf, type Match, matches, matchText, wordsText } from "./match.ts";
import { labelWord, phrasesOf, projectWord } from "./words.ts";

/**
 * Limit of matches that are ranked, so that a search costs the same in a large table as in a small one. Matches of
 * rare phrases are ranked by BM25, for which SQLite reads every issue with one of the phrases. Otherwise the newest
 * matches are ranked by how many of the phrases their titles contain, then newer first.
 */
const RANKED = 2000;

export async function lexical(
  connection: Connection,
  query: SearchQuery,
): Promise<readonly SearchHit[]> {
  const phrases = phrasesOf(query.text);
  const project = await projects(connection).find(query.project_uid);
  if (phrases.length === 0 || project === undefined) return [];
  const labels = query.labels.map(labelWord);
  const outside = query.exclude_labels.map(labelWord);
  const match: Match = { phrases, join: "all", scope: labels, outside };
  const scoped: Match = { ...match, scope: [projectWord(project.id), ...labels] };
  const scored =
    connection.dialect === "sqlite"
      ? await scoreOnSqlite(connection, match, scoped, query)
      : await scoreOnPostgres(connection, scoped, query);
  return await hitsOf(connection, scored, phrases);
}

/**
 * Leaves the project's word out of the query when another word is rare: the project may contain most issues, and
 * reading its long list would be slower.
 */
async function scoreOnSqlite(
  connection: Connection,
  match: Match,
  scoped: Match,
  query: SearchQuery,
): Promise<readonly Scored[]> {
  const rare: boolean[] = [];
  for (const phrase of match.phrases) {
    rare.push(await isRare(connection, matchText("sqlite", { phrases: [phrase], join: "all" })));
  }
  if (rare.every(Boolean)) {
    return await ranked(connection, { phrases: match.phrases, join: "all" }, query);
  }
  for (const word of match.scope ?? []) rare.push(await isRare(connection, `scope : "${word}"`));
  const asked = rare.some(Boolean) ? match : scoped;
  return await scoredByTitle(
    connection,
    asked,
    await newest(connection, asked, query, RANKED),
    query,
  );
}

async function scoreOnPostgres(
  connection: Connection,
  match: Match,
  query: SearchQuery,
): Promise<readonly Scored[]> {
  const ids = await newest(connection, match, query, RANKED + 1);
  return ids.length <= RANKED
    ? await ranked(connection, match, query)
    : await scoredByTitle(connection, match, ids.slice(0, RANKED), query);
}

async function isRare(connection: Connection, text: string): Promise<boolean> {
  return ((await countUpTo.one(connection, { text }))?.count ?? 0) <= RANKED;
}

const MOST = sql.lit(RANKED + 1);

const countUpTo = statement((db, p: { text: string }) =>
  db
    .selectFrom(
      sql<{
        one: 1;
      }>`(select 1 as one from issue_text where issue_text match ${p.text} limit ${MOST})`.as(
        "few",
      ),
    )
    .select(({ fn }) => fn.countAll<number>().as("count")),
);

/** Ids of matching issues, newest first. */
async function newest(
  connection: Connection,
  match: Match,
  query: SearchQuery,
  limit: number,
): Promise<readonly number[]> {
  const { dialect } = connection;
  const ids = matching(dialect, match, query).select(idOf(dialect).as("id"));
  const rows = await all(connection, ids.orderBy(idOf(dialect), "desc").limit(limit));
  return rows.map(({ id }) => id);
}

function holds(dialect: Dialect, match: Match) {
  return matches(dialect, matchText(dialect, match));
}

/**
 * `match` may be wider than the query (see `scoreOnSqlite`), so the project, the labels and the deletion are checked
 * on the row.
 */
function matching(
  dialect: Dialect,
  match: Match,
  { project_uid, include_deleted, labels, exclude_labels }: SearchQuery,
) {
  const query = builder(dialect)
    .selectFrom(sql<{ rowid: number }>`issue_text`.as("t"))
    .crossJoin("issue as i")
    .where(sql<boolean>`i.id = ${idOf(dialect)}`)
    .where(holds(dialect, match))
    .where("i.project_uid", "=", project_uid)
    .where(labelFilters("i.uid", labels, exclude_labels));
  return include_deleted ? query : query.where("i.deleted_at", "is", null);
}

/** Flag of `ts_rank`: divide by 1 + the logarithm of the text's length, because BM25 favours short texts too. */
const BY_LENGTH = sql.lit(1);

async function ranked(
  connection: Connection,
  match: Match,
  query: SearchQuery,
): Promise<readonly Scored[]> {
  const { dialect } = connection;
  const words = wordsText({ ...match, join: "any" });
  const score =
    dialect === "sqlite"
      ? sql<number>`-bm25(issue_text, 0.0, 1.0, 1.0, 1.0)`
      : sql<number>`ts_rank('{0, 0.2, 0.4, 1}', t.words, ${words}::tsquery, ${BY_LENGTH})::float8`;
  const rows = matching(dialect, match, query).select([idOf(dialect).as("id"), score.as("score")]);
  return await all(connection, rows.orderBy("score", "desc").orderBy("id").limit(query.limit));
}

/**
 * Scores one point for each phrase in the title, and a fraction that falls with age. `ids` are the newest matches,
 * newest first.
 */
async function scoredByTitle(
  connection: Connection,
  match: Match,
  ids: readonly number[],
  { limit }: SearchQuery,
): Promise<readonly Scored[]> {
  const scores = new Map(ids.map((id, age) => [id, 1 - age / (RANKED + 1)]));
  const { dialect } = connection;
  // A bound number arrives as a real, which FTS5 does not use to limit the range of ids, so it is cast.
  const oldest = sql<number>`cast(${ids.at(-1) ?? 0} as bigint)`;
  for (const phrase of match.phrases) {
    const rows = await all(
      connection,
      builder(dialect)
        .selectFrom(sql<{ rowid: number }>`issue_text`.as("t"))
        .select(idOf(dialect).as("id"))
        .where(holds(dialect, { ...match, titled: phrase }))
        .where(sql<boolean>`${idOf(dialect)} >= ${oldest}`),
    );
    for (const { id } of rows) {
      const score = scores.get(id);
      if (score !== undefined) scores.set(id, score + 1);
    }
  }
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit);
}
