import type { JsonObject } from "../../base/json.ts";
import type { PreparedComment, PreparedKeys } from "../../domain/issue-sync/prepared.ts";
import { issueAt } from "../../sources/github/links.ts";
import type { ProviderFault } from "../provider.ts";
import { changedRows } from "./changed-rows.ts";
import type { GithubClient, Page } from "./client.ts";
import { undecodable } from "./faults.ts";
import { linkTo, pageOf } from "./page-link.ts";
import { commentOf, isPullRequest, numberOf } from "./rows.ts";

/** Comments that are kept until their issue comes. Those of further issues are asked issue by issue. */
const MOST_KEPT_CHARACTERS = 32 * 1024 * 1024;
/** The list of comments of one issue does not go on for ever. */
const MOST_PAGES = 1000;

/** The comments of a repository, by the numbers of their issues. */
export type CommentsByNumber = Map<number, PreparedComment[]>;

/**
 * Reads the comments of all issues at once, a hundred with each request. Asking each issue for its own costs a request
 * for each, and the host allows 5000 an hour. Ends early when it has as much as may be kept in memory.
 */
export async function readAllComments(client: GithubClient): Promise<CommentsByNumber> {
  const found: CommentsByNumber = new Map();
  let characters = 0;
  const list = { path: "issues/comments", since: undefined, until: undefined };
  for await (const { rows } of changedRows(client, list)) {
    for (const row of rows) {
      const number = issueOfComment(row);
      if (number === undefined) continue;
      const comment = commentOf(row, `issue-number:${number}`, 0);
      const ofIssue = found.get(number);
      if (ofIssue === undefined) found.set(number, [comment]);
      else ofIssue.push(comment);
      characters += comment.body.length;
    }
    if (characters > MOST_KEPT_CHARACTERS) break;
  }
  return found;
}

/** The number of the issue, `undefined` for a comment of a pull request or one without an address or a lasting id. */
function issueOfComment({ id, issue_url, html_url }: JsonObject): number | undefined {
  if (id === undefined || (typeof html_url === "string" && html_url.includes("/pull/")))
    return undefined;
  const [, digits] = issueAt(typeof issue_url === "string" ? issue_url : undefined) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Whether reading all comments at once takes fewer requests than asking each issue. Comments of pull requests come along
 * then, so a repository with many of those may need more. Asks for the first page of the comments only.
 */
export async function isCheaperAtOnce(client: GithubClient, first: Page): Promise<boolean> {
  const pages = pageOf(linkTo("last", first.link));
  if (first.next === undefined || pages === undefined) return first.next !== undefined;
  const share = first.rows.filter(hasComments).length / Math.max(1, first.rows.length);
  const comments = await client.page("issues/comments?per_page=100", client.waits());
  const pagesOfComments = pageOf(linkTo("last", comments.link)) ?? 1;
  return pagesOfComments <= share * pages * 100;
}

export function hasComments(row: JsonObject): boolean {
  return !isPullRequest(row) && typeof row["comments"] === "number" && row["comments"] > 0;
}

/**
 * Reads the comments of one issue, the oldest first. If one is deleted meanwhile, those behind it move up and one may be
 * missed between two pages, so a list with fewer than the issue says is read once more. Returns `undefined` if the issue
 * itself is gone.
 */
export async function readComments(
  client: GithubClient,
  row: JsonObject,
  keys: PreparedKeys,
): Promise<readonly PreparedComment[] | undefined> {
  const found = new Map<string, PreparedComment>();
  const wanted = Number(row["comments"]);
  for (let round = 0; round < 2; round++) {
    const pages = await readPages(client, numberOf(row), keys[0], found);
    if (pages === undefined) return undefined;
    if (pages === 1 || found.size >= wanted) break;
  }
  return [...found.values()].sort(byTime);
}

async function readPages(
  client: GithubClient,
  number: number,
  issueKey: string,
  found: Map<string, PreparedComment>,
): Promise<number | undefined> {
  const waits = client.waits();
  const asked = new Set<string>();
  let address: string | undefined = `issues/${number}/comments?per_page=100`;
  let index = 0;
  while (address !== undefined) {
    if (asked.has(address) || asked.size === MOST_PAGES) throw endless(number);
    asked.add(address);
    const page: Page | undefined = await client.pageOfIssue(address, waits);
    if (page === undefined) return undefined;
    for (const row of page.rows) {
      const comment = commentOf(row, issueKey, index++);
      found.set(comment.key, comment);
    }
    address = page.next;
  }
  return asked.size;
}

export function byTime(left: PreparedComment, right: PreparedComment): number {
  const [one, other] = [left.created_at ?? "", right.created_at ?? ""];
  return one < other ? -1 : one > other ? 1 : 0;
}

function endless(number: number): ProviderFault {
  return undecodable(`a list of comments of issue ${number} that does not end`);
}
