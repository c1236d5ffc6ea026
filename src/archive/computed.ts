import { nativeParentOf } from "../domain/cron/native.ts";
import { measuresOf } from "../domain/cron/run.ts";
import type { CronJobRow, CronRunRow } from "../domain/state.ts";
import type { ArchivedTable, TABLES } from "../domain/tables/tables.ts";

/** Maps each table whose records leave out some columns to a function that computes these columns. */
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
};

/**
 * Records of some tables omit columns that follow from the other columns. Computes the omitted columns of a row; an
 * empty object if the table has none.
 */
export function computed(table: ArchivedTable, row: object): object {
  const known: { readonly [T in ArchivedTable]?: (row: never) => object } = COMPUTED;
  return known[table]?.(row as never) ?? {};
}
