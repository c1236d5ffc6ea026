import { invariant } from "../../base/invariant.ts";
import type { Table } from "../../domain/tables/table.ts";
import { TABLES, type TableName, type UnfoldedTable } from "../../domain/tables/tables.ts";
import type { Connection } from "../connection.ts";
import type { UnfoldedRows, UnfoldedWrites } from "../types/store.ts";
import { findRow, listRows, putRow, putRows, removeRow } from "./table-rows.ts";

/** Reads rows that are not folded from the log. Refuses every table whose description does not say `writable`. */
export function unfoldedRows(connection: Connection): UnfoldedRows {
  return {
    find: async (table, key) => await findRow(connection, requireWritable(table), key),
    list: async (table, limit, after) =>
      await listRows(connection, requireWritable(table), limit, after),
  };
}

/**
 * Reads and writes rows that are not folded from the log. `serialize` runs the changes of one write one after another.
 */
export function unfoldedWrites(
  connection: Connection,
  serialize: (table: UnfoldedTable, change: () => Promise<void>) => Promise<void>,
): UnfoldedWrites {
  return {
    ...unfoldedRows(connection),
    put: async (table, row) =>
      await serialize(table, async () => await putRow(connection, requireWritable(table), row)),
    putAll: async (table, rows) =>
      await serialize(table, async () => await putRows(connection, requireWritable(table), rows)),
    remove: async (table, key) =>
      await serialize(table, async () => await removeRow(connection, requireWritable(table), key)),
  };
}

/** Checks at run time too, since a table name may come from outside the type system. */
function requireWritable<T extends UnfoldedTable>(name: T): T {
  checkWritable(name);
  return name;
}

function checkWritable(name: TableName): void {
  const { folded }: Table = TABLES[name];
  invariant(folded !== true, `${name} is folded from the log: append an event`);
  invariant(folded.writable === true, `${name} is written by the store alone`);
}
