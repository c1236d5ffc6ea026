import type { Connection } from "../connection.ts";
import { idsAmong, idsOfFew } from "../repos/issue-lists.ts";
import type { SearchQuery } from "../types/issues.ts";

/** Returns the ids whose issues satisfy the filter of the search, in the given order. */
export type FilterIds = (ids: readonly number[]) => Promise<readonly number[]>;

interface Limit {
  /**
   * The issues that satisfy the filter, newest first, if there are few. The search then looks only at these issues,
   * because it might be that none of the newest issues with a common word satisfies the filter.
   */
  readonly only: readonly number[] | undefined;
  readonly kept: FilterIds;
}

/**
 * Returns how the filter limits the search. Returns undefined if only labels and the project limit the search, since
 * the full-text index contains these.
 */
export async function limitedBy(
  connection: Connection,
  { project_uid, filter, include_deleted }: SearchQuery,
): Promise<Limit | undefined> {
  if (filter === undefined || Object.keys(filter).length === 0) return undefined;
  const own = { ...filter, project_uid };
  // `idsOfFew` uses indexes without deleted issues, so it cannot be used when the search includes them.
  const only = include_deleted ? undefined : await idsOfFew(connection, own);
  const keepOwn: FilterIds = async (ids) => {
    const found = await idsAmong(connection, own, ids, { deletedToo: include_deleted });
    return ids.filter((id) => found.has(id));
  };
  return { only, kept: keepOwn };
}
