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
  /** How many of these issues were taken back. */
  readonly undone: number;
}

/** The imports that the log knows, by their batches. */
export interface Imports {
  /** The batches of all projects with a smaller uid, the greatest first. */
  batchesBefore(batchUid: string, limit: number): Promise<readonly string[]>;
  /** The source and the project of an import. */
  placeOf(batchUid: string): Promise<Pick<ImportRow, "project_uid" | "source"> | undefined>;
  summary(batchUid: string): Promise<ImportSummary | undefined>;
  /** The issues that the import wrote about, by uid, after this one. */
  issues(batchUid: string, after: string, limit: number): Promise<readonly string[]>;
  /** What the import wrote about the issues from one uid to another (both included), by event id. */
  events(batchUid: string, from: string, to: string): Promise<readonly StoredEvent[]>;
}
