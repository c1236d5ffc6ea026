import type { JsonObject } from "../../base/json.ts";
import type {
  RemoteComment,
  RemoteIssue,
  RemoteKeys,
  RemoteLink,
} from "../../domain/issue-sync/remote-issue.ts";
import type { ProviderRun, RemoteBatch } from "../provider.ts";
import { changedRows } from "./changed-rows.ts";
import type { GithubClient } from "./client.ts";
import { AllComments, hasComments, isCheaperAtOnce, readComments } from "./comments.ts";
import { readParents } from "./parents.ts";
import type { Progress } from "./progress.ts";
import type { Repository } from "./repository.ts";
import { isPullRequest, issueOf, keysOf, numberOf, parentInRow } from "./rows.ts";

/**
 * The limits of a batch. They are small, so that issues are released before V8 moves them to the memory of lasting
 * objects.
 */
const MOST_ISSUES = 40;
const MOST_CHARACTERS = 4 * 1024 * 1024;

export interface Reading {
  readonly client: GithubClient;
  readonly run: ProviderRun;
  readonly progress: Progress;
  readonly repository: Repository;
  /** Whether it is known that the host does not offer parents. */
  readonly hasNoParents: () => boolean;
  readonly noteNoParents: () => void;
}

/**
 * Reads everything but the repository itself: parents first, because issues name them, then issues with their comments.
 */
export async function* readIssues(reading: Reading): AsyncGenerator<RemoteBatch> {
  const { client, progress, run, repository } = reading;
  const parents = await scanOf(reading);
  const keysByNumber = new Map<number, RemoteKeys>();
  const keysOfNumber = (number: number): RemoteKeys | undefined =>
    keysByNumber.get(number) ?? parents?.get(number)?.keys;
  let [isFirst, comments]: [boolean, AllComments | undefined] = [true, undefined];
  let batch: RemoteIssue[] = [];
  let characters = 0;
  const list = { path: "issues?state=all", since: run.since, until: repository.host_time };
  for await (const { rows, page } of changedRows(client, list)) {
    if (isFirst && run.since === undefined && (await isCheaperAtOnce(client, page)))
      comments = new AllComments(client);
    isFirst = false;
    const issues = rows.filter((row) => !isPullRequest(row));
    for (const row of issues) {
      const number = numberOf(row);
      keysByNumber.set(number, parents?.get(number)?.keys ?? rowKeys(row));
    }
    for (const row of issues) {
      const number = numberOf(row);
      const keys = keysByNumber.get(number) ?? rowKeys(row);
      const own = await commentsOf(client, row, keys, comments);
      if (own === undefined) continue;
      const namedParent = parentInRow(row, keysOfNumber);
      const parent =
        namedParent.kind === "unknown"
          ? (parents?.get(number)?.parent ?? namedParent)
          : namedParent;
      const issue = issueOf(row, { keys, comments: own, parent });
      batch.push(issue);
      characters += sizeOf(issue);
      progress.add({ issues: 1, comments: own.length });
      if (batch.length < MOST_ISSUES && characters < MOST_CHARACTERS) continue;
      yield { kind: "issues", issues: batch };
      batch = [];
      characters = 0;
    }
  }
  if (batch.length > 0) yield { kind: "issues", issues: batch };
  const scan = run.parents === "rows" ? "rows" : parents === undefined ? "unsupported" : "complete";
  yield { kind: "links", scan, links: linksOf(parents, keysByNumber) };
}

/** The parents of all issues; `undefined` if the run asks for none, or the host has none. */
async function scanOf({
  client,
  run,
  progress,
  repository,
  hasNoParents,
  noteNoParents,
}: Reading): Promise<ReadonlyMap<number, RemoteLink> | undefined> {
  if (run.parents === "rows" || hasNoParents()) return undefined;
  const parents = await readParents(client, repository.identity.remote_id, progress);
  if (parents === undefined) noteNoParents();
  return parents;
}

function linksOf(
  parents: ReadonlyMap<number, RemoteLink> | undefined,
  read: ReadonlyMap<number, RemoteKeys>,
): readonly RemoteLink[] {
  return [...(parents?.values() ?? [])].filter(({ number }) => !read.has(number));
}

function rowKeys(row: JsonObject): RemoteKeys {
  return keysOf(numberOf(row), row["id"], row["node_id"]);
}

/**
 * Returns the comments of an issue from the list of all comments. If that list has fewer than the issue says, requests
 * the comments of this issue. Returns `undefined` if the issue is gone.
 */
async function commentsOf(
  client: GithubClient,
  row: JsonObject,
  keys: RemoteKeys,
  all: AllComments | undefined,
): Promise<readonly RemoteComment[] | undefined> {
  if (!hasComments(row)) return [];
  const listed = await all?.take(numberOf(row), Number(row["comments"]));
  return listed ?? (await readComments(client, row, keys));
}

function sizeOf({ title, body, comments }: RemoteIssue): number {
  const ofComments = comments.reduce((sum, comment) => sum + comment.body.length, 0);
  return title.length + body.length + ofComments;
}
