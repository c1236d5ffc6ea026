import { type Connection, quoted } from "../connection.ts";
import { openError } from "../errors.ts";
import { readMeta } from "./migrate.ts";

/** "svc1" in ASCII: marks a database file as svc's (`PRAGMA application_id`). */
export const APPLICATION_ID = 0x73766331;

/** The schema version of 0.1.0, the first release. Builds before it wrote older ones. */
export const OLDEST_SCHEMA = 60;

/**
 * The schema version of the database, 0 when it is empty. Refuses a database of another program, of a newer svc or of a
 * build before the first release.
 */
export async function readSchemaVersion(connection: Connection, newest: number): Promise<number> {
  const found =
    connection.dialect === "sqlite"
      ? await sqliteVersion(connection)
      : await postgresVersion(connection);
  requireKnown("the database", found, newest);
  return found;
}

/** Throws unless svc can read a database of this schema version, or upgrade it. 0 stands for an empty database. */
export function requireKnown(name: string, found: number, newest: number): void {
  if (found > newest)
    throw openError(
      "newer",
      `${name} has schema version ${found}; this svc knows versions up to ${newest}`,
      "use the newer svc that wrote it",
    );
  if (found > 0 && found < OLDEST_SCHEMA)
    throw openError(
      "unreleased",
      `${name} has schema version ${found}, which a build before the first release wrote`,
      "upgrade it once with the last build that could (docs/export.md says how); this svc then opens it",
    );
}

async function sqliteVersion(connection: Connection): Promise<number> {
  const { rows } = await connection.execute<{ user_version: number }>("pragma user_version", []);
  return rows[0]?.user_version ?? 0;
}

/** Refuses a database without tables instead of creating them. */
export async function requireTables(connection: Connection, newest: number): Promise<void> {
  const found =
    connection.dialect === "sqlite"
      ? await sqliteVersion(connection)
      : await storedVersion(connection);
  if (found === undefined || found === 0)
    throw openError("missing", "there is no database of svc yet", "create a project first");
  requireKnown("the database", found, newest);
}

async function storedVersion(connection: Connection): Promise<number | undefined> {
  const { rows } = await connection.execute<{ meta: string | null }>(
    "select to_regclass('meta')::text as meta",
    [],
  );
  if (rows[0]?.meta === null) return undefined;
  return Number(await readMeta(connection, "schema_version"));
}

/**
 * Returns the stored version, 0 if there are no tables. Creates a missing schema; refuses one with tables of other
 * programs.
 */
async function postgresVersion(connection: Connection): Promise<number> {
  const { rows } = await connection.execute<{
    schema: string;
    meta: string | null;
    tables: number;
  }>(
    `select s.name as schema, to_regclass(quote_ident(s.name) || '.meta')::text as meta,
       (select count(*) from pg_tables t where t.schemaname = s.name) as tables
     from (select (parse_ident(current_setting('search_path')))[1] as name) as s`,
    [],
  );
  const { schema = "", meta = null, tables = 0 } = rows[0] ?? {};
  const version = meta === null ? undefined : await readMeta(connection, "schema_version");
  if (version !== undefined) return Number(version);
  if (tables > 0) {
    throw openError(
      "foreign",
      `the schema ${schema} holds tables that are not of svc`,
      "name another schema or database",
    );
  }
  await connection.execute(`create schema if not exists ${quoted(schema)}`, []);
  return 0;
}

/** Stores the version in the header of a SQLite file, where it can be read before SQLite opens the file. */
export async function markCurrent(connection: Connection, version: number): Promise<void> {
  if (connection.dialect === "postgres") return;
  await connection.execute(`pragma application_id = ${APPLICATION_ID}`, []);
  await connection.execute(`pragma user_version = ${version}`, []);
}
