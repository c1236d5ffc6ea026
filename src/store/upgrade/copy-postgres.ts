import type { Instant } from "../../base/clock.ts";
import type { SvcError } from "../../contract/errors.ts";
import { type Connection, quoted } from "../connection.ts";
import { driverCodeOf, openError } from "../errors.ts";

interface Upgrade {
  readonly schema: string;
  readonly from: number;
  readonly to: number;
  readonly now: Instant;
}

/**
 * Copies the tables into another schema before they are upgraded, with rows (except vectors), indexes and constraints under the same
 * names, so that renaming the copy restores the database. Runs in the upgrading transaction: an upgrade and its copy
 * commit together or not at all.
 */
export async function copyPostgresSchema(
  connection: Connection,
  upgrade: Upgrade,
): Promise<string> {
  const { schema, to } = upgrade;
  await requireRight(connection, schema);
  const start = `${shortenedName(schema)}_before_schema_${to}_`;
  try {
    const name = await unusedSchema(connection, start + timeStamp(upgrade.now));
    await copyTables(connection, upgrade, name);
    return name;
  } catch (cause) {
    throw notCopiedError(
      schema,
      `it could not be copied first (${driverCodeOf(cause)})`,
      MAKE_ROOM,
      cause,
    );
  }
}

const MAKE_ROOM =
  "svc makes a copy of the schema in the same database: see to room for it on the server and to the rights on its tables, then start again; nothing was changed";

export interface SchemaCopy {
  readonly schema: string;
  readonly schema_version: number;
  readonly bytes: number;
}

export async function listSchemaCopies(
  connection: Connection,
  schema: string,
): Promise<readonly SchemaCopy[]> {
  const { rows } = await connection.execute<SchemaCopy>(
    `select n.nspname as schema, substr(d.description, length($1) + 1)::int as schema_version,
       (select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint from pg_class c
        where c.relnamespace = n.oid and c.relkind in ('r', 'p')) as bytes
     from pg_namespace n
     join pg_description d on d.objoid = n.oid and d.classoid = 'pg_namespace'::regclass and d.objsubid = 0
     where n.nspname <> $2 and left(d.description, length($1)) = $1 and substr(d.description, length($1) + 1) ~ '^\\d{1,6}$'
     order by n.oid desc`,
    [describedAs(schema), schema],
  );
  return rows;
}

/**
 * Returns the start of the SQL comment on a copied schema. The comment identifies the copy even after a rename. It
 * contains the whole name of the original schema, since the name of the copy may be cut.
 */
function describedAs(schema: string): string {
  return `svc: copy of the schema ${schema}, storage schema `;
}

async function requireRight(connection: Connection, schema: string): Promise<void> {
  const { rows } = await connection.execute<{ may: boolean; database: string }>(
    "select has_database_privilege(current_database(), 'create') as may, current_database() as database",
    [],
  );
  const { may = false, database = "" } = rows[0] ?? {};
  if (may) return;
  throw notCopiedError(
    schema,
    "its role may not make the schema that a copy goes to",
    `grant it that (grant create on database "${database}" to …), or copy the tables yourself (pg_dump --schema=${schema}) and upgrade without a copy: svc storage postgres migrate --no-copy`,
  );
}

async function copyTables(
  connection: Connection,
  { schema, from }: Upgrade,
  copy: string,
): Promise<void> {
  const run = async (sql: string): Promise<unknown> => await connection.execute(sql, []);
  const [source, target] = [quoted(schema), quoted(copy)];
  const objects = await definitionsOf(connection, schema, copy);
  await run(`create schema ${target}`);
  await run(`comment on schema ${target} is ${literal(describedAs(schema) + from)}`);
  for (const { name } of objects.filter(({ kind }) => kind === "table")) {
    const table = quoted(name);
    await run(
      `create table ${target}.${table} (like ${source}.${table} including all excluding indexes excluding constraints)`,
    );
    if (!isDerived(name))
      await run(`insert into ${target}.${table} select * from ${source}.${table}`);
  }
  // Set the search path first: constraints look names up in it, and foreign keys must refer to the copy's tables.
  await searchIn(connection, copy);
  for (const { kind, sql } of objects) if (kind !== "table") await run(sql);
  await searchIn(connection, schema);
}

/** The vectors are not copied: the copy would keep those of issues that are purged later. The daemon makes them anew. */
function isDerived(table: string): boolean {
  return table.startsWith("vector_");
}

interface Definition {
  readonly kind: "table" | "index" | "constraint";
  readonly name: string;
  readonly sql: string;
}

/**
 * Returns the definitions in the order in which the copy creates them: tables, then indexes and checks, then foreign
 * keys. The texts of constraints stay unchanged, since they do not contain our schema's name.
 */
async function definitionsOf(
  connection: Connection,
  schema: string,
  copy: string,
): Promise<readonly Definition[]> {
  const { rows } = await connection.execute<Definition>(
    `with relation as (
       select c.oid, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = $1 and c.relkind = 'r'
     ), made as (
       select 1 as step, 'table' as kind, name, '' as sql from relation
       union all
       select 2, 'index', i.relname,
         replace(pg_get_indexdef(i.oid), format(' ON %I.%I USING ', $1::text, r.name), format(' ON %I.%I USING ', $2::text, r.name))
       from relation r join pg_index x on x.indrelid = r.oid join pg_class i on i.oid = x.indexrelid
       where not exists (select from pg_constraint k where k.conindid = x.indexrelid and k.conrelid = r.oid)
       union all
       select case k.contype when 'f' then 4 else 3 end, 'constraint', k.conname,
         format('alter table %I.%I add constraint %I %s', $2::text, r.name, k.conname, pg_get_constraintdef(k.oid))
       from relation r join pg_constraint k on k.conrelid = r.oid
       where k.contype <> 'n'
     )
     select kind, name, sql from made order by step, name collate "C"`,
    [schema, copy],
  );
  return rows;
}

async function searchIn(connection: Connection, schema: string): Promise<void> {
  await connection.execute("select set_config('search_path', quote_ident($1), true)", [schema]);
}

async function unusedSchema(connection: Connection, wanted: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}_${number}`;
    const { rows } = await connection.execute(
      "select 1 as found from pg_namespace where nspname = $1",
      [name],
    );
    if (rows.length === 0) return name;
  }
}

/** Formats the time to the second, so that it needs no quotes in a schema name: `20260504t091500z`. */
function timeStamp(now: Instant): string {
  return now
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(/[-:]/g, "")
    .toLowerCase();
}

/** PostgreSQL cuts names after 63 bytes, and the rest of a copy's name takes up to 40. */
const MAX_START_BYTES = 23;

function shortenedName(schema: string): string {
  let short = schema;
  while (Buffer.byteLength(short) > MAX_START_BYTES) short = short.slice(0, -1);
  return short;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function notCopiedError(schema: string, why: string, hint: string, cause?: unknown): SvcError {
  return openError("uncopied", `the schema ${schema} was not upgraded: ${why}`, hint, cause);
}
