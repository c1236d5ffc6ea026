import type { OpStore } from "../deps.ts";
import { NO_LOG } from "./bind-replica.ts";
import type { Replica } from "./bound-replica.ts";
import { findUnchangedBinding } from "./replica.ts";

/**
 * The epoch that is stored for the hub's log while a copy sends all its events again, because the hub's log was
 * replaced. No log has this epoch, so the hub answers the copy's next poll with a reset.
 */
const REPLACED_LOG_EPOCH = "1".repeat(26);

/** How far a copy has read a log of its hub. */
interface ReadLog {
  readonly epoch: string | null;
  readonly cursor: number;
}

/** The log of the hub, from its metadata. */
interface HubLog {
  readonly epoch: string;
  readonly last_event_id: number;
}

/**
 * Whether the hub's log is another log than the copy has read: the hub was restored, or its database replaced. The hub
 * may lack events that it had before. False if the copy is being resynced, or has read nothing yet.
 */
export function isOtherLog({ epoch, cursor }: ReadLog, hub: HubLog): boolean {
  if (epoch === null || epoch === NO_LOG) return false;
  return epoch !== hub.epoch || hub.last_event_id < cursor;
}

/** Whether the copy must send its events again before it is cleared, since the hub may have lost them. */
export function mustSendAgain(
  { pushes, ...read }: ReadLog & Pick<Replica, "pushes">,
  hub: HubLog,
): boolean {
  return pushes && read.epoch !== REPLACED_LOG_EPOCH && isOtherLog(read, hub);
}

/**
 * Lets all events of a copy that were written here be sent again. The hub recognizes those that it has by their uids.
 */
export async function markOwnEventsUnsent(
  store: Pick<OpStore, "write">,
  replica: Replica,
): Promise<"begun" | "gone"> {
  return await store.write(async (tx) => {
    const binding = await findUnchangedBinding(tx, replica);
    if (binding === undefined) return "gone";
    await tx.sendAgain(binding.project_uid);
    await tx.unfolded.put("federation_binding", {
      ...binding,
      push_cursor_event_id: 0,
      hub_epoch: REPLACED_LOG_EPOCH,
      hub_chain: null,
      updated_at: tx.now,
    });
    return "begun";
  });
}
