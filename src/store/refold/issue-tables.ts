import type { Table } from "../../domain/tables/table.ts";
import { FOLDED, type FoldedTable, TABLES } from "../../domain/tables/tables.ts";

/**
 * The folded tables with rows of issues, each with the column that has the uid of the row's issue. A link is a row of
 * the issue from which it starts. Keys of requests (`idempotency`) have no such column: a key belongs to the issue of
 * its event.
 */
export const OWNER_COLUMNS: ReadonlyMap<FoldedTable, string> = new Map(
  FOLDED.flatMap((name): readonly (readonly [FoldedTable, string])[] => {
    const owner = ownerColumn(name);
    return owner === undefined ? [] : [[name, owner]];
  }),
);

function ownerColumn(name: FoldedTable): string | undefined {
  if (name === "issue") return "uid";
  const { belongs }: Table = TABLES[name];
  return "issue" in belongs ? belongs.issue[0] : undefined;
}

/**
 * Columns with values that only one row has, by table, where these columns do not name the issue. An event of one issue
 * can take such values from a row of another issue, or find that a row has them wrongly.
 */
export const SHARED_VALUES: ReadonlyMap<FoldedTable, readonly string[]> = new Map([
  ...(["idempotency", "import", "former"] as const).map(
    (table) => [table, TABLES[table].key] as const,
  ),
  ["issue", ["project_uid", "short_id"]],
]);
