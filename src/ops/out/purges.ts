import type { ProjectPurgeLogRow, PurgeLogRow } from "../../store/types/store.ts";

/** The record of a purge as answers show it: without `spent_ids`, the short ids that are never assigned again. */
export function purgeOut<T extends PurgeLogRow | ProjectPurgeLogRow>(row: T) {
  const { reason, events_deleted_min_id: first, events_deleted_max_id: last, ...rest } = row;
  const { spent_ids: _, ...shown } = rest;
  return {
    ...shown,
    ...(first === null || last === null
      ? {}
      : { events_deleted_min_id: first, events_deleted_max_id: last }),
    ...(reason === null ? {} : { reason }),
  };
}

export function reasonOf(text: string | undefined): string | null {
  return text === undefined || text === "" ? null : text;
}
