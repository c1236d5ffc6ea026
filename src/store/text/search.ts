import { sql } from "kysely";
import { all, builder, type Connection, type Dialect } from "../connection.ts";
import type { Loaded } from "../loaded.ts";
import { labelFilters } from "../repos/filters.ts";
import { issueOf, OF_PROJECT, type SelectedIssue } from "../rows.ts";
import { isIn, statement } from "../statement.ts";
import type { Search, SearchHit, SearchQuery, StoredIssue } from "../types.ts";
import { type Match, matchText, wordsQuery } from "./match.ts";
import type { PendingTexts } from "./pending.ts";
import { holdsPhrase, phrasesOf, titleWords, wordsOf } from "./words.ts";
import { scopeOf } from "./write.ts";

/** What a write knows that the index does not hold yet. */
export interface Unwritten {
  readonly texts: PendingTexts;
  readonly loaded: Loaded;
}

/**
 * Lexical search in two steps (facts search, 3): the newest matches are fetched first, up to one more than are ever
 * ranked. When they are few and their words rare, they are ranked by BM25, which on SQLite reads every issue that has
 * one of the words. Otherwise the newest are ranked by how many of the words their titles have, newer first. Either
 * way the cost does not grow with the table.
 */
const RANKED = 2000;

export function search(connection: Connection, unwritten?: Unwritten): Search {
  return {
    lexical: async (query) => await lexical(connection, query),
    similar: async (projectUid, text, limit) =>
      await similar(connection, projectUid, text.title, limit, unwritten),
  };
}

async function lexical(connection: Connection, query: SearchQuery): Promise<readonly SearchHit[]> {
  const phrases = phrasesOf(query.text);
  const scope = await scopeFor(connection, query.project_uid);
  if (phrases.length === 0 || scope === undefined) return [];
  const match: Match = { scope, phrases, join: "all" };
  const found = await newest(connection, match, query, RANKED + 1);
  const rare = found.length <= RANKED && (await areRare(connection, match));
  const scored = rare
    ? await ranked(connection, match, query)
    : await scoredByTitle(connection, match, found.slice(0, RANKED), query.limit);
  return await hits(connection, scored, phrases);
}

interface Scored {
  readonly id: number;
  readonly score: number;
}

async function scopeFor(connection: Connection, uid: string): Promise<string | undefined> {
  const project = await projectId.one(connection, { uid });
  return project === undefined ? undefined : scopeOf(project.id);
}

const projectId = statement((db, p: { uid: string }) =>
  db.selectFrom("project").select("id").where("uid", "=", p.uid),
);

/** Ids of matching issues, newest first. */
async function newest(
  connection: Connection,
  match: Match,
  query: SearchQuery,
  limit: number,
): Promise<readonly number[]> {
  const rows = await all(
    connection,
    matching(connection.dialect, match, query)
      .select(idOf(connection.dialect).as("id"))
      .orderBy("id", "desc")
      .limit(limit),
  );
  return rows.map(({ id }) => id);
}

function idOf(dialect: Dialect) {
  return dialect === "sqlite" ? sql<number>`t.rowid` : sql<number>`t.issue_id`;
}

function condition(dialect: Dialect, match: Match) {
  const text = matchText(dialect, match);
  return dialect === "sqlite"
    ? sql<boolean>`issue_text match ${text}`
    : sql<boolean>`t.words @@ ${text}::tsquery`;
}

function matching(
  dialect: Dialect,
  match: Match,
  { include_deleted, labels, exclude_labels }: SearchQuery,
) {
  let query = builder(dialect)
    .selectFrom(sql<{ rowid: number }>`issue_text`.as("t"))
    .crossJoin("issue as i")
    .where(sql<boolean>`i.id = ${idOf(dialect)}`)
    .where(condition(dialect, match));
  if (!include_deleted) query = query.where("i.deleted_at", "is", null);
  return query.where(labelFilters("i.uid", labels, exclude_labels));
}

