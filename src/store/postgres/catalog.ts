import { createHash } from "node:crypto";
import type { Connection } from "../connection.ts";
import { openError } from "../errors.ts";
import { MIGRATIONS } from "../migrations/index.ts";
import { latest, readMeta } from "../upgrade/migrate.ts";
import { requireKnown } from "../upgrade/versions.ts";

/**
 * A hash of the newest schema in PostgreSQL's catalog: tables, columns (type, collation, nullability), indexes and
 * constraints. A test computes it from a new database.
 */
export const CATALOG_FINGERPRINT =
  "962952812d17cde62b0d374a7eec1b3f44f5c51e2409054a1d90d968e09866e4";

/** Computes the hash of an existing schema, to be compared with `CATALOG_FINGERPRINT`. */
export async function fingerprintOf(connection: Connection, schema: string): Promise<string> {
  const { rows } = await connection.execute<{ line: string }>(
    `with relation as (
       select c.oid, c.relname as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = $1 and c.relkind in ('r', 'p')
     ), line as (
       select concat_ws(' ', 'column', r.name, a.attname, format_type(a.atttypid, a.atttypmod),
                        l.collname, case when a.attnotnull then 'not null' end) as line
       from relation r join pg_attribute a on a.attrelid = r.oid
       left join pg_collation l on l.oid = a.attcollation
       where a.attnum > 0 and not a.attisdropped
       union all
       select concat_ws(' ', 'index', r.name, i.relname, pg_am.amname,
                        case when x.indisunique then 'unique' end,
                        case when x.indpred is not null then 'partial' end,
                        (select string_agg(pg_get_indexdef(x.indexrelid, at, true), ',' order by at)
                         from generate_series(1, x.indnatts) as at))
       from relation r join pg_index x on x.indrelid = r.oid
       join pg_class i on i.oid = x.indexrelid join pg_am on pg_am.oid = i.relam
       union all
       select concat_ws(' ', 'constraint', r.name, k.conname, k.contype)
       from relation r join pg_constraint k on k.conrelid = r.oid
       where k.contype <> 'n'
     )
     select line from line order by line collate "C"`,
    [schema],
  );
  const lines = rows.map(({ line }) => line).join("\n");
  return createHash("sha256").update(lines).digest("hex");
}

/**
 * Throws unless the tables are those of this version. With `mode = validate` svc does not change any table
 * (docs/contract/command-line.md#7-postgresql).
 */
export async function requireCatalog(connection: Connection, schema: string): Promise<void> {
  const hint = "svc storage postgres migrate, run by who may create tables, brings them there";
  const { rows } = await connection.execute<{ meta: boolean }>(
    "select to_regclass(quote_ident($1) || '.meta') is not null as meta",
    [schema],
  );
  const version = rows[0]?.meta === true ? await readMeta(connection, "schema_version") : undefined;
  if (version === undefined)
    throw openError("missing", `the schema ${schema} holds no tables of svc`, hint);
  const needed = latest(MIGRATIONS);
  requireKnown(`the schema ${schema}`, Number(version), needed);
  if (Number(version) < needed) {
    throw openError(
      "older",
      `the schema ${schema} has version ${version}, and this svc needs ${needed}`,
      hint,
    );
  }
  if ((await fingerprintOf(connection, schema)) === CATALOG_FINGERPRINT) return;
  throw openError(
    "altered",
    `the tables in the schema ${schema} are of version ${version}, but not as svc makes them`,
    "undo what was altered, or import an export into an empty schema",
  );
}
