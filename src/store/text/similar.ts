import { sql } from "kysely";
import { wordsOf } from "../../domain/words.ts";
import type { Connection, Dialect } from "../connection.ts";
import { loadIssues } from "../load/load-rows.ts";
import type { Loaded } from "../load/loaded.ts";
import { projects } from "../repos/projects.ts";
import { isIn, statement } from "../rows/statement.ts";
import type { StoredIssue } from "../types/rows.ts";
import { issuesByIds } from "./hits.ts";
import { idOf, matches, matchText } from "./match.ts";
import type { PendingTexts } from "./pending.ts";
import { projectWord, titleWords } from "./words.ts";

export interface UnwrittenRows {
  readonly texts: PendingTexts;
  readonly loaded: Loaded;
}

/**
 * The maximum number of candidates whose titles are compared. If more issues match, the words are too common to find a
 * similar title.
 */
const CANDIDATES = 200;

/**
 * Returns live issues of the project whose titles share words with this title: most shared words first, at most
 * `limit`. An issue counts as a look-alike (its score is at least 0.7) only if the two titles have at least half of
 * their words in common (docs/contract/search.md#6-similar-issues). So looking up more than half of this title's words
 * finds every look-alike that has these words in the same form.
 *
 * These steps find the candidates. The next step is taken only if more than `CANDIDATES` titles match.
 * - Look up the longest words, since they are usually rare.
 * - Look up the rarest words.
 * - Take the titles with all words, and the newest titles with some of the rarest words.
 */
export async function similar(
  connection: Connection,
  projectUid: string,
  title: string,
  limit: number,
  unwritten: UnwrittenRows | undefined,
): Promise<readonly StoredIssue[]> {
  const words = titleWords(title);
  if (words.length === 0) return [];
  const wanted = new Set(words);
  const shared = await pendingShares(connection, projectUid, wanted, unwritten);
  for (const row of await findCandidates(connection, projectUid, words)) {
    if (!shared.has(row.id)) shared.set(row.id, sharedWords(row.title, wanted));
  }
  if (shared.size === 0) return [];
  const best = [...shared].sort(([, a], [, b]) => b - a).slice(0, limit);
  const issues = await issuesByIds(
    connection,
    best.map(([id]) => id),
  );
  return best.flatMap(([id]) => issues.get(id) ?? []);
}

interface TitledIssue {
  readonly id: number;
  readonly title: string;
}

async function findCandidates(
  connection: Connection,
  project_uid: string,
  words: readonly string[],
): Promise<readonly TitledIssue[]> {
  const half = Math.floor(words.length / 2) + 1;
  const rows = await titlesWith(connection, project_uid, words.slice(0, half));
  if (rows !== undefined) return rows;
  const counted = await byCount(connection, words);
  const rarest = await titlesWith(connection, project_uid, counted.slice(0, half));
  return rarest ?? (await ofCommonWords(connection, project_uid, counted, half));
}

/**
 * Returns the issues of the project whose titles have the words. Returns `undefined` when more than `CANDIDATES` issues
 * of all projects match.
 */
async function titlesWith(
  connection: Connection,
  project_uid: string,
  words: readonly string[],
  join: "all" | "any" = "any",
): Promise<readonly TitledIssue[] | undefined> {
  const text = titleMatch(connection.dialect, words, join);
  const ids = await idsLike.all(connection, { text });
  if (ids.length > CANDIDATES) return undefined;
  if (ids.length === 0) return [];
  return await titlesOf(
    connection,
    project_uid,
    ids.map(({ id }) => id),
  );
}

/** Sorts the words by how many titles have them, rarest first. Counts no further than `CANDIDATES` + 1. */
async function byCount(connection: Connection, words: readonly string[]): Promise<string[]> {
  const counts = new Map<string, number>();
  for (const word of words) {
    const text = titleMatch(connection.dialect, [word], "all");
    counts.set(word, (await countLike.one(connection, { text }))?.count ?? 0);
  }
  return words.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
}

