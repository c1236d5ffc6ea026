import { sql } from "kysely";
import type { Table } from "../../domain/tables/table.ts";
import { type Inserts, type Key, TABLES, type TableName } from "../../domain/tables/tables.ts";
import { type Connection, together, type Value } from "../connection.ts";
import { type Insertion, keyText } from "./insertion.ts";
import { deleteMany } from "./many-rows.ts";
import { sqlStatement } from "./statement.ts";
import { type Deferrable, WriteBehind } from "./write-behind.ts";

export interface Removal<K> extends Deferrable<K> {
  /** Deletes at once, unless the connection is a `WriteBehind`, which defers row writes. */
  run(connection: Connection, key: K): Promise<void>;
}

type Values = Readonly<Record<string, Value>>;

/**
 * Deletes rows of a table by their keys. On a `WriteBehind`, a delete drops a deferred insert of the same key, and an
 * insert that is deferred later is written after the delete.
 */
export function removal<T extends TableName>(
  table: T,
  put: Insertion<Inserts[T]>,
): Removal<Key<T>> {
  const { key }: Table = TABLES[table];
  const deletion = sqlStatement<Values, unknown>((p) => {
    const isSame = key.map((column) => sql`${sql.ref(column)} = ${p[column]}`);
    return sql`delete from ${sql.table(table)} where ${sql.join(isSame, sql` and `)}`;
  });
  const write = async (connection: Connection, rows: readonly Key<T>[]): Promise<void> => {
    if (connection.dialect === "postgres" && rows.length > 1)
      return await deleteMany(connection, table, key, rows);
    await together(
      connection,
      rows.map((row) => async () => await deletion.run(connection, row as Values)),
    );
  };
  const self: Removal<Key<T>> = {
    rank: put.rank - 1,
    sendsAtOnce: () => true,
    keyOf: (row) => keyText(key, row),
    joined: (_earlier, later) => later,
    write,
    run: async (connection, row) => {
      if (!(connection instanceof WriteBehind)) return await write(connection, [row]);
      connection.drop(put, keyText(key, row));
      await connection.hold(self, [row]);
    },
  };
  return self;
}
