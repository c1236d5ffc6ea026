import { type Connection, together } from "./connection.ts";
import type { Insertion } from "./insertion.ts";
import { deleteMany } from "./many-rows.ts";
import type { Tables } from "./schema.ts";
import type { Statement } from "./statement.ts";
import { type Deferrable, WriteBehind } from "./write-behind.ts";

export interface Removal<K> extends Deferrable<K> {
  /** At once, or held back where the connection does that. */
  run(connection: Connection, key: K): Promise<void>;
}

/**
 * A delete by the key of a table, of one row or of many. While it waits, rows that were put before it and have the same
 * key are dropped, and those that are put after it are written after it.
 */
export function removal<K extends object, P extends K>(
  table: keyof Tables,
  key: readonly (keyof K & string)[],
  { put, one }: { readonly put: Insertion<P>; readonly one: Statement<K, unknown> },
): Removal<K> {
  const nameOf = (row: K): string => key.map((column) => String(row[column])).join("\u0001");
  const write = async (connection: Connection, rows: readonly K[]): Promise<void> => {
    if (connection.dialect === "postgres" && rows.length > 1)
      return await deleteMany(connection, table, key, rows);
    await together(
      connection,
      rows.map((row) => async () => await one.run(connection, row)),
    );
  };
  const self: Removal<K> = {
    rank: put.rank - 1,
    sendsAtOnce: () => true,
    keyOf: nameOf,
    joined: (_earlier, later) => later,
    write,
    run: async (connection, row) => {
      if (!(connection instanceof WriteBehind)) return await write(connection, [row]);
      connection.drop(put, nameOf(row));
      await connection.hold(self, row);
    },
  };
  return self;
}
