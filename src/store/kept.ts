import { invariant } from "../base/invariant.ts";
import type { Table } from "../domain/tables/table.ts";
import { type KeptTable, TABLES, type TableName } from "../domain/tables/tables.ts";
import type { Connection } from "./connection.ts";
import { findRow, listRows, putRow, removeRow } from "./table-rows.ts";
import type { Kept, KeptRows } from "./types.ts";

/** The rows that are not folded and that any write may change. Every other table is refused. */
export function keptRows(connection: Connection): KeptRows {
  return {
    find: async (table, key) => await findRow(connection, requireKept(table), key),
    list: async (table, limit, after) =>
      await listRows(connection, requireKept(table), limit, after),
  };
}

/** The same with the two ways to change them. `inTurn` runs one change of a write after another. */
export function kept(
  connection: Connection,
  inTurn: (change: () => Promise<void>) => Promise<void>,
): Kept {
  return {
    ...keptRows(connection),
    put: async (table, row) =>
      await inTurn(async () => await putRow(connection, requireKept(table), row)),
    remove: async (table, key) =>
      await inTurn(async () => await removeRow(connection, requireKept(table), key)),
  };
}

/** The types say so already, and do not hold for a name that comes from elsewhere. */
function requireKept<T extends KeptTable>(name: T): T {
  checkKept(name);
  return name;
}

function checkKept(name: TableName): void {
  const { folded }: Table = TABLES[name];
  invariant(folded !== true, `${name} is folded from the log: append an event`);
  invariant(folded.kept === true, `${name} is written by the store alone`);
}
