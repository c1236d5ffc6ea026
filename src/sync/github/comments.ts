import type { JsonObject } from "../../base/json.ts";
import type { RemoteComment, RemoteKeys } from "../../domain/issue-sync/remote-issue.ts";
import { issueAt } from "../../sources/github/links.ts";
import type { ProviderFault } from "../provider.ts";
import { type ChangedRows, changedRows } from "./changed-rows.ts";
import type { GithubClient, Page } from "./client.ts";
import { undecodable } from "./faults.ts";
import { linkTo, pageOf } from "./page-link.ts";
import { commentOf, isPullRequest, numberOf } from "./rows.ts";

/** If the comments that are kept for later issues exceed this, further comments are requested issue by issue. */
const MOST_KEPT_CHARACTERS = 16 * 1024 * 1024;
/** A list of comments of one issue with more pages than this is a fault of the host. */
const MOST_PAGES = 1000;

/**
 * Reads the comments of all issues, a hundred with each request. Otherwise each issue would need a request for its own
 * comments, and the host allows 5000 requests an hour.
 *
 * Comments and issues are both read with the least recently changed first. So the list is read only as far as the
 * issues that were read so far need it, and a comment is kept only until its issue is read.
 */
export class AllComments {
  readonly #pages: AsyncGenerator<ChangedRows>;
  readonly #kept = new Map<number, Map<string, RemoteComment>>();
  /** The issues whose comments were taken. Comments of these issues that come later are not kept. */
  readonly #taken = new Set<number>();
  #characters = 0;
  #isOver = false;

  constructor(client: GithubClient) {
    const list = { path: "issues/comments", since: undefined, until: undefined };
    this.#pages = changedRows(client, list);
  }

  /**
   * Returns the comments of an issue, the oldest first. Returns `undefined` if the list has fewer than `wanted`, or if
   * the issue comes again because it has changed: then the comments must be requested for this issue alone.
   */
  async take(number: number, wanted: number): Promise<readonly RemoteComment[] | undefined> {
    if (this.#taken.has(number)) return undefined;
    while (this.#countOf(number) < wanted && !this.#isOver) await this.#readPage();
    const found = [...(this.#kept.get(number)?.values() ?? [])];
    this.#kept.delete(number);
    this.#taken.add(number);
    for (const { body } of found) this.#characters -= body.length;
    return found.length < wanted ? undefined : found.sort(byTime);
  }

  #countOf(number: number): number {
    return this.#kept.get(number)?.size ?? 0;
  }

  async #readPage(): Promise<void> {
    const { done, value } = await this.#pages.next();
    for (const row of done === true ? [] : value.rows) this.#keep(row);
    this.#isOver = done === true || this.#characters > MOST_KEPT_CHARACTERS;
  }

  #keep(row: JsonObject): void {
    const number = issueOfComment(row);
    if (number === undefined || this.#taken.has(number)) return;
    const comment = commentOf(row, `issue-number:${number}`, 0);
    const ofIssue = this.#kept.get(number) ?? new Map<string, RemoteComment>();
    this.#kept.set(number, ofIssue);
    // A comment that was edited during the reading comes twice.
    this.#characters += comment.body.length - (ofIssue.get(comment.key)?.body.length ?? 0);
    ofIssue.set(comment.key, comment);
  }
}

/** The number of the issue, `undefined` for a comment of a pull request or one without an address or a lasting id. */
function issueOfComment({ id, issue_url, html_url }: JsonObject): number | undefined {
  if (id === undefined || (typeof html_url === "string" && html_url.includes("/pull/")))
    return undefined;
  const [, digits] = issueAt(typeof issue_url === "string" ? issue_url : undefined) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Whether reading all comments at once takes fewer requests than reading the comments of each issue. The list of all
 * comments includes those of pull requests, so it may have more pages than the issues need. Requests only its first
 * page.
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
 * Reads the comments of one issue, the oldest first. If a comment is deleted during the reading, the comments behind it
 * move up, and one may be missed between two pages. So a list with fewer comments than the issue says is read once
 * more. Returns `undefined` if the issue itself is gone.
 */
export async function readComments(
  client: GithubClient,
  row: JsonObject,
  keys: RemoteKeys,
): Promise<readonly RemoteComment[] | undefined> {
  const found = new Map<string, RemoteComment>();
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
  found: Map<string, RemoteComment>,
): Promise<number | undefined> {
  const waits = client.waits();
  const requested = new Set<string>();
  let address: string | undefined = `issues/${number}/comments?per_page=100`;
  let index = 0;
  while (address !== undefined) {
    if (requested.has(address) || requested.size === MOST_PAGES) throw endless(number);
    requested.add(address);
    const page: Page | undefined = await client.pageOfIssue(address, waits);
    if (page === undefined) return undefined;
    for (const row of page.rows) {
      const comment = commentOf(row, issueKey, index++);
      found.set(comment.key, comment);
    }
    address = page.next;
  }
  return requested.size;
}

function byTime(left: RemoteComment, right: RemoteComment): number {
  const [one, other] = [left.created_at ?? "", right.created_at ?? ""];
  return one < other ? -1 : one > other ? 1 : 0;
}

function endless(number: number): ProviderFault {
  return undecodable(`a list of comments of issue ${number} that does not end`);
}
