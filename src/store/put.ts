import {
  eachTable,
  type Inserts,
  type Key,
  type Rows,
  TABLES,
  type TableName,
} from "../domain/tables/tables.ts";
import type { Connection } from "./connection.ts";
import { type Insertion, insertion } from "./insertion.ts";
import { type Removal, removal } from "./removal.ts";
import { unparsed } from "./rows.ts";

type Writes = {
  readonly [T in TableName]: {
    readonly put: Insertion<Inserts[T]>;
    readonly remove: Removal<Key<T>>;
  };
};

const WRITES = Object.fromEntries(
  eachTable().map(([table]) => {
    const put = insertion(table, { rank: 3, conflict: "replace" });
    return [table, { put, remove: removal(table, put) }];
  }),
) as unknown as Writes;

/**
 * Writes a row, in the place of one with the same key. Rows with local ids are written at once, so that their ids have no
 * gaps; comments come in great numbers, and wait like rows without ids.
 */
export async function putRow<T extends TableName>(
  connection: Connection,
  table: T,
  row: Rows[T],
): Promise<void> {
  const { put } = WRITES[table];
  const values = unparsed(table, row) as unknown as Inserts[T];
  if (TABLES[table].numbered && table !== "comment") await put.write(connection, [values]);
  else await put.run(connection, values);
}

/** Deletes the row with the key, if there is one. */
export async function removeRow<T extends TableName>(
  connection: Connection,
  table: T,
  key: Key<T>,
): Promise<void> {
  await WRITES[table].remove.run(connection, key);
}
