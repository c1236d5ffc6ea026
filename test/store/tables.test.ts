import Database from "better-sqlite3";
import { expect, test } from "vitest";
import type { Table } from "../../src/domain/tables/table.ts";
import { ARCHIVED, eachTable, TABLES } from "../../src/domain/tables/tables.ts";
import { query } from "../support/postgres.ts";
import { describeStore, type TestDatabase } from "../support/store.ts";

interface Column {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
}

interface CatalogTable {
  readonly columns: readonly Column[];
  /** The columns of each unique index, including that of the primary key. */
  readonly unique: readonly (readonly string[])[];
}

/** Returns the columns that the description of a table requires. */
function columnsOf({ numbered, columns, derived = {}, beside = {} }: Table): readonly Column[] {
  const id = numbered ? [{ name: "id", type: "integer", nullable: false }] : [];
  const described = Object.entries({ ...columns, ...derived, ...beside }).map(
    ([name, { type, nullable }]) => ({ name, type, nullable }),
  );
  return sorted([...id, ...described]);
}

function sorted(columns: readonly Column[]): readonly Column[] {
  return columns.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The types of columns that the databases call otherwise than the descriptions. */
const STORED = new Map([
  ["bigint", "integer"],
  ["blob", "bytes"],
  ["bytea", "bytes"],
]);

const READ = { sqlite: readSqlite, postgres: readPostgres };

async function readSqlite({ target }: TestDatabase): Promise<ReadonlyMap<string, CatalogTable>> {
  const file = new Database(target.dsn, { readonly: true });
  const all = <T>(sql: string) => file.prepare(sql).all() as T[];
  const names = all<{ name: string }>(
    "select name from sqlite_schema where type = 'table' and name not like 'issue_text%' and name not like 'sqlite_%'",
  );
  const found = names.map(({ name }): [string, CatalogTable] => {
    const columns = all<{ name: string; type: string; notnull: number; pk: number }>(
      `pragma table_info("${name}")`,
    );
    const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const indexes = all<{ name: string; unique: number }>(`pragma index_list("${name}")`);
    return [
      name,
      {
        columns: columns.map((column) => ({
          name: column.name,
          type: STORED.get(column.type.toLowerCase()) ?? column.type.toLowerCase(),
          // For the key of a table with rowids, SQLite reports that it may be null, which it never is.
          nullable: column.notnull === 0 && column.pk === 0,
        })),
        unique: [
          key.map((column) => column.name),
          ...indexes
            .filter(({ unique }) => unique === 1)
            .map((index) =>
              all<{ name: string }>(`pragma index_info("${index.name}")`).map(
                (column) => column.name,
              ),
            ),
        ],
      },
    ];
  });
  file.close();
  return new Map(found);
}

async function readPostgres({ target }: TestDatabase): Promise<ReadonlyMap<string, CatalogTable>> {
  const found = new Map<string, { columns: Column[]; unique: string[][] }>();
  const of = (table: string) => {
    const known = found.get(table) ?? { columns: [], unique: [] };
    found.set(table, known);
    return known;
  };
  const where = `where n.nspname = '${target.schema}' and c.relname <> 'issue_text' and c.relname not like 'vector\\_%'`;
  const columns = await query(
    target.dsn,
    `select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     ${where} and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`,
  );
  for (const { table, name, type, nullable } of columns) {
    const described = STORED.get(String(type)) ?? String(type);
    const column = { name: String(name), type: described, nullable: nullable === true };
    of(String(table)).columns.push(column);
  }
  const indexes = await query(
    target.dsn,
    `select c.relname as table, array_agg(a.attname::text order by k.at) as names
     from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
     cross join unnest(i.indkey) with ordinality as k (num, at)
     join pg_attribute a on a.attrelid = c.oid and a.attnum = k.num
     ${where} and i.indisunique group by c.relname, i.indexrelid`,
  );
  for (const { table, names } of indexes) of(String(table)).unique.push(names as string[]);
  return found;
}

test("an export has the rows of all folded tables before the log, and gaps of the log right before its events", () => {
  const log = ARCHIVED.indexOf("event");
  expect(ARCHIVED[log - 1]).toBe("log_gap");
  expect(ARCHIVED.slice(log).filter((table) => TABLES[table].folded === true)).toEqual([]);
});

describeStore("a database", (open) => {
  test("has exactly the described tables, with their columns, types and keys", async () => {
    const database = await open.database();
    await (await database.open()).close();
    const found = await READ[open.dialect](database);
    expect([...found.keys()].sort()).toEqual(
      eachTable()
        .map(([name]) => name)
        .sort(),
    );
    for (const [name, table] of eachTable()) {
      const { columns, unique } = found.get(name) ?? { columns: [], unique: [] };
      expect({ name, columns: sorted(columns) }).toEqual({ name, columns: columnsOf(table) });
      const keys = unique.map((key) => key.toSorted().join(" "));
      expect({ name, keys }).toEqual({
        name,
        keys: expect.arrayContaining([
          [...table.key].sort().join(" "),
          ...(table.numbered ? ["id"] : []),
        ]),
      });
    }
  });
});
