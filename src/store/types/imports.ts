import type { StoredEvent } from "../../contract/events.ts";
import type { ImportRow } from "../../domain/state.ts";

/** What an import did. Each issue is counted once. */
export interface ImportSummary {
  readonly first_event_id: number;
  readonly last_event_id: number;
  /** All issues about which the import wrote an event, even if the import did not change the issue. */
  readonly issues: number;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  /** The number of these issues for which the import was undone. */
  readonly undone: number;
}

/** Reads the imports in the log. The events of an import contain its uid (`batchUid`). */
export interface Imports {
  /** The uids of imports into any project that are less than `batchUid`, greatest first. */
  batchesBefore(batchUid: string, limit: number): Promise<readonly string[]>;
  placeOf(batchUid: string): Promise<Pick<ImportRow, "project_uid" | "source"> | undefined>;
  summary(batchUid: string): Promise<ImportSummary | undefined>;
  /** The uids of issues about which the import wrote events, sorted, beginning after the uid `after`. */
  issues(batchUid: string, after: string, limit: number): Promise<readonly string[]>;
  /** The import's events about the issues with uids from `from` to `to` (both included), sorted by event id. */
  events(batchUid: string, from: string, to: string): Promise<readonly StoredEvent[]>;
}
