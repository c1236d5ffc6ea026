import type { Row } from "../../domain/tables/tables.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import type { OpStore } from "../deps.ts";
import { type BindingRow, eachBinding } from "./binding.ts";
import type { Replica } from "./bound-replica.ts";
import { type Comparison, noteComparison } from "./comparison.ts";

type SyncStatus = Row<"federation_sync_status">;

/** The copies that this daemon keeps and reads: enabled, not archived and not leaving. */
export async function readableReplicas(store: Pick<OpStore, "read">): Promise<readonly Replica[]> {
  return await store.read(async (reader) => {
    const found: Replica[] = [];
    for await (const row of eachBinding(reader)) {
      const replica = await replicaOf(reader, row);
      if (replica !== undefined) found.push(replica);
    }
    return found;
  });
}

/** The replica of the project as it is now; undefined if this daemon has none that it may read. */
export async function findReplica(
  reader: Reader,
  project_uid: string,
): Promise<Replica | undefined> {
  const row = await reader.unfolded.find("federation_binding", { project_uid });
  return row === undefined ? undefined : await replicaOf(reader, row);
}

async function replicaOf(reader: Reader, row: BindingRow): Promise<Replica | undefined> {
  const { project_uid } = row;
  const replica = row.enabled === 1 ? replicaFrom(row) : undefined;
  if (replica === undefined) return undefined;
  const project = await reader.projects.find(project_uid);
  if (project === undefined || project.deleted_at !== null) return undefined;
  const leaves = await reader.unfolded.find("federation_leave", { project_uid });
  return leaves === undefined ? replica : undefined;
}

/**
 * What a pass needs to know of the binding of a copy, whether it may be read now or not; undefined for the binding of a
 * hub.
 */
export function replicaFrom(row: BindingRow): Replica | undefined {
  const { project_uid, hub_url, hub_project_id, hub_project_uid } = row;
  if (row.role !== "spoke") return undefined;
  if (hub_url === null || hub_project_id === null || hub_project_uid === null) return undefined;
  return {
    project_uid,
    hub_url,
    hub_project_id,
    hub_project_uid,
    created_at: row.created_at,
    cursor: row.pull_cursor_event_id,
    epoch: row.hub_epoch,
    chain: row.hub_chain,
    stamp: row.hub_stamp,
    allow_insecure: row.allow_insecure === 1,
    pushes: row.push_enabled === 1,
    push_cursor: row.push_cursor_event_id,
    pushes_once_read: row.pushes_once_read === 1,
    adopted_through: row.adopted_through_event_id ?? 0,
  };
}

/**
 * Returns the binding if a page that was read for `read` may still be written: the project is bound to the same hub,
 * and no other pass has moved a cursor. Called in the transaction that writes the page.
 */
export async function findUnchangedBinding(
  reader: Reader,
  read: Replica,
): Promise<BindingRow | undefined> {
  const now = await findReplica(reader, read.project_uid);
  const isSame =
    now !== undefined &&
    now.hub_url === read.hub_url &&
    now.hub_project_id === read.hub_project_id &&
    now.hub_project_uid === read.hub_project_uid &&
    now.created_at === read.created_at &&
    now.cursor === read.cursor &&
    now.pushes === read.pushes &&
    now.push_cursor === read.push_cursor;
  if (!isSame) return undefined;
  return await reader.unfolded.find("federation_binding", { project_uid: read.project_uid });
}

/** Stores how a pass goes. Does nothing if the binding is gone, so that a pass leaves no row after a leave. */
export async function noteStatus(
  tx: Tx,
  project_uid: string,
  changes: Partial<SyncStatus>,
): Promise<void> {
  const binding = await tx.unfolded.find("federation_binding", { project_uid });
  if (binding?.role !== "spoke") return;
  const known = await tx.unfolded.find("federation_sync_status", { project_uid });
  await tx.unfolded.put("federation_sync_status", {
    ...(known ?? { ...NO_STATUS, project_uid }),
    ...changes,
  });
}

const NO_STATUS: Omit<SyncStatus, "project_uid"> = {
  last_pull_started_at: null,
  last_pull_success_at: null,
  last_push_started_at: null,
  last_push_success_at: null,
  last_error_at: null,
  last_error: null,
  last_reset_at: null,
};

/**
 * What a pass begins with: the replica that it reads for, or the error code of a batch that the hub has refused. While
 * nobody has decided about that batch, nothing is sent and nothing is read (docs/contract/federation.md#87-quarantine).
 */
type Begun = { readonly replica: Replica } | { readonly refused: string };

/** Stores that a pass begins. Returns undefined if there is no replica to read for any more. */
export async function beginPass(store: OpStore, project_uid: string): Promise<Begun | undefined> {
  return await store.write(async (tx) => {
    const replica = await findReplica(tx, project_uid);
    if (replica === undefined) return undefined;
    const quarantine = await tx.federation.activeQuarantine(project_uid);
    if (quarantine !== undefined) {
      await noteStatus(tx, project_uid, { last_error: quarantine.error, last_error_at: tx.now });
      return { refused: quarantine.error };
    }
    await noteStatus(tx, project_uid, { last_pull_started_at: tx.now });
    return { replica };
  });
}

/**
 * Stores that everything was read, and removes the last error. `sentUpTo`: the hub has every event of this daemon's log
 * up to this id, except events that are never sent. `compared`: what to store about the comparison with the hub, if
 * copy and hub can be compared.
 */
export async function endPull(
  store: OpStore,
  replica: Replica,
  { sentUpTo, compared }: { readonly sentUpTo: number; readonly compared: Comparison | undefined },
): Promise<void> {
  const { project_uid, created_at } = replica;
  await store.write(async (tx) => {
    const binding = await tx.unfolded.find("federation_binding", { project_uid });
    if (binding?.role !== "spoke" || binding.created_at !== created_at) return;
    const push_cursor_event_id = Math.max(binding.push_cursor_event_id, sentUpTo);
    await tx.unfolded.put("federation_binding", {
      ...binding,
      push_cursor_event_id,
      last_sync_at: tx.now,
    });
    if (compared !== undefined) await noteComparison(tx, binding, compared);
    const ended = { last_pull_success_at: tx.now, last_error: null, last_error_at: null };
    await noteStatus(tx, project_uid, ended);
  });
}

/** Stores the code of what went wrong. Nothing else of the replica changes. */
export async function noteFailedPull(
  store: OpStore,
  project_uid: string,
  code: string,
): Promise<void> {
  await store.write(async (tx) => {
    await noteStatus(tx, project_uid, { last_error: code, last_error_at: tx.now });
  });
}

/** Disables the binding, so that nothing more is read. `code` says why, and `svc doctor` shows what to do. */
export async function disableReplica(
  store: OpStore,
  replica: Replica,
  code: string,
): Promise<void> {
  await store.write(async (tx) => {
    const binding = await findUnchangedBinding(tx, replica);
    if (binding === undefined) return;
    await tx.unfolded.put("federation_binding", {
      ...binding,
      enabled: 0,
      disabled_reason: code,
      updated_at: tx.now,
    });
    await noteStatus(tx, replica.project_uid, { last_error: code, last_error_at: tx.now });
  });
}
