import { count, instant, object, oneOf, optional, rows, text, truth } from "./checks.ts";

const waited = rows({
  issue: object({ uid: text, qualified_id: text, title: text }),
  waiting: count,
});

export const graph = object({
  data: optional(
    object({
      nodes: rows({
        uid: text,
        project_id: count,
        short_id: text,
        qualified_id: text,
        title: text,
      }),
      edges: rows({
        from_uid: text,
        to_uid: text,
        kind: oneOf("parent", "blocks", "related"),
        layout: truth,
      }),
      unresolved_refs: rows({ uid: text, other_uid: text, kind: text, side: text }),
    }),
  ),
  chain: optional(object({ path: waited, waited_for: waited })),
  error: optional(text),
});

/** The connector whose record owns title and body of an issue. */
export const root = object({ connector_instance: text, enabled: truth });

const value = object({ value: optional(text), timezone: optional(text) });

export const bridge = object({
  connector_instance: text,
  enabled: truth,
  consecutive_failures: count,
  field_conflicts: rows({
    field: text,
    local_candidate: optional(value),
    external_candidate: optional(value),
    conflict_at: optional(instant),
  }),
  last_external_state: optional(text),
  last_success_at: optional(instant),
  next_attempt_at: optional(instant),
  last_error: optional(text),
  paused_reason: optional(text),
  pending_comment_uid: optional(text),
});
