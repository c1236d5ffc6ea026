import type { HostComment, HostIssue, HostRepository } from "./state.ts";

/** The issues that a query asks for, in its order, whenever they changed. */
export function issuesOf({ issues }: HostRepository, query: URLSearchParams): readonly HostIssue[] {
  const state = query.get("state") ?? "open";
  const found = [...issues.values()].filter((issue) => state === "all" || issue.state === state);
  return sorted(found, query, ({ number }) => number);
}

export interface CommentOf extends Timed {
  readonly issue: HostIssue;
  readonly comment: HostComment;
}

/** The comments of all issues and pull requests, or of one. Those of one come in the order in which they were written. */
export function commentsOf(
  { issues }: HostRepository,
  query: URLSearchParams,
  number?: number,
): readonly CommentOf[] {
  const of = number === undefined ? [...issues.values()] : [issues.get(number)];
  const found = of.flatMap((issue) =>
    issue === undefined ? [] : issue.comments.map((comment) => commentOf(issue, comment)),
  );
  const order =
    number === undefined ? query : new URLSearchParams({ sort: "created", direction: "asc" });
  return sorted(found, order, ({ comment }) => comment.id);
}

function commentOf(issue: HostIssue, comment: HostComment): CommentOf {
  const { created_at, updated_at } = comment;
  return { issue, comment, created_at, updated_at };
}

export interface Timed {
  readonly created_at: string;
  readonly updated_at: string;
}

function sorted<T extends Timed>(
  rows: readonly T[],
  query: URLSearchParams,
  tie: (row: T) => number,
): readonly T[] {
  const field = query.get("sort") === "updated" ? "updated_at" : "created_at";
  const sign = query.get("direction") === "asc" ? 1 : -1;
  const order = (left: T, right: T): number =>
    (left[field] < right[field] ? -1 : left[field] > right[field] ? 1 : tie(left) - tie(right)) *
    sign;
  return rows.toSorted(order);
}

/** The rows of a sorted list that changed at the time or later that the query names as `since`. */
export function changedSince<T extends Timed>(
  rows: readonly T[],
  query: URLSearchParams,
): readonly T[] {
  const since = query.get("since");
  if (since === null) return rows;
  const isByChange = query.get("sort") === "updated" && query.get("direction") === "asc";
  if (isByChange) return rows.slice(firstSince(rows, since));
  return rows.filter(({ updated_at }) => updated_at >= since);
}

/** The place of the first row that changed at this time or later, in a list with the least recently changed first. */
function firstSince(rows: readonly Timed[], since: string): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.updated_at ?? "") < since) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface PageOf<T> {
  readonly rows: readonly T[];
  /** The numbers of the pages to which links lead. */
  readonly links: Readonly<Partial<Record<"first" | "prev" | "next" | "last", number>>>;
}

export function pageOf<T>(rows: readonly T[], query: URLSearchParams): PageOf<T> {
  const size = Math.min(100, Number(query.get("per_page") ?? 30));
  const page = Number(query.get("page") ?? 1);
  const last = Math.max(1, Math.ceil(rows.length / size));
  const links = {
    ...(page < last ? { next: page + 1, last } : {}),
    ...(page > 1 ? { first: 1, prev: page - 1 } : {}),
  };
  return { rows: rows.slice((page - 1) * size, page * size), links };
}
