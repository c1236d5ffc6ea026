import type { Connection } from "../connection.ts";
import { issueStatement } from "../repos/statements.ts";
import { issuesWithProject } from "../rows.ts";
import { isIn } from "../statement.ts";
import type { SearchHit } from "../types/issues.ts";
import type { StoredIssue } from "../types/rows.ts";
import { commentTexts } from "./comment-texts.ts";
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
  const comments = await commentTexts(connection, uids);
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
  const found = await issuesById.all(connection, { ids });
  return new Map(found.map((issue) => [issue.id, issue]));
}

const issuesById = issueStatement((db, p: { ids: readonly number[] }, dialect) =>
  issuesWithProject(db).where(({ ref }) => isIn(dialect, ref("i.id"), p.ids, "bigint")),
);
