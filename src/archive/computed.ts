import type { SystemReason } from "../domain/bridges/pauses.ts";
import { nativeParentOf } from "../domain/cron/native.ts";
import { measuresOf } from "../domain/cron/run.ts";
import type { CronJobRow, CronRunRow } from "../domain/state.ts";
import type { ArchivedTable, Rows, TABLES } from "../domain/tables/tables.ts";

/** The tables whose records in an export leave out some columns. */
type Computed = {
  [T in ArchivedTable]: (typeof TABLES)[T]["record"] extends { readonly without: readonly string[] }
    ? T
    : never;
}[ArchivedTable];

const COMPUTED: { readonly [T in Computed]: (row: never) => object } = {
  cron_jobs: ({ definition }: Pick<CronJobRow, "definition">) => ({
    parent_uid: nativeParentOf(definition),
  }),
  cron_runs: (run: CronRunRow) => measuresOf(run),
  external_root_binding: restoredBridge,
};

/**
 * A restored bridge has no claim and is paused until somebody resumes it, because the daemon that wrote the export may
 * still reconcile it (docs/contract/connectors.md#11-export-and-restore).
 */
function restoredBridge({ enabled, paused_reason }: Rows["external_root_binding"]) {
  const unclaimed = { claim_token: null, claim_started_at: null };
  return { ...unclaimed, enabled: 0, paused_reason: enabled === 1 ? RECONFIRM : paused_reason };
}

const RECONFIRM: SystemReason = "restore_reconfirmation_required";

/**
 * Computes the columns of a row that an export leaves out because they follow from the other columns, and those that a
 * restore sets to another value. Returns an empty object for a table that has no such columns.
 */
export function computed(table: ArchivedTable, row: object): object {
  const known: { readonly [T in ArchivedTable]?: (row: never) => object } = COMPUTED;
  return known[table]?.(row as never) ?? {};
}
