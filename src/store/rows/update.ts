import { sql } from "kysely";
import { sameBytes } from "../../base/bytes.ts";
import type { Table } from "../../domain/tables/table.ts";
import { type Inserts, TABLES, type TableName } from "../../domain/tables/tables.ts";
import { type Connection, together, type Value } from "../connection.ts";
import { type Insertion, keyText } from "./insertion.ts";
import { updateMany } from "./many-rows.ts";
import { type Statement, sqlStatement } from "./statement.ts";
import { type Deferrable, WriteBehind } from "./write-behind.ts";

export interface ChangedRow<R> {
  readonly before: R;
  readonly after: R;
}

export interface Update<R> extends Deferrable<ChangedRow<R>> {
  /** Updates at once, unless the connection is a `WriteBehind`, which defers row writes. */
  run(connection: Connection, row: ChangedRow<R>): Promise<void>;
}

/**
 * Updates only the columns that differ, so that indexes on other columns are not touched. If the insert of the row is
 * still deferred (`WriteBehind`), the insert is changed instead. Deferred updates of one row are merged.
 */
export function update<T extends TableName>(
  table: T,
  put: Insertion<Inserts[T]>,
  rank: number,
): Update<Inserts[T]> {
  const { key }: Table = TABLES[table];
  const statements = new Map<string, Statement<Values, never>>();

  const statementFor = (columns: readonly string[]): Statement<Values, never> => {
    const name = columns.join(" ");
    const known = statements.get(name);
    if (known !== undefined) return known;
    const statement = updateStatement(table, key, columns);
    statements.set(name, statement);
    return statement;
  };

  const write = async (
    connection: Connection,
    rows: readonly ChangedRow<Inserts[T]>[],
  ): Promise<void> => {
    const groups = Map.groupBy(rows, (row) => changedColumns(row).join(" "));
    groups.delete("");
    await together(
      connection,
      [...groups].map(([name, group]) => async () => {
        const columns = name.split(" ");
        const same = group.map(({ after }) => after as Values);
        // One statement updates all rows in which the same columns differ.
        if (connection.dialect === "postgres" && same.length > 1)
          return await updateMany(connection, table, { key, columns }, same);
        const one = statementFor(columns);
        await together(
          connection,
          same.map((row) => async () => await one.run(connection, row)),
        );
      }),
    );
  };

  const self: Update<Inserts[T]> = {
    rank,
    sendsAtOnce: () => true,
    keyOf: ({ after }) => keyText(key, after),
    joined: ({ before }, { after }) => ({ before, after }),
    write,
    run: async (connection, row) => {
      if (!(connection instanceof WriteBehind)) await write(connection, [row]);
      else if (!connection.replace(put, row.after)) await connection.hold(self, [row]);
    },
  };
  return self;
}

type Values = Readonly<Record<string, Value>>;

function changedColumns({ before, after }: ChangedRow<unknown>): readonly string[] {
  const [old, now] = [before as Values, after as Values];
  return Object.keys(now).filter((column) => !isSame(now[column], old[column]));
}

function isSame(now: Value | undefined, old: Value | undefined): boolean {
  return now instanceof Uint8Array && old instanceof Uint8Array ? sameBytes(now, old) : now === old;
}

function updateStatement(
  table: TableName,
  key: readonly string[],
  columns: readonly string[],
): Statement<Values, never> {
  return sqlStatement<Values, never>((p) => {
    const equal = (names: readonly string[]) =>
      names.map((column) => sql`${sql.ref(column)} = ${p[column]}`);
    return sql`update ${sql.table(table)} set ${sql.join(equal(columns))}
      where ${sql.join(equal(key), sql` and `)}`;
  });
}
