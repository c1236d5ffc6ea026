import type { Table } from "../../domain/tables/table.ts";
import { FOLDED, type FoldedTable, TABLES } from "../../domain/tables/tables.ts";

/**
 * The folded tables that contain rows of issues, each with the column that has the uid of the row's issue. A link
 * belongs to the issue from which it starts. `idempotency` has no such column: a key belongs to the issue of its event.
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
 * Columns of some tables whose values together may occur in only one row, and that do not name the issue. An event of
 * one issue can take such values from a row of another issue. A damaged row can also hold values that belong to the row
 * of another issue.
 */
export const SHARED_VALUES: ReadonlyMap<FoldedTable, readonly string[]> = new Map([
  ...(["idempotency", "import", "former"] as const).map(
    (table) => [table, TABLES[table].key] as const,
  ),
  ["issue", ["project_uid", "short_id"]],
]);
