import { invariant } from "../base/invariant.ts";
import type { Table } from "../domain/tables/table.ts";
import { TABLES, type TableName, type UnfoldedTable } from "../domain/tables/tables.ts";
import type { Connection } from "./connection.ts";
import { findRow, listRows, putRow, removeRow } from "./table-rows.ts";
import type { UnfoldedRows, UnfoldedWrites } from "./types.ts";

/** The rows that are not folded and that any write may change. Every other table is refused. */
export function unfoldedRows(connection: Connection): UnfoldedRows {
  return {
    find: async (table, key) => await findRow(connection, requireWritable(table), key),
    list: async (table, limit, after) =>
      await listRows(connection, requireWritable(table), limit, after),
  };
}

/** The same with the two ways to change them. `inTurn` runs one change of a write after another. */
export function unfoldedWrites(
  connection: Connection,
  inTurn: (change: () => Promise<void>) => Promise<void>,
): UnfoldedWrites {
  return {
    ...unfoldedRows(connection),
    put: async (table, row) =>
      await inTurn(async () => await putRow(connection, requireWritable(table), row)),
    remove: async (table, key) =>
      await inTurn(async () => await removeRow(connection, requireWritable(table), key)),
  };
}

/** The types say so already, and do not hold for a name that comes from elsewhere. */
function requireWritable<T extends UnfoldedTable>(name: T): T {
  checkWritable(name);
  return name;
}

function checkWritable(name: TableName): void {
  const { folded }: Table = TABLES[name];
  invariant(folded !== true, `${name} is folded from the log: append an event`);
  invariant(folded.writable === true, `${name} is written by the store alone`);
}
