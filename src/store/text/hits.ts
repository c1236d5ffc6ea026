import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { issueOf, issuesWithProject } from "../rows.ts";
import { isIn, statement } from "../statement.ts";
import type { SearchHit, StoredIssue } from "../types.ts";
import { holdsPhrase, wordsOf } from "./words.ts";

export interface Scored {
  readonly id: number;
  readonly score: number;
}

type Phrases = readonly (readonly string[])[];

/** The found issues in the order of `scored`, each with the parts of its text that contain one of the phrases. */
export async function hitsOf(
  connection: Connection,
  scored: readonly Scored[],
  phrases: Phrases,
): Promise<readonly SearchHit[]> {
  if (scored.length === 0) return [];
  const issues = await issuesByIds(
    connection,
    scored.map(({ id }) => id),
  );
  const uids = [...issues.values()].map(({ uid }) => uid);
  const comments = new Map<string, string>();
  for (const { issue_uid, body } of await commentBodies.all(connection, { uids })) {
    comments.set(issue_uid, `${comments.get(issue_uid) ?? ""} ${body}`);
  }
  return scored.flatMap(({ id, score }) => {
    const issue = issues.get(id);
    if (issue === undefined) return [];
    return [{ issue, score, matched_in: places(issue, comments.get(issue.uid) ?? "", phrases) }];
  });
}

function places(issue: StoredIssue, comments: string, phrases: Phrases): SearchHit["matched_in"] {
  const texts = { title: issue.title, body: issue.body, comments };
  return (["title", "body", "comments"] as const).filter((column) => {
    const words = wordsOf(texts[column]);
    return phrases.some((phrase) => holdsPhrase(words, phrase));
  });
}

export async function issuesByIds(
  connection: Connection,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredIssue>> {
  const rows = await issuesById.all(connection, { ids });
  return new Map(rows.map((row) => [row.id, issueOf(row)]));
}

const issuesById = statement((db, p: { ids: readonly number[] }, dialect) =>
  issuesWithProject(db).where(
    dialect === "sqlite"
      ? sql<boolean>`i.id in (select value from json_each(${p.ids}))`
      : sql<boolean>`i.id = any(${p.ids}::bigint[])`,
  ),
);

const commentBodies = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("comment")
    .select(["issue_uid", "body"])
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids))
    .orderBy("id"),
);
