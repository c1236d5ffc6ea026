import { NeedsWorker } from "../../base/budget.ts";
import type { Deps } from "../deps.ts";
import type { Replica } from "./bound-replica.ts";
import { findUnchangedBinding, noteStatus } from "./replica.ts";
import { isOtherLog } from "./send-again.ts";
import { resetBlocker } from "./unsent.ts";

/** Where the copy begins again, from the metadata of the hub. It is JSON, so that it can be sent to a worker. */
export interface ReplicaReset {
  readonly replica: Replica;
  readonly replay_horizon_event_id: number;
  readonly baseline_through_event_id: number;
  /** The end of the hub's log. */
  readonly last_event_id: number;
  readonly epoch: string;
  /** Whether the copy polls without its stamp from now on, because the hub no longer accepts that stamp. */
  readonly forgets_stamp: boolean;
}

/**
 * `gone`: the project is no longer bound as it was. `pending_push`: the hub must get events of this daemon first.
 * `quarantine`: somebody must first decide about events that the hub refused.
 */
export type ResetOutcome = "reset" | "gone" | "pending_push" | "quarantine";

/** A project with more issues or events is cleared in a worker. */
const SMALL_PROJECT = 100;

/**
 * Clears the copy of a project and puts its cursor at the start of the hub's baseline
 * (docs/contract/federation.md#74-beginning-anew), from where the caller reads it again. Runs of jobs that have not
 * ended do not prevent it.
 */
export async function resetReplica(
  { store, smallWorkOnly }: Pick<Deps, "store" | "smallWorkOnly">,
  reset: ReplicaReset,
): Promise<ResetOutcome> {
  const { replica, replay_horizon_event_id, baseline_through_event_id, epoch } = reset;
  const { project_uid } = replica;
  if (smallWorkOnly === true && (await isLargeProject(store, project_uid))) throw new NeedsWorker();
  const outcome = await store.write(async (tx) => {
    const binding = await findUnchangedBinding(tx, replica);
    if (binding === undefined) return "gone";
    const blocker = await resetBlocker(tx, binding);
    if (blocker !== undefined) return blocker;
    const sentUpTo = binding.push_cursor_event_id;
    const { hub_epoch, pull_cursor_event_id: cursor } = binding;
    const keepsEvents = isOtherLog({ epoch: hub_epoch, cursor }, reset);
    await tx.clearReplica(project_uid, { sentUpTo, keepsEvents });
    await tx.unfolded.put("federation_binding", {
      ...binding,
      replay_horizon_event_id,
      baseline_through_event_id,
      own_through_event_id: reset.last_event_id,
      pull_cursor_event_id: replay_horizon_event_id - 1,
      hub_epoch: epoch,
      hub_chain: null,
      ...(reset.forgets_stamp ? { hub_stamp: null } : {}),
      updated_at: tx.now,
    });
    await noteStatus(tx, project_uid, { last_reset_at: tx.now });
    return "reset";
  });
  return outcome;
}

export async function isLargeProject(
  { read }: Deps["store"],
  project_uid: string,
): Promise<boolean> {
  return await read(
    async ({ projects }) => await projects.holdsMoreThan(project_uid, SMALL_PROJECT),
  );
}
