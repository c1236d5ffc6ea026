import type { Instant } from "../../base/clock.ts";
import { type PlaceOrder, placeText } from "../../contract/list-budget.ts";
import type { ListPlace } from "../../store/types/issues.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { ReadDeps } from "../deps.ts";
import { type IssueList, issueRows, issueSlices, mapped, shortList } from "../issue-rows.ts";
import { DeferredField, StreamedRows } from "../streamed-rows.ts";

type Page<T> = {
  readonly issues: T[] | StreamedRows<T>;
  /** The cursor of the next page. Absent on the last page, and if the request does not ask for pages. */
  readonly next_after?: string | DeferredField<string | undefined>;
  readonly as_of?: { readonly event_id: number; readonly at: Instant };
};

/**
 * Returns a whole list, or the page after `after`. A changed issue moves to the front, so during paging it may appear
 * twice or not at all; the events since the first page's `event_id` name such issues. An event about a whole project
 * names no issue, so after such an event the caller must read the list again from its first page.
 */
export async function listPage<T>(
  deps: Pick<ReadDeps, "smallWorkOnly" | "streams" | "clock">,
  reader: Reader,
  whole: IssueList,
  after: string | undefined,
  out: (issues: readonly StoredIssue[]) => Promise<readonly T[]>,
): Promise<Page<T>> {
  if (after === undefined) return { issues: await issueRows(deps, reader, whole, out) };
  const { filter, order } = whole;
  const { limit = Number.POSITIVE_INFINITY } = filter;
  const place = after === "" ? {} : { after: placeIn(after) };
  // Read one more row than asked for, to find out whether there is a next page.
  const more = Number.isFinite(limit) ? { limit: limit + 1 } : {};
  const list = { ...whole, filter: { ...filter, ...place, ...more } };
  const as_of = { event_id: await reader.events.lastId(), at: deps.clock.now() };
  const shown = new ShownIssues(limit, whole.ready?.order === "take" ? "take" : order);
  if (deps.streams === true) {
    const parts = mapped(issueSlices(reader, list), async (part) => await out(shown.of(part)));
    return {
      issues: new StreamedRows(parts),
      next_after: new DeferredField(() => shown.next),
      as_of,
    };
  }
  const rows = shown.of(await shortList(deps, reader, list));
  const issues = new StreamedRows(mapped(slices(rows), out));
  return shown.next === undefined ? { issues, as_of } : { issues, next_after: shown.next, as_of };
}

/** How many rows are made at once. Often `max_bytes` cuts an answer early, and the rows after the cut are not made. */
const SLICE = 100;

async function* slices<T>(rows: readonly T[]): AsyncGenerator<readonly T[], void, void> {
  for (let at = 0; at < rows.length; at += SLICE) yield rows.slice(at, at + SLICE);
}

class ShownIssues {
  readonly #limit: number;
  readonly #order: PlaceOrder;
  #count = 0;
  #last: StoredIssue | undefined;
  next: string | undefined;

  constructor(limit: number, order: PlaceOrder) {
    this.#limit = limit;
    this.#order = order;
  }

  of(issues: readonly StoredIssue[]): readonly StoredIssue[] {
    const kept = issues.slice(0, this.#limit - this.#count);
    this.#count += kept.length;
    this.#last = kept.at(-1) ?? this.#last;
    if (kept.length < issues.length && this.#last !== undefined)
      this.next = placeText(this.#last, this.#order);
    return kept;
  }
}

function placeIn(text: string): ListPlace {
  const [at = "", id, rank] = text.split("_");
  return { at, id: Number(id), ...(rank === undefined ? {} : { rank: Number(rank) }) };
}
