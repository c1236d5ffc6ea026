import type { EventKind } from "../../contract/event-kinds.ts";
import { SENT_KINDS } from "./wire.ts";

/** Kinds of events that no copy may have and that cannot be sent to a hub. */
export const UNSENDABLE_KINDS: readonly EventKind[] = [
  "project.merged",
  "project.author_rewritten",
  "issue.moved",
  "recurrence.created",
  "recurrence.updated",
  "recurrence.materialized",
];

/**
 * The kinds of events that can make a project differ from its hub's project: the kinds that are sent, while the hub
 * does not have the event yet, and the kinds that a copy may not have at all.
 */
export const UNSENT_KINDS: readonly EventKind[] = [...SENT_KINDS, ...UNSENDABLE_KINDS];

/**
 * When a project joins its hub again, events of these kinds are written to its log again: the kinds that are sent, and
 * kinds that stay here but are about the same issues. The latter must come after the event that creates their issue.
 */
export const KINDS_WRITTEN_AGAIN: readonly EventKind[] = [
  ...SENT_KINDS,
  "issue.imported",
  "claim.acquired",
  "claim.renewed",
  "claim.released",
  "claim.expired",
  "claim.force_released",
  "claim.violated",
  "close.throttled",
];
