import type { JsonObject } from "../../base/json.ts";
import type { getExternalRootBridge } from "../../contract/bridges.ts";
import type { Output } from "../../contract/route.ts";
import { canonicalValue } from "../../domain/bridges/field-values.ts";
import type { MappedFieldState } from "../../store/types/bridges.ts";
import type { Reader } from "../../store/types/store.ts";
import type { Bound } from "./bound.ts";

export type BridgeOut = Output<typeof getExternalRootBridge>;

/** The bridge as answers show it: without the names of root and account, and without the claim. */
export async function bridgeOut(
  reader: Reader,
  { bridge, issue, project }: Bound,
): Promise<BridgeOut> {
  const states = await reader.bridges.fieldStates(bridge.uid);
  const { id, uid, connector_instance, consecutive_failures } = bridge;
  return {
    ...{ id, uid, project_id: project.id, issue_id: issue.id, connector_instance },
    active: bridge.active === 1,
    enabled: bridge.enabled === 1,
    receive_comments: bridge.receive_comments === 1,
    publish_comments: bridge.publish_comments === 1,
    complete_external: bridge.complete_external === 1,
    consecutive_failures,
    field_conflicts: states.filter(({ conflicted }) => conflicted === 1).map(conflictOut),
    ...present({
      last_attempt_at: bridge.last_attempt_at,
      last_success_at: bridge.last_success_at,
      last_error_at: bridge.last_error_at,
      last_external_updated_at: bridge.last_external_updated_at,
      last_error: bridge.last_error,
      last_external_state: bridge.last_external_state,
      // After a success it is only the place of the bridge among those that the next scan runs.
      next_attempt_at: consecutive_failures === 0 ? null : bridge.next_attempt_at,
      paused_reason: bridge.paused_reason,
      pending_comment_uid: bridge.pending_comment_uid,
    }),
  };
}

function conflictOut({
  svc_field,
  conflict_local,
  conflict_external,
  conflict_at,
}: MappedFieldState): BridgeOut["field_conflicts"][number] {
  return {
    field: svc_field,
    ...present({
      local_candidate: valueOut(conflict_local),
      external_candidate: valueOut(conflict_external),
      conflict_at,
    }),
  };
}

function valueOut(stored: JsonObject | null) {
  const value = stored === null ? undefined : canonicalValue(stored);
  return value === undefined ? null : { ...value };
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], null> };

function present<T extends object>(fields: T): Present<T> {
  const kept = Object.entries(fields).filter(([, value]) => value !== null);
  return Object.fromEntries(kept) as Present<T>;
}
