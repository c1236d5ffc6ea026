import { base64ToBytes, bytesToBase64 } from "../base/bytes.ts";
import { invariant } from "../base/invariant.ts";
import type { KeyedMap, Maps } from "./maps.ts";
import type { Table } from "./tables/table.ts";

/** A map for rows of the table. The values of a map are JSON, so columns of bytes are kept as base64. */
export function rowMap<R extends object>(table: Table, maps: Maps): KeyedMap<R> {
  const columns = Object.keys(table.columns).filter(
    (name) => table.columns[name]?.type === "bytes",
  );
  return columns.length === 0 ? maps.map<R>() : withBytes<R>(maps.map(), columns);
}

type Values = Readonly<Record<string, unknown>>;

function withBytes<R extends object>(
  map: KeyedMap<Values>,
  columns: readonly string[],
): KeyedMap<R> {
  const converted = (row: object, convert: (value: unknown) => unknown): Values => {
    const values: Values = { ...row };
    return {
      ...values,
      ...Object.fromEntries(columns.map((name) => [name, convert(values[name])])),
    };
  };
  const rowOf = (values: Values): R => converted(values, toBytes) as R;
  return {
    get size() {
      return map.size;
    },
    has: (key) => map.has(key),
    get: (key) => {
      const values = map.get(key);
      return values === undefined ? undefined : rowOf(values);
    },
    set: (key, row) => map.set(key, converted(row, toText)),
    delete: (key) => map.delete(key),
    *values() {
      for (const values of map.values()) yield rowOf(values);
    },
  };
}

function toText(value: unknown): unknown {
  return value instanceof Uint8Array ? bytesToBase64(value) : value;
}

function toBytes(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const bytes = base64ToBytes(value);
  invariant(bytes !== undefined, "bytes were kept as base64");
  return bytes;
}
