import { nativeParentOf } from "../domain/cron/native.ts";
import { measuresOf } from "../domain/cron/run.ts";
import type { CronJobRow, CronRunRow } from "../domain/state.ts";
import type { ArchivedTable, TABLES } from "../domain/tables/tables.ts";

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
  // A run that has a claim does not go on in another database.
  external_root_binding: () => ({ claim_token: null, claim_started_at: null }),
};

/**
 * Computes the columns of a row that an export leaves out because they follow from the other columns. Returns an empty
 * object for a table that has no such columns.
 */
export function computed(table: ArchivedTable, row: object): object {
  const known: { readonly [T in ArchivedTable]?: (row: never) => object } = COMPUTED;
  return known[table]?.(row as never) ?? {};
}
