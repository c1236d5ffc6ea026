import type { Connection } from "./connection.ts";
import type { Tables } from "./schema.ts";

/**
 * One statement for many rows, on PostgreSQL, where each statement costs a way there and back. The rows are one
 * parameter, JSON that the server reads with the types of the table. All statements are sent before the first answer
 * is awaited.
 */

type Rows = readonly object[];

/** Sets `columns` of the rows that have the same `key`. */
export async function updateMany(
  connection: Connection,
  table: keyof Tables,
  { key, columns }: { readonly key: readonly string[]; readonly columns: readonly string[] },
  rows: Rows,
): Promise<void> {
  const set = columns.map((column) => `"${column}" = given."${column}"`).join(", ");
  const sql = `update "${table}" as stored set ${set} from ${given(table)} where ${isSame(key)}`;
  await send(connection, sql, picked(rows, [...key, ...columns]));
}

/** Deletes the rows that have the same `key`. */
export async function deleteMany(
  connection: Connection,
  table: keyof Tables,
  key: readonly string[],
  rows: Rows,
): Promise<void> {
  const sql = `delete from "${table}" as stored using ${given(table)} where ${isSame(key)}`;
  await send(connection, sql, picked(rows, key));
}

function given(table: string): string {
  return `json_populate_recordset(null::"${table}", $1::json) as given`;
}

function isSame(key: readonly string[]): string {
  return key.map((column) => `stored."${column}" = given."${column}"`).join(" and ");
}

function* picked(rows: Rows, columns: readonly string[]): Generator<string> {
  for (const row of rows) yield JSON.stringify(row, columns as string[]);
}

async function send(connection: Connection, sql: string, rows: Iterable<string>): Promise<void> {
  const sent = [...slices(rows)].map(async (slice) => await connection.execute(sql, [slice]));
  // All are awaited: none may still be running when the caller undoes what they did.
  for (const outcome of await Promise.allSettled(sent))
    if (outcome.status === "rejected") throw outcome.reason;
}

/** One parameter has at most so many rows, and fewer where they are long. */
const SLICE_ROWS = 500;
const SLICE_CHARS = 1_000_000;

function* slices(rows: Iterable<string>): Generator<string> {
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
