import type { EventKind } from "../../contract/event-kinds.ts";
import { SENT_KINDS } from "./wire.ts";

/**
 * The kinds of events by which a project differs from its hub's, if the hub has not got them: those that are sent, and
 * those that a copy may not have at all.
 */
export const UNSENT_KINDS: readonly EventKind[] = [
  ...SENT_KINDS,
  "project.merged",
  "project.author_rewritten",
  "issue.moved",
  "recurrence.created",
  "recurrence.updated",
  "recurrence.materialized",
];
