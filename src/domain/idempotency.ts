import type { StoredEvent } from "../contract/events.ts";
import type { IdempotencyRow } from "./state.ts";

const OPERATIONS: Readonly<Partial<Record<StoredEvent["type"], IdempotencyRow["operation"]>>> = {
  "issue.created": "create",
  "issue.commented": "comment",
  "issue.closed": "close",
  "issue.assigned": "take",
  "claim.acquired": "take",
  "token.created": "create",
};

/**
 * Keys of comments and takes (`svc next --claim`) are stored under their issue, so that a purge of the issue removes
 * them. The key of a take is unique in the whole daemon and looked up without an issue, because a repeated request does
 * not know which issue was taken.
 */
const SCOPED_TO_ISSUE: ReadonlySet<IdempotencyRow["operation"]> = new Set(["comment", "take"]);

/**
 * Returns the idempotency row of the request that wrote the event. Payloads contain the keys
 * (docs/contract/http-api.md#17-idempotency-keys), so exports need no records of keys, and a restored log still
 * recognizes a repeated request.
 */
export function idempotencyOf(
  event: Omit<StoredEvent, "id" | "chain" | "feed_uid">,
): IdempotencyRow | undefined {
  const operation = OPERATIONS[event.type];
  const { idempotency_key: key, idempotency_fingerprint: fingerprint } = event.payload as Readonly<
    Record<string, unknown>
  >;
  if (operation === undefined) return undefined;
  const scope = SCOPED_TO_ISSUE.has(operation) ? event.issue_uid : event.project_uid;
  if (scope === undefined) return undefined;
  if (typeof key !== "string" || typeof fingerprint !== "string") return undefined;
  return {
    scope_uid: scope,
    operation,
    key,
    origin_instance_uid: event.origin_instance_uid,
    fingerprint,
    event_uid: event.uid,
    created_at: event.created_at,
  };
}
