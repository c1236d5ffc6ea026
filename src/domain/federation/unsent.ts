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
 * The kinds of events that can make a project differ from its hub's: those that are sent but that the hub does not have
 * yet, and those that a copy may not have at all.
 */
export const UNSENT_KINDS: readonly EventKind[] = [...SENT_KINDS, ...UNSENDABLE_KINDS];

/**
 * The kinds that a project writes anew when it joins its hub again: those that are sent, and those that stay here but are
 * about the same issues, which must not come before the creation of their issue.
 */
export const KINDS_WRITTEN_ANEW: readonly EventKind[] = [
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
