import type { Instant } from "../../base/clock.ts";
import { SvcError } from "../../contract/errors.ts";
import type { IssueFilter, ListOrder, ListPlace, Reader, StoredIssue } from "../../store/types.ts";

export interface ListPage {
  readonly issues: readonly StoredIssue[];
  /** What is put beside the issues: nothing where no page was asked for. */
  readonly about: {
    readonly next_after?: string;
    readonly as_of?: { readonly event_id: number; readonly at: Instant };
  };
}

/**
 * A list, or the page of it behind `after`. An issue that changes while its list is read page by page moves to the front,
 * so it may be on two pages or on none: who asks with the first page's `event_id` for what happened since, has them all.
 * What is told of a whole project (a merge, an archiving) names no issue: after that the list begins anew.
 */
export async function listPage(
  reader: Reader,
  filter: IssueFilter,
  order: ListOrder,
  { after, now }: { readonly after: string | undefined; readonly now: Instant },
): Promise<ListPage> {
  if (after === undefined) return { issues: await reader.issues.list(filter, order), about: {} };
  const { limit } = filter;
  const place = after === "" ? {} : { after: placeOf(after) };
  // One more than asked for says whether there is a next page.
  const more = limit === undefined ? {} : { limit: limit + 1 };
  const found = await reader.issues.list({ ...filter, ...place, ...more }, order);
  const issues = found.slice(0, limit);
  const last = found.length > issues.length ? issues.at(-1) : undefined;
  const as_of = { event_id: await reader.events.lastId(), at: now };
  return {
    issues,
    about: last === undefined ? { as_of } : { next_after: textOf(last, order), as_of },
  };
}

interface Asked {
  readonly at?: string | undefined;
  readonly after?: string | undefined;
}

/** The past is folded whole, and is not read in pages. */
export function refusePageOfPast({ at, after }: Asked): void {
  if (at === undefined || after === undefined) return;
  throw new SvcError("validation", {}, { message: "at and after exclude each other" });
}

function placeOf(text: string): ListPlace {
  const [at = "", id] = text.split("_");
  return { at, id: Number(id) };
}

function textOf({ updated_at, created_at, id }: StoredIssue, order: ListOrder): string {
  return `${order === "recent" ? updated_at : created_at}_${id}`;
}
