import type { z } from "zod";
import { type PlaceOrder, placeText } from "../contract/list-budget.ts";
import { LIST_PLACE } from "../contract/values.ts";
import type { NamedProject } from "../shared/project-choice.ts";
import { firstRows, roomFor } from "./budget.ts";
import type { IssueListOutput } from "./objects.ts";
import { foreignCursor } from "./paging.ts";
import type { Scope } from "./scope.ts";
import { type ListedIssue, SUMMARY_FIELDS, scopePair, summaryOf } from "./views.ts";

/**
 * The most bytes of the daemon's answer. The number of rows alone does not limit it, because the metadata of a row can
 * be large.
 */
const DAEMON_BYTES = 256 * 1024;

export interface PageQuery {
  readonly limit: number;
  readonly after: string;
  readonly fields: string;
  readonly max_bytes: number;
}

interface ListRequest {
  readonly limit: number | undefined;
  readonly cursor?: string | undefined;
  readonly project?: string | undefined;
  readonly order: PlaceOrder;
  /** Reads a page of one project. */
  of(project: NamedProject, page: PageQuery): Promise<Page>;
  /** Reads a page of all projects at once. */
  ofAll(page: PageQuery): Promise<Page>;
}

interface Page {
  readonly issues: readonly ListedIssue[];
  readonly truncated?: boolean | undefined;
}

/**
 * Returns one page of the issues of the projects that the call reads. If the call reads only some of the daemon's
 * projects, it reads a page of each project with the same cursor and merges these pages. Pages can be merged because
 * all lists of the daemon have the same order (time, then id).
 */
export async function issuePage(
  scope: Scope,
  request: ListRequest,
): Promise<z.input<typeof IssueListOutput>> {
  const { cursor = "", order } = request;
  if (!LIST_PLACE.test(cursor)) throw foreignCursor();
  const { rows: most } = roomFor(request.limit);
  const query = { limit: most + 1, after: cursor, fields: SUMMARY_FIELDS, max_bytes: DAEMON_BYTES };
  const isSingle = scope.isBound || request.project !== undefined;
  const projects = await scope.chosen(request.project);
  const merged = new MergedPages(order, most + 1);
  if (scope.reach.kind === "all" && !isSingle) merged.add(await request.ofAll(query));
  else for (const project of projects) merged.add(await request.of(project, query));
  const { issues, isCut } = merged;
  const pair = scopePair(projects, isSingle, issues.slice(0, most));
  const room = roomFor(request.limit, pair);
  const rows = firstRows(
    issues.map((issue) => summaryOf(issue, scope)),
    room,
  );
  const last = issues[rows.length - 1];
  const truncated = rows.length < issues.length || isCut;
  return {
    ...pair,
    issues: [...rows],
    truncated,
    ...(truncated && last !== undefined ? { next_cursor: placeText(last, order) } : {}),
  };
}

/**
 * Merges the pages of several projects. The daemon may cut a page short. Issues that come after the end of such a page
 * are left out, because issues of that project may be missing between them.
 */
class MergedPages {
  readonly #compare: (one: ListedIssue, other: ListedIssue) => number;
  readonly #most: number;
  #issues: readonly ListedIssue[] = [];
  /**
   * The issue at which the merged page ends; `undefined` if the daemon has cut no page. It is the last issue of the
   * page that was cut. If several pages were cut, it is the one of their last issues that comes first in the list.
   */
  #end: ListedIssue | undefined;

  constructor(order: PlaceOrder, most: number) {
    this.#compare = latestFirst(order);
    this.#most = most;
  }

  add({ issues, truncated }: Page): void {
    const last = truncated === true ? issues.at(-1) : undefined;
    if (last !== undefined && (this.#end === undefined || this.#compare(last, this.#end) < 0))
      this.#end = last;
    this.#issues = [...this.#issues, ...issues].sort(this.#compare).slice(0, this.#most);
  }

  get issues(): readonly ListedIssue[] {
    const end = this.#end;
    if (end === undefined) return this.#issues;
    return this.#issues.filter((issue) => this.#compare(issue, end) <= 0);
  }

  get isCut(): boolean {
    return this.#end !== undefined;
  }
}

function latestFirst(order: PlaceOrder) {
  const timeOf = (issue: ListedIssue): string =>
    order === "created" ? issue.created_at : issue.updated_at;
  return (one: ListedIssue, other: ListedIssue): number => {
    if (timeOf(one) !== timeOf(other)) return timeOf(one) < timeOf(other) ? 1 : -1;
    return other.id - one.id;
  };
}
