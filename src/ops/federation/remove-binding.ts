import type { Rows } from "../../domain/tables/tables.ts";
import type { Tx } from "../../store/types/store.ts";

/** Removes the binding and the rows that belong to it. The issues and their history stay. */
export async function removeBinding(tx: Tx, project_uid: string): Promise<void> {
  const { unfolded } = tx;
  for (const table of OF_BINDING) await unfolded.remove(table, { project_uid });
  for await (const { id, ...row } of eachRow(tx, "federation_quarantine"))
    if (row.project_uid === project_uid)
      await unfolded.remove("federation_quarantine", { project_uid, id });
  for await (const { request_uid, ...row } of eachRow(tx, "pending_lease"))
    if (row.project_uid === project_uid) await unfolded.remove("pending_lease", { request_uid });
  for await (const { issue_uid, ...row } of eachRow(tx, "mirrored_lease"))
    if (row.project_uid === project_uid) await unfolded.remove("mirrored_lease", { issue_uid });
}

/** The tables that have at most one row for each binding. */
const OF_BINDING = [
  "federation_binding",
  "federation_sync_status",
  "federation_digest",
  "federation_leave",
] as const;

/** How many rows are read at a time. */
const PAGE = 500;

async function* eachRow<T extends "federation_quarantine" | "pending_lease" | "mirrored_lease">(
  { unfolded }: Tx,
  table: T,
): AsyncGenerator<Rows[T]> {
  let after: Rows[T] | undefined;
  for (;;) {
    const page = await unfolded.list(table, PAGE, after);
    yield* page;
    after = page.at(-1);
    if (after === undefined || page.length < PAGE) return;
  }
}
