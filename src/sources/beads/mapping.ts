import type { Mapping, StatusRule, TypeRule } from "../neutral/mapping.ts";

/** The names of edges from a child to its parent. Some programs write the kinds of beads with underscores. */
export const PARENT_KINDS: readonly string[] = ["parent-child", "parent_child"];

export const WAITS_FOR_KINDS: readonly string[] = ["waits-for", "waits_for"];

/** The kind of the edges that the reader adds for a `waits-for` edge: one edge to each open child of its target. */
export const WAITS_FOR_CHILD = "waits-for, a child";

/**
 * Kinds of edges that hold an issue back in beads. Unlike `blocks`, each of them does so under a condition of its own.
 */
const CONDITIONAL_BLOCKING_KINDS = [...WAITS_FOR_KINDS, "conditional-blocks", "conditional_blocks"];

export function isInexact(kind: string): boolean {
  return CONDITIONAL_BLOCKING_KINDS.includes(kind);
}

function notOffered(word: string): StatusRule {
  return {
    status: "open",
    label: `status:${word}`,
    notOffered: true,
    why: "beads does not offer it as work",
  };
}

/** The types that `bd ready` leaves out. Such issues are parts of a workflow or represent programs. */
const TYPES_NOT_OFFERED = [
  "agent",
  "gate",
  "merge-request",
  "message",
  "molecule",
  "rig",
  "role",
] as const;

/**
 * The meaning of the words of beads. An issue that `bd ready` never offers is parked. `bd ready` offers an issue only
 * if its status is `open` (in some versions also `in_progress`), its flags in `FIELD_RULES` are not set, and its type
 * is not in `TYPES_NOT_OFFERED`.
 */
export const MAPPING: Mapping = {
  statuses: {
    open: { status: "open" },
    in_progress: { status: "open", label: "status:in_progress", why: "svc has no such status" },
    closed: { status: "closed" },
    tombstone: { status: "deleted" },
    deferred: {
      status: "open",
      label: "status:deferred",
      someday: true,
      why: "svc has no such status",
    },
    ...Object.fromEntries(["blocked", "hooked", "pinned"].map((word) => [word, notOffered(word)])),
  },
  parksOtherStatuses: true,
  types: Object.fromEntries(
    TYPES_NOT_OFFERED.map((type): [string, TypeRule] => [
      type,
      { label: `type:${type}`, notOffered: true },
    ]),
  ),
  links: {
    ...Object.fromEntries(PARENT_KINDS.map((kind) => [kind, "parent"] as const)),
    blocks: "blocked-by",
    ...Object.fromEntries(
      [...CONDITIONAL_BLOCKING_KINDS, WAITS_FOR_CHILD].map((kind) => [kind, "blocked-by"] as const),
    ),
    related: "related",
  },
};
