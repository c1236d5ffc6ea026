import { sql } from "kysely";
import { SNAPSHOT_KINDS } from "../../contract/event-kinds.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { SYSTEM_PROJECT_UID } from "../../domain/tokens.ts";
import type { Dialect, Value } from "../connection.ts";
import { eventOf, issueOf, type SelectedIssue } from "../rows/rows.ts";
import {
  type Build,
  optionalStatement,
  type Statement,
  statement,
  unindexed,
} from "../rows/statement.ts";
import type { Selected } from "../schema.ts";
import type { StoredIssue } from "../types/rows.ts";

/** A statement that selects whole events. `optional` names the values that a run may leave out. */
export function eventStatement<P extends { readonly [K in keyof P]: Value | undefined }>(
  build: Build<P, Selected<"event">>,
  optional: readonly (keyof P & string)[] = [],
): Statement<P, StoredEvent> {
  return optionalStatement(optional, build).map(eventOf);
}

export function issueStatement<P extends { readonly [K in keyof P]: Value }>(
  build: Build<P, SelectedIssue>,
): Statement<P, StoredIssue> {
  return statement(build).map(issueOf);
}

/**
 * SQL: the event does not belong to the hidden system project. Every query of events that is not limited to a project
 * or an issue needs this condition, or `ACTIVITY`.
 */
export const VISIBLE = sql<boolean>`feed_uid <> ${sql.lit(SYSTEM_PROJECT_UID)}`;

/** SQL: the event is no snapshot (`contract/event-kinds.ts`). */
export const NO_SNAPSHOT = sql<boolean>`type not in (${sql.join(SNAPSHOT_KINDS.map((kind) => sql.lit(kind)))})`;

/** SQL: readers of activity get the event. Queries of events that are not limited to a project or an issue use this. */
export const ACTIVITY = sql<boolean>`(${VISIBLE} and ${NO_SNAPSHOT})`;

/**
 * SQL: the event was not skipped. A skipped event never reaches the hub and changes nothing, so it closes, assigns and
 * asks nothing either (docs/contract/federation.md#87-quarantine).
 */
export const NOT_SKIPPED = sql<boolean>`skipped_at is null`;

/**
 * SQL: the event is in the feed of the project. `unindexed` keeps SQLite from using the index by feed, because it would
 * then sort all events of the project instead of reading a range of the log.
 */
export function inFeed(dialect: Dialect, projectUid: string) {
  return sql<boolean>`${unindexed(dialect, "feed_uid")} = ${projectUid}`;
}
