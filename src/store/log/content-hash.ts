import { sha256Hex } from "../../base/hash.ts";

/**
 * The input of an event's content hash (docs/contract/events.md#14-the-content-hash). It excludes local ids and names.
 */
export interface HashedEvent {
  readonly uid: string;
  readonly origin_instance_uid: string;
  readonly project_uid: string;
  readonly issue_uid?: string | null | undefined;
  readonly related_issue_uid?: string | null | undefined;
  readonly type: string;
  readonly actor: string;
  readonly hlc_physical_ms: number;
  readonly hlc_counter: number;
  readonly created_at: string;
}

/**
 * Returns the SHA-256 (64 lower-case hex digits) of compact JSON with its keys in the order below, `payload` last.
 * `payload` is canonical JSON text.
 */
export function contentHash(event: HashedEvent, payload: string): string {
  // `JSON.stringify` leaves out undefined values, so an absent uid is not hashed.
  const head = JSON.stringify({
    uid: event.uid,
    origin_instance_uid: event.origin_instance_uid,
    project_uid: event.project_uid,
    issue_uid: event.issue_uid ?? undefined,
    related_issue_uid: event.related_issue_uid ?? undefined,
    type: event.type,
    actor: event.actor,
    hlc_physical_ms: event.hlc_physical_ms,
    hlc_counter: event.hlc_counter,
    created_at: event.created_at,
  });
  return sha256Hex(`${head.slice(0, -1)},"payload":${payload}}`);
}
