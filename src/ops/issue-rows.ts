import { NeedsWorker } from "../base/budget.ts";
import type { Instant } from "../base/clock.ts";
import { PRIORITIES_BY_RANK } from "../contract/take-order.ts";
import type { ListOrder, ListPlace, PageFilter } from "../store/types/issues.ts";
import type { StoredIssue } from "../store/types/rows.ts";
import type { Reader } from "../store/types/store.ts";
import type { ReadDeps } from "./deps.ts";
import { StreamedRows } from "./streamed-rows.ts";

/**
 * The daemon's own thread reads a list only if its limit is at most this number, or if it has fewer issues than this. A
 * worker reads any other list. The number is one page of the terminal screen, and one issue more.
 */
const SMALL_WORK = 501;
/** Issues per slice of a longer list. Long texts make the slice smaller (`SLICE_BYTES`). */
const SLICE = 200;
const SLICE_BYTES = 256 * 1024;

export interface IssueList {
  readonly filter: PageFilter;
  readonly order: ListOrder;
  readonly ready?: ReadyList & { readonly now: Instant };
}

export interface ReadyList {
  readonly containers: boolean;
  /** `take` sorts by the rank of the priority (`takeRank`), and within a rank by the last change, newest first. */
  readonly order?: "recent" | "take" | undefined;
}

export async function issueRows<T>(
  deps: Pick<ReadDeps, "smallWorkOnly" | "streams">,
  reader: Reader,
  list: IssueList,
  out: (issues: readonly StoredIssue[]) => Promise<readonly T[]>,
): Promise<T[] | StreamedRows<T>> {
  if (deps.streams === true) return new StreamedRows(mapped(issueSlices(reader, list), out));
  return [...(await out(await shortList(deps, reader, list)))];
}

export async function* mapped<I, O>(
  parts: AsyncIterable<I>,
  map: (part: I) => Promise<O>,
): AsyncGenerator<O, void, void> {
  for await (const part of parts) yield await map(part);
}

/** Reads a list at once. On the daemon's own thread, throws `NeedsWorker` if the list is long. */
export async function shortList(
  { smallWorkOnly }: Pick<ReadDeps, "smallWorkOnly">,
  reader: Reader,
  list: IssueList,
): Promise<readonly StoredIssue[]> {
  const { limit = Number.POSITIVE_INFINITY } = list.filter;
  if (smallWorkOnly !== true || limit <= SMALL_WORK) return await findRows(reader, list);
  const issues = await findRows(reader, withLimit(list, SMALL_WORK));
  if (issues.length === SMALL_WORK) throw new NeedsWorker();
  return issues;
}

/**
 * Reads a list in slices. All slices come from one snapshot, and each begins after the last row of the slice before it.
 */
export async function* issueSlices(
  reader: Reader,
  list: IssueList,
): AsyncGenerator<readonly StoredIssue[], void, void> {
  let count = 0;
  for (const part of rankParts(list)) {
    for await (const issues of slicesOf(reader, withoutFirst(part, count))) {
      yield issues;
      count += issues.length;
    }
  }
}

async function* slicesOf(
  reader: Reader,
  list: IssueList,
): AsyncGenerator<readonly StoredIssue[], void, void> {
  let left = list.filter.limit ?? Number.POSITIVE_INFINITY;
  let after = list.filter.after;
  while (left > 0) {
    const maxRows = Math.min(left, SLICE);
    const behind = {
      ...list,
      filter: { ...list.filter, ...(after === undefined ? {} : { after }) },
    };
    const sizes = await sizesOf(reader, withLimit(behind, maxRows));
    const count = fittingCount(sizes);
    if (count === 0) return;
    const issues = await findRows(reader, withLimit(behind, count));
    yield issues;
    left -= count;
    const last = issues.at(-1);
    if (last === undefined || (count === sizes.length && sizes.length < maxRows)) return;
    after = placeOf(last, list.order);
  }
}

/** How many rows fit into a slice by the size of their texts; at least one. */
function fittingCount(sizes: readonly number[]): number {
  let bytes = 0;
  const end = sizes.findIndex((size, at) => (bytes += size) > SLICE_BYTES && at > 0);
  return end === -1 ? sizes.length : end;
}

function placeOf({ updated_at, created_at, id }: StoredIssue, order: ListOrder): ListPlace {
  return { at: order === "recent" ? updated_at : created_at, id };
}

function withLimit(list: IssueList, limit: number): IssueList {
  return { ...list, filter: { ...list.filter, limit } };
}

/** Splits a list in take order into one list per priority, each newest first; together they are the whole list. */
function rankParts(list: IssueList): readonly IssueList[] {
  const { filter, ready } = list;
  if (ready?.order !== "take") return [list];
  const { order: _, ...recent } = ready;
  const { after, ...rest } = filter;
  const first = after?.rank ?? 0;
  return PRIORITIES_BY_RANK.slice(first).map((priority, at) => ({
    ...list,
    filter: { ...rest, priority, ...(at === 0 && after !== undefined ? { after } : {}) },
    ready: recent,
  }));
}

function withoutFirst(list: IssueList, count: number): IssueList {
  const { limit } = list.filter;
  return limit === undefined ? list : withLimit(list, limit - count);
}

async function findRows(reader: Reader, list: IssueList): Promise<readonly StoredIssue[]> {
  const best = bestOnly(list);
  if (best !== undefined) {
    const issue = await reader.issues.takeable(best.filter, best.now);
    return issue === undefined ? [] : [issue];
  }
  let issues: readonly StoredIssue[] = [];
  for (const part of rankParts(list)) {
    const { filter, order, ready } = withoutFirst(part, issues.length);
    if (filter.limit === 0) break;
    const some =
      ready === undefined
        ? await reader.issues.list(filter, order)
        : await reader.issues.ready(filter, ready.now, ready.containers);
    issues = [...issues, ...some];
  }
  return issues;
}

/**
 * Returns a filter for `issues.takeable`, which finds the first issue in take order by an index. Returns `undefined` if
 * the list is for more than one issue or has conditions that `issues.takeable` does not support.
 */
function bestOnly({ filter, ready }: IssueList) {
  const { takeable, limit, owner, unowned, after, author, changed_since } = filter;
  if (takeable === undefined || ready?.order !== "take" || limit !== 1) return undefined;
  if ([owner, after, author, changed_since].some((condition) => condition !== undefined))
    return undefined;
  const { by, now } = takeable;
  const own = unowned === true ? {} : { owner: by };
  return { filter: { ...filter, ...own, containers: ready.containers }, now };
}

async function sizesOf(reader: Reader, { filter, order, ready }: IssueList) {
  return ready === undefined
    ? await reader.issues.sizes(filter, order)
    : await reader.issues.readySizes(filter, ready.now, ready.containers);
}
