import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { EventKind } from "../../contract/event-kinds.ts";
import type { EventDraft } from "../../contract/events.ts";
import { nativeParentOf } from "../cron/native.ts";
import { isSystemKey } from "../reserved-keys.ts";
import type { Row } from "../tables/tables.ts";

/**
 * The `disabled_reason` of a binding while the spoke prepares to hand its project over. Until the project has been
 * handed over, nothing can be written to it.
 */
export const ADOPTION_UNFINISHED = "adoption_unfinished";

export type BindingState = Pick<
  Row<"federation_binding">,
  "role" | "enabled" | "disabled_reason" | "push_enabled" | "bound_actor"
>;

export type GateRefusal =
  | "federated_read_only"
  | "federated_admin_required"
  | "federated_move_unsupported";

/**
 * What an event of each kind means for the copy of a project.
 * - `local`: it concerns this daemon alone, so it is always possible.
 * - `content`: the hub must get it, so the copy must send its changes. Leases (`claim.*`) are not sent; the operations
 *   that give or renew a lease ask the hub first (`ops/leases/`).
 * - `hub`: only the hub may do it.
 * - `never`: neither hub nor copy may do it.
 * - `move`: as `never`, with an error code of its own.
 */
const MEANING: Readonly<Record<EventKind, "local" | "content" | "hub" | "never" | "move">> = {
  "project.created": "local",
  "project.renamed": "hub",
  "project.alias_added": "local",
  "project.alias_removed": "local",
  "project.removed": "local",
  "project.restored": "local",
  "project.metadata_updated": "content",
  "project.merged": "never",
  "project.author_rewritten": "never",
  "project.federation_enabled": "hub",
  "issue.created": "content",
  "issue.snapshot": "hub",
  "issue.updated": "content",
  "issue.assigned": "content",
  "issue.unassigned": "content",
  "issue.priority_set": "content",
  "issue.priority_cleared": "content",
  "issue.labeled": "content",
  "issue.unlabeled": "content",
  "issue.linked": "content",
  "issue.unlinked": "content",
  "issue.links_changed": "content",
  "issue.commented": "content",
  "issue.comment_edited": "content",
  "issue.closed": "content",
  "issue.reopened": "content",
  "issue.soft_deleted": "content",
  "issue.restored": "content",
  "issue.metadata_updated": "content",
  "issue.imported": "content",
  "issue.external_root_bound": "content",
  "issue.external_root_paused": "content",
  "issue.external_root_resumed": "content",
  "issue.external_root_unbound": "content",
  "issue.external_comment_resolved": "content",
  "issue.external_field_conflicted": "content",
  "issue.external_field_resolved": "content",
  "issue.moved": "move",
  "claim.acquired": "content",
  "claim.renewed": "content",
  "claim.released": "content",
  "claim.expired": "content",
  "claim.force_released": "content",
  "claim.violated": "content",
  "recurrence.created": "hub",
  "recurrence.updated": "hub",
  "recurrence.deleted": "hub",
  "recurrence.materialized": "hub",
  "recurrence.materialization_skipped": "hub",
  "close.throttled": "content",
  "cron.job.created": "content",
  "cron.job.updated": "content",
  "cron.job.deleted": "content",
  "cron.job.restored": "content",
  "cron.job.snapshot": "hub",
  "cron.workflow.created": "content",
  "cron.workflow.updated": "content",
  "cron.workflow.deleted": "content",
  "cron.workflow.restored": "content",
  "cron.workflow.snapshot": "hub",
  "cron.run.observed": "content",
  "cron.run.snapshot": "hub",
  "token.created": "local",
  "token.revoked": "local",
};

/**
 * The kinds that concern this daemon alone. All of them use the clock of the database and not the clock of a project,
 * because what they change, such as an alias, can move from one project to another.
 */
export const LOCAL_KINDS = (Object.keys(MEANING) as readonly EventKind[]).filter(isLocal);

export function isLocal(kind: EventKind): boolean {
  return MEANING[kind] === "local";
}

/**
 * Returns why an event that was made here may not be added to a federated project, or `undefined` if it may. Nothing is
 * refused here for a project whose hub is this daemon. Merges, moves and purges of such a project are refused by the
 * table of bindings (`domain/tables/federation.ts`), and a change of author names is refused by its operation.
 */
export function refusalOf(
  { type, payload }: Pick<EventDraft, "type" | "payload">,
  binding: BindingState,
): GateRefusal | undefined {
  if (binding.role === "hub") return undefined;
  // The snapshots with which the project is handed over would not contain what is written now.
  if (binding.disabled_reason === ADOPTION_UNFINISHED) return "federated_read_only";
  const meaning = MEANING[type];
  if (meaning === "local") return undefined;
  if (meaning === "move") return "federated_move_unsupported";
  if (meaning === "never") return "federated_read_only";
  const isOfHub = meaning === "hub" || isNative(payload) || isDelivery(type, payload);
  if (isOfHub) return "federated_admin_required";
  return isReadOnly(binding) ? "federated_read_only" : undefined;
}

/** Whether a copy does not send its changes to the hub, or its binding is disabled. */
export function isReadOnly({
  enabled,
  push_enabled,
}: Pick<BindingState, "enabled" | "push_enabled">): boolean {
  return enabled === 0 || push_enabled === 0;
}

/**
 * True if the event is part of the delivery of a recurring job: it changes the progress of the job, or the occurrence
 * that an issue is of. Only the hub delivers.
 */
export function isDelivery(type: EventKind, payload: EventDraft["payload"]): boolean {
  if (!type.startsWith("issue.")) return false;
  const fields = payload as unknown as JsonObject;
  const metadata = fields[type === "issue.metadata_updated" ? "diff" : "metadata"];
  return isPlainObject(metadata) && Object.keys(metadata).some(isSystemKey);
}

/** True if the event defines a job whose issues svc creates itself. Only the hub runs these jobs. */
function isNative(payload: EventDraft["payload"]): boolean {
  const { definition } = payload as { readonly definition?: JsonValue };
  return isPlainObject(definition) && nativeParentOf(definition) !== null;
}
