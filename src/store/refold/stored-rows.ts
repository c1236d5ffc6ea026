import { sql } from "kysely";
import type { Table } from "../../domain/tables/table.ts";
import { type FoldedTable, type Rows, TABLES } from "../../domain/tables/tables.ts";
import type { Connection } from "../connection.ts";
import { parsed } from "../rows/rows.ts";
import { isIn, listAs, type Statement, sqlStatement, statement } from "../rows/statement.ts";
import type { Selected } from "../schema.ts";
import { OWNER_COLUMNS, SHARED_VALUES } from "./issue-tables.ts";

type Lists = ReadonlyMap<FoldedTable, Statement<{ readonly list: readonly string[] }, unknown>>;

/** Reads the stored rows of these issues in a table. */
export async function rowsOfIssues<T extends FoldedTable>(
  connection: Connection,
  table: T,
  uids: readonly string[],
): Promise<readonly Rows[T][]> {
  return await read(ISSUE_LISTS, connection, table, uids);
}

/** Reads the stored rows that have the shared values (`SHARED_VALUES`) of one of these rows. */
export async function rowsSharing<T extends FoldedTable>(
  connection: Connection,
  table: T,
  rows: readonly Partial<Rows[T]>[],
): Promise<readonly Rows[T][]> {
  const wanted = rows.map((row) => {
    const values = new Map<string, unknown>(Object.entries(row));
    return JSON.stringify(SHARED_VALUES.get(table)?.map((column) => values.get(column)));
  });
  return wanted.length === 0 ? [] : await read(SHARING, connection, table, wanted);
}

async function read<T extends FoldedTable>(
  statements: Lists,
  connection: Connection,
  table: T,
  list: readonly string[],
): Promise<readonly Rows[T][]> {
  const found = (await statements.get(table)?.all(connection, { list })) ?? [];
  return found.map((row) => parsed<T>(table, row as Selected<T>));
}

const columnsOf = (name: FoldedTable) => {
  const { columns }: Table = TABLES[name];
  return sql.join(Object.keys(columns).map((column) => sql.ref(column)));
};

const ISSUE_LISTS: Lists = new Map(
  [...OWNER_COLUMNS].map(([table, owner]) => [
    table,
    sqlStatement<{ readonly list: readonly string[] }, unknown>(
      (p, dialect) =>
        sql`select ${columnsOf(table)} from ${sql.table(table)} where ${isIn(dialect, sql.ref(owner), p.list)}`,
    ),
  ]),
);

const SHARING: Lists = new Map(
  [...SHARED_VALUES].map(([table, columns]) => [
    table,
    sqlStatement<{ readonly list: readonly string[] }, unknown>((p, dialect) => {
      const row = dialect === "sqlite" ? sql`wanted.value` : sql`wanted.value::json`;
      const parts = columns.map((_, at) => sql`${row} ->> ${sql.lit(at)}`);
      return sql`select ${columnsOf(table)} from ${sql.table(table)}
        where (${sql.join(columns.map((column) => sql.ref(column)))})
          in (select ${sql.join(parts)} from ${listAs(dialect, p.list, "wanted")})`;
    }),
  ]),
);

/** Returns the uids of the issues that the events are about. */
export async function issuesOfEvents(
  connection: Connection,
  uids: readonly string[],
): Promise<readonly string[]> {
  const found = await ofEvents.all(connection, { uids });
  return found.flatMap(({ issue_uid }) => issue_uid ?? []);
}

const ofEvents = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("event")
    .select("issue_uid")
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids)),
);