/** Whether ranking by BM25 stays cheap: PostgreSQL ranks the matches alone, SQLite reads the issues of every word. */
async function areRare(connection: Connection, { scope, phrases }: Match): Promise<boolean> {
  if (connection.dialect === "postgres") return true;
  for (const phrase of phrases) {
    const text = matchText("sqlite", { scope, phrases: [phrase], join: "all" });
    if (((await countUpTo.one(connection, { text }))?.count ?? 0) > RANKED) return false;
  }
  return true;
}

const countUpTo = statement((db, p: { text: string }) =>
  db
    .selectFrom(
      sql<{
        one: number;
      }>`(select 1 as one from issue_text where issue_text match ${p.text} limit ${sql.lit(RANKED + 1)})`.as(
        "few",
      ),
    )
    .select(({ fn }) => fn.countAll<number>().as("count")),
);

/** PostgreSQL's rank divided by 1 + the logarithm of the text's length, as BM25 favours short texts. */
const BY_LENGTH = 1;

async function ranked(
  connection: Connection,
  match: Match,
  query: SearchQuery,
): Promise<readonly Scored[]> {
  const { dialect } = connection;
  const score =
    dialect === "sqlite"
      ? sql<number>`-bm25(issue_text, 0.0, 1.0, 1.0, 1.0)`
      : sql<number>`ts_rank('{0, 0.2, 0.4, 1}', t.words, ${wordsQuery({ ...match, join: "any" })}::tsquery, ${sql.lit(BY_LENGTH)})::float8`;
  const rows = matching(dialect, match, query).select([idOf(dialect).as("id"), score.as("score")]);
  return await all(connection, rows.orderBy("score", "desc").orderBy("id").limit(query.limit));
}

/** One for each phrase that the title has, and a fraction that falls with age. `ids` are the newest matches, newest first. */
async function scoredByTitle(
  connection: Connection,
  match: Match,
  ids: readonly number[],
  limit: number,
): Promise<readonly Scored[]> {
  const scores = new Map(ids.map((id, age) => [id, 1 - age / (RANKED + 1)]));
  const oldest = ids.at(-1) ?? 0;
  for (const phrase of match.phrases) {
    const titled = condition(connection.dialect, { ...match, phrases: [phrase], column: "title" });
    const { dialect } = connection;
    const rows = await all(
      connection,
      builder(dialect)
        .selectFrom(sql<{ rowid: number }>`issue_text`.as("t"))
        .select(idOf(dialect).as("id"))
        .where(titled)
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

async function hits(
  connection: Connection,
  scored: readonly Scored[],
  phrases: readonly (readonly string[])[],
): Promise<readonly SearchHit[]> {
  const issues = await byIds(
    connection,
    scored.map(({ id }) => id),
  );
  const comments = await commentTexts(
    connection,
    [...issues.values()].map(({ uid }) => uid),
  );
  return scored.flatMap(({ id, score }) => {
    const issue = issues.get(id);
    if (issue === undefined) return [];
    const has = (text: string): boolean => {
      const words = wordsOf(text);
      return phrases.some((phrase) => holdsPhrase(words, phrase));
    };
    const matched_in: SearchHit["matched_in"][number][] = [];
    if (has(issue.title)) matched_in.push("title");
    if (has(issue.body)) matched_in.push("body");
    if (has(comments.get(issue.uid) ?? "")) matched_in.push("comments");
    return [{ issue, score, matched_in }];
  });
}

async function byIds(
  connection: Connection,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredIssue>> {
  const rows = await issuesById.all(connection, { ids });
  return new Map(rows.map((row) => [row.id, issueOf(row as SelectedIssue)]));
}

const issuesById = statement((db, p: { ids: readonly number[] }, dialect) =>
  db
    .selectFrom("issue as i")
    .innerJoin("project as p", "p.uid", "i.project_uid")
    .selectAll("i")
    .select(OF_PROJECT)
    .where(
      dialect === "sqlite"
        ? sql<boolean>`i.id in (select value from json_each(${p.ids}))`
        : sql<boolean>`i.id = any(${p.ids}::bigint[])`,
    ),
);

async function commentTexts(
  connection: Connection,
  uids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { issue_uid, body } of await commentBodies.all(connection, { uids })) {
    const known = texts.get(issue_uid);
    texts.set(issue_uid, known === undefined ? body : `${known} ${body}`);
  }
  return texts;
}

const commentBodies = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("comment")
    .select(["issue_uid", "body"])
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids))
    .orderBy("id"),
);

