import type { z } from "zod";
import { type PlaceOrder, placeText } from "../contract/list-budget.ts";
import { LIST_PLACE } from "../contract/values.ts";
import { firstRows, roomFor } from "./budget.ts";
import { ToolError } from "./failure.ts";
import type { IssueListOutput } from "./objects.ts";
import type { Project, Scope } from "./scope.ts";
import { type ListedIssue, SUMMARY_FIELDS, scopePair, summaryOf } from "./views.ts";

/** Metadata of a row can be large, so the daemon cuts its answer too. */
const DAEMON_BYTES = 256 * 1024;

/** The query of one page of a list. */
export interface PageQuery {
  readonly limit: number;
  readonly after: string;
  readonly fields: string;
  readonly max_bytes: number;
}

interface Asked {
  readonly limit: number | undefined;
  readonly cursor?: string | undefined;
  /** A project that the caller named. */
  readonly project?: string | undefined;
  readonly order: PlaceOrder;
  /** Reads a page of one project. */
  of(project: Project, page: PageQuery): Promise<Page>;
  /** Reads a page of all projects at once. */
  ofAll(page: PageQuery): Promise<Page>;
}

interface Page {
  readonly issues: readonly ListedIssue[];
  readonly truncated?: boolean | undefined;
}

/**
 * One page of issues over the projects of a call. A fixed list of projects is read one after the other and merged in
 * the order of the daemon's own lists, instant and id, so that a cursor continues in each of them.
 */
export async function issuePage(
  scope: Scope,
  asked: Asked,
): Promise<z.input<typeof IssueListOutput>> {
  const { cursor = "", order } = asked;
  if (!LIST_PLACE.test(cursor))
    throw new ToolError("invalid arguments: cursor: not a value returned by this tool");
  const { rows: most } = roomFor(asked.limit);
  const query = { limit: most + 1, after: cursor, fields: SUMMARY_FIELDS, max_bytes: DAEMON_BYTES };
  const isSingle = scope.isBound || asked.project !== undefined;
  const projects = await scope.chosen(asked.project);
  const pages: Page[] = [];
  if (scope.reach.kind === "all" && !isSingle) pages.push(await asked.ofAll(query));
  else for (const project of projects) pages.push(await asked.of(project, query));
  const issues = pages.flatMap((page) => page.issues).sort(latestFirst(order));
  const pair = scopePair(projects, isSingle, issues.slice(0, most));
  const room = roomFor(asked.limit, pair);
  const rows = firstRows(
    issues.map((issue) => summaryOf(issue, scope)),
    room,
  );
  const last = issues[rows.length - 1];
  const truncated = rows.length < issues.length || pages.some((page) => page.truncated === true);
  return {
    ...pair,
    issues: [...rows],
    truncated,
    ...(truncated && last !== undefined ? { next_cursor: placeText(last, order) } : {}),
  };
}

function latestFirst(order: PlaceOrder) {
  const at = (issue: ListedIssue): string =>
    order === "created" ? issue.created_at : issue.updated_at;
  return (one: ListedIssue, other: ListedIssue): number => {
    if (at(one) !== at(other)) return at(one) < at(other) ? 1 : -1;
    return other.id - one.id;
  };
}