async function ofCommonWords(
  connection: Connection,
  project_uid: string,
  words: readonly string[],
  half: number,
): Promise<readonly TitledIssue[]> {
  const { dialect } = connection;
  const project = await projects(connection).find(project_uid);
  if (project === undefined) return [];
  const newest = async (some: readonly string[], join: "all" | "any") => {
    const text = titleMatch(dialect, some, join, [projectWord(project.id)]);
    const ids = await idsLike.all(connection, { text });
    return await titlesOf(
      connection,
      project_uid,
      ids.map(({ id }) => id),
    );
  };
  const twins = await titlesWith(connection, project_uid, words, "all");
  return [
    ...(twins ?? (await newest(words, "all"))),
    ...(await newest(words.slice(0, half), "any")),
  ];
}

function titleMatch(
  dialect: Dialect,
  words: readonly string[],
  join: "all" | "any",
  scope: readonly string[] = [],
): string {
  const each = words.map((word) => ({ phrase: [word] }));
  const query = join === "all" ? { all: each } : { any: each };
  return matchText(dialect, { query, column: "title", scope });
}

const MAX_SIMILAR = sql.lit(CANDIDATES + 1);

const idsLike = statement((db, p: { text: string }, dialect) =>
  db
    .selectFrom(sql<object>`issue_text`.as("t"))
    .select(idOf(dialect).as("id"))
    .where(matches(dialect, p.text))
    .orderBy(idOf(dialect), "desc")
    .limit(MAX_SIMILAR),
);

const countLike = statement((db, p: { text: string }, dialect) =>
  db
    .selectFrom(
      sql<{
        one: 1;
      }>`(select 1 as one from issue_text as t where ${matches(dialect, p.text)} limit ${MAX_SIMILAR})`.as(
        "few",
      ),
    )
    .select(({ fn }) => fn.countAll<number>().as("count")),
);

/**
 * The project and the deletion are checked here and not in the statement, since with these conditions SQLite would scan
 * the project's issues instead of looking up the ids.
 */
async function titlesOf(
  connection: Connection,
  project_uid: string,
  ids: readonly number[],
): Promise<readonly TitledIssue[]> {
  const rows = await titlesById.all(connection, { ids });
  return rows.filter((row) => row.project_uid === project_uid && row.deleted_at === null);
}

const titlesById = statement((db, p: { ids: readonly number[] }, dialect) =>
  db
    .selectFrom("issue")
    .select(["id", "title", "project_uid", "deleted_at"])
    .where(({ ref }) => isIn(dialect, ref("id"), p.ids, "bigint")),
);

function sharedWords(title: string, wanted: ReadonlySet<string>): number {
  const has = new Set<string>();
  for (const word of wordsOf(title)) if (wanted.has(word)) has.add(word);
  return has.size;
}

/**
 * Returns the number of shared words, by local id, for the issues that this batch has changed but not indexed yet.
 * Includes only issues that share at least half of the words.
 */
async function pendingShares(
  connection: Connection,
  projectUid: string,
  wanted: ReadonlySet<string>,
  unwritten: UnwrittenRows | undefined,
): Promise<Map<number, number>> {
  if (unwritten === undefined) return new Map();
  const { texts, loaded } = unwritten;
  const uids = texts.uids();
  await loadIssues(connection, loaded, uids);
  const near = new Map<string, number>();
  for (const uid of uids) {
    const issue = loaded.issue(uid);
    if (issue?.project_uid !== projectUid || issue.deleted_at !== null) continue;
    const words = texts.words(uid, issue.title);
    let has = 0;
    for (const word of wanted) if (words.has(word)) has += 1;
    if (2 * has >= wanted.size) near.set(uid, has);
  }
  if (near.size === 0) return new Map();
  const rows = await idsOf.all(connection, { uids: [...near.keys()] });
  return new Map(rows.map(({ id, uid }) => [id, near.get(uid) ?? 0]));
}

const idsOf = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("issue")
    .select(["id", "uid"])
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids)),
);
