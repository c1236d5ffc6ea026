import { type Connection, settled } from "../connection.ts";
import type { Tables } from "../schema.ts";

type Rows = readonly object[];

/**
 * Changes many rows with one statement on PostgreSQL, which saves a round trip per row. The rows are one JSON parameter
 * that the server reads with the column types of the table. If several statements are needed, all are sent before the
 * first answer is awaited.
 */
export async function updateMany(
  connection: Connection,
  table: keyof Tables,
  { key, columns }: { readonly key: readonly string[]; readonly columns: readonly string[] },
  rows: Rows,
): Promise<void> {
  const set = columns.map((column) => `"${column}" = given."${column}"`).join(", ");
  const sql = `update "${table}" as stored set ${set} from ${givenRows(table)} where ${isSame(key)}`;
  await send(connection, sql, rowTexts(rows, [...key, ...columns]));
}

export async function deleteMany(
  connection: Connection,
  table: keyof Tables,
  key: readonly string[],
  rows: Rows,
): Promise<void> {
  const sql = `delete from "${table}" as stored using ${givenRows(table)} where ${isSame(key)}`;
  await send(connection, sql, rowTexts(rows, key));
}

function givenRows(table: string): string {
  return `json_populate_recordset(null::"${table}", $1::json) as given`;
}

function isSame(key: readonly string[]): string {
  return key.map((column) => `stored."${column}" = given."${column}"`).join(" and ");
}

function* rowTexts(rows: Rows, columns: readonly string[]): Generator<string> {
  for (const row of rows) {
    const values: Readonly<Record<string, unknown>> = { ...row };
    yield JSON.stringify(Object.fromEntries(columns.map((name) => [name, jsonOf(values[name])])));
  }
}

/** Converts a value for `json_populate_recordset`: bytes become hex. */
function jsonOf(value: unknown): unknown {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value;
}

async function send(connection: Connection, sql: string, rows: Iterable<string>): Promise<void> {
  await settled([...slicesOf(rows)].map(async (slice) => await connection.execute(sql, [slice])));
}

/** The maximum number of rows in one JSON parameter. */
const SLICE_ROWS = 500;
/** The maximum number of UTF-16 code units in the rows of one JSON parameter. */
const SLICE_CHARS = 1_000_000;

function* slicesOf(rows: Iterable<string>): Generator<string> {
  let slice: string[] = [];
  let chars = 0;
  for (const row of rows) {
    const isFull = slice.length === SLICE_ROWS || chars + row.length > SLICE_CHARS;
    if (isFull && slice.length > 0) {
      yield `[${slice.join(",")}]`;
      slice = [];
      chars = 0;
    }
    slice.push(row);
    chars += row.length;
  }
  if (slice.length > 0) yield `[${slice.join(",")}]`;
}