/** Candidates that are compared by their titles before the best are returned. */
const CANDIDATES = 100;

/**
 * A look-alike scores 0.7 only when at least half of the words of both titles are common to them (facts search, 6).
 * So it has one of the first half of the words and one more, whatever their order: the longest ones are asked for,
 * being the rarest. Of titles that are all common words only the newest, and those with every word, are compared.
 */
async function similar(
  connection: Connection,
  projectUid: string,
  title: string,
  limit: number,
  unwritten: Unwritten | undefined,
): Promise<readonly StoredIssue[]> {
  const words = titleWords(title);
  const scope = await scopeFor(connection, projectUid);
  if (words.length === 0 || scope === undefined) return [];
  const telling = words.slice(0, Math.floor(words.length / 2) + 1);
  const wanted = new Set(words);
  const common = new Map<number, number>();
  const pending = await pendingIds(connection, projectUid, wanted, unwritten);
  for (const { id, has } of pending) common.set(id, has);
  for (const [asked, join] of [
    [telling, "any"],
    [words, "all"],
  ] as const) {
    const text = matchText(connection.dialect, {
      scope,
      phrases: asked.map((word) => [word]),
      join,
      column: "title",
    });
    for (const row of await titlesLike(connection.dialect).all(connection, { text })) {
      common.set(row.id, titleWords(row.title).filter((word) => wanted.has(word)).length);
    }
    if (common.size < CANDIDATES) break;
  }
  const best = [...common].sort(([, a], [, b]) => b - a).slice(0, limit);
  const issues =
    best.length === 0
      ? new Map<number, StoredIssue>()
      : await byIds(
          connection,
          best.map(([id]) => id),
        );
  return best.flatMap(([id]) => issues.get(id) ?? []);
}

function titlesLike(dialect: Dialect) {
  return dialect === "sqlite" ? sqliteTitles : postgresTitles;
}

const sqliteTitles = statement((db, p: { text: string }) =>
  db
    .selectFrom(sql<{ rowid: number }>`issue_text`.as("t"))
    .crossJoin("issue as i")
    .select(["i.id", "i.title"])
    .where(sql<boolean>`issue_text match ${p.text}`)
    .where(sql<boolean>`i.id = t.rowid`)
    .where("i.deleted_at", "is", null)
    .orderBy(sql`t.rowid`, "desc")
    .limit(sql.lit(CANDIDATES)),
);

const postgresTitles = statement((db, p: { text: string }) =>
  db
    .selectFrom(sql<{ issue_id: number }>`issue_text`.as("t"))
    .innerJoin("issue as i", "i.id", "t.issue_id")
    .select(["i.id", "i.title"])
    .where(sql<boolean>`t.words @@ ${p.text}::tsquery`)
    .where("i.deleted_at", "is", null)
    .orderBy("i.id", "desc")
    .limit(sql.lit(CANDIDATES)),
);

/** Issues of this batch, which the index does not hold yet, that share half of the words. */
async function pendingIds(
  connection: Connection,
  projectUid: string,
  wanted: ReadonlySet<string>,
  unwritten: Unwritten | undefined,
): Promise<readonly { readonly id: number; readonly has: number }[]> {
  if (unwritten === undefined) return [];
  const { texts, loaded } = unwritten;
  const uids = texts.uids();
  await loaded.loadIssues(connection, uids);
  const near = new Map<string, number>();
  for (const uid of uids) {
    const issue = loaded.issue(uid);
    if (issue === undefined || issue.project_uid !== projectUid || issue.deleted_at !== null)
      continue;
    const words = texts.words(uid, issue.title);
    let has = 0;
    for (const word of wanted) if (words.has(word)) has += 1;
    if (2 * has >= wanted.size) near.set(uid, has);
  }
  if (near.size === 0) return [];
  const rows = await idsOf.all(connection, { uids: [...near.keys()] });
  return rows.map(({ id, uid }) => ({ id, has: near.get(uid) ?? 0 }));
}

const idsOf = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("issue")
    .select(["id", "uid"])
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids)),
);
