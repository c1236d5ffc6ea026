import type { TableName } from "../../domain/tables/tables.ts";
import type { Connection, Dialect } from "../connection.ts";
import { findRow, putRow } from "../rows/table-rows.ts";
import { requestNewTexts } from "../text/rewrite.ts";

export interface Migration {
  readonly version: number;
  up(schema: SchemaTools): Promise<void>;
  /**
   * Called when all migrations have changed the schema. Computes rows with the code that reads and writes the newest
   * tables. `timezone` is the zone of the daemon.
   */
  finish?(connection: Connection, timezone: string): Promise<void>;
}

export interface SchemaTools {
  readonly dialect: Dialect;
  /**
   * Creates a table. `columns` use the types `int`, `text` and `bytes`. `end` is appended to the definition (keys,
   * checks).
   */
  table(name: TableName | `vector_${string}`, columns: string, end?: string): Promise<void>;
  index(
    name: string,
    on: string,
    columns: string,
    options?: { unique?: boolean; where?: string },
  ): Promise<void>;
  run(statement: string): Promise<void>;
  /** Makes the daemon write the full-text rows of all issues again, in steps after the upgrade. */
  rewriteTexts(): Promise<void>;
}

/**
 * Returns the functions by which migrations change the schema. Migrations write column types as in `TYPES`.
 * PostgreSQL text uses collation "C", so that both databases sort by bytes. PostgreSQL integers are parsed in
 * `postgres/open.ts`. A table that defines its own key is WITHOUT ROWID on SQLite.
 */
export function schemaTools(connection: Connection): SchemaTools {
  const { dialect } = connection;
  const run = async (statement: string): Promise<void> => {
    await connection.execute(statement, []);
    connection.tablesChanged?.();
  };
  return {
    dialect,
    run,
    rewriteTexts: async () => await requestNewTexts(connection),
    table: async (name, columns, end) => {
      const typed = columns.replaceAll(
        /\b(int|text|bytes)\b/g,
        (_, type: keyof (typeof TYPES)[Dialect]) => TYPES[dialect][type],
      );
      const keyed = end === undefined ? typed : `${typed}, ${end}`;
      const suffix =
        dialect === "sqlite" ? (end === undefined ? " strict" : " strict, without rowid") : "";
      await run(`create table "${name}" (${keyed})${suffix}`);
    },
    index: async (name, on, columns, { unique, where } = {}) => {
      const kind = unique === true ? "unique index" : "index";
      await run(
        `create ${kind} "${name}" on "${on}" (${columns})${where === undefined ? "" : ` where ${where}`}`,
      );
    },
  };
}

const TYPES = {
  sqlite: { int: "integer", text: "text", bytes: "blob" },
  postgres: { int: "bigint", text: 'text collate "C"', bytes: "bytea" },
} as const satisfies Record<Dialect, object>;

/** Upgrades an empty or older database to the newest schema. The caller holds the write lock and commits. */
export async function migrate(
  connection: Connection,
  migrations: readonly Migration[],
  { from, timezone }: { readonly from: number; readonly timezone: string },
): Promise<void> {
  const tools = schemaTools(connection);
  const missing = migrations.filter(({ version }) => version > from);
  for (const { up } of missing) await up(tools);
  if (from > 0) for (const { finish } of missing) await finish?.(connection, timezone);
}

export async function readMeta(connection: Connection, key: string): Promise<string | undefined> {
  return (await findRow(connection, "meta", { key }))?.value;
}

export async function writeMeta(connection: Connection, key: string, value: string): Promise<void> {
  await putRow(connection, "meta", { key, value });
}

export function latest(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}
