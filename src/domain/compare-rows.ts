import { rowValueToJson } from "../base/bytes.ts";
import { type JsonValue, sameJson } from "../base/json.ts";
import type { KeyedMap, Maps } from "./maps.ts";
import { type MemoryState, rowKey } from "./memory.ts";
import type { Change } from "./state.ts";
import { type FoldedTable, type Key, type Rows, TABLES } from "./tables/tables.ts";

/** A difference between a table and the fold of the log. */
export interface Difference {
  readonly table: FoldedTable;
  readonly key: Readonly<Record<string, string>>;
  /** The column that differs; absent if the whole row is missing on one side. */
  readonly column?: string;
  readonly folded: JsonValue;
  readonly stored: JsonValue;
}

/** A row as it follows from the log (`folded`), and as it is stored (`stored`). At least one of the two is set. */
export interface RowPair<T extends FoldedTable = FoldedTable> {
  readonly table: T;
  readonly folded: Rows[T] | undefined;
  readonly stored: Rows[T] | undefined;
}

/**
 * Pairs the rows of a table by their keys: first the rows of the fold with their stored rows, then stored rows that are
 * not in the fold.
 */
export function pairRows<T extends FoldedTable>(
  table: T,
  folded: readonly Rows[T][],
  stored: readonly Rows[T][],
): readonly RowPair<T>[] {
  const byKey = new Map(stored.map((row) => [rowKey(table, row), row]));
  const pairs = folded.map((row) => {
    const key = rowKey(table, row);
    const same = byKey.get(key);
    byKey.delete(key);
    return { table, folded: row, stored: same };
  });
  return [
    ...pairs,
    ...[...byKey.values()].map((row) => ({ table, folded: undefined, stored: row })),
  ];
}

/** Compares the columns that the fold computes. The fold does not compute local ids and derived columns. */
export function differenceOf<T extends FoldedTable>({
  table,
  folded,
  stored,
}: RowPair<T>): Difference | undefined {
  if (folded === undefined || stored === undefined) {
    const row = folded ?? stored;
    if (row === undefined) return undefined;
    const [is, other] = folded === undefined ? [null, "a row"] : ["a row", null];
    return { table, key: keyOf(table, row), folded: is, stored: other };
  }
  const actual = columnsOf(stored);
  for (const [column, value] of columnsOf(folded)) {
    const other = actual.get(column) ?? null;
    if (sameJson(value, other)) continue;
    return { table, key: keyOf(table, folded), column, folded: value, stored: other };
  }
  return undefined;
}

/** Returns the change that corrects the stored row; `undefined` if it is correct. */
export function changeOf({ table, folded, stored }: RowPair): Change | undefined {
  if (differenceOf({ table, folded, stored }) === undefined) return undefined;
  if (folded !== undefined) return { table, put: folded } as Change;
  return stored === undefined ? undefined : ({ table, remove: keyOfRow(table, stored) } as Change);
}

/**
 * Compares all rows of a database with a fold. Call `meet` for every stored row of a table: it returns how the row
 * differs. Then call `missing`, which returns the first folded row that is not stored.
 */
export class Comparison {
  readonly #state: MemoryState;
  readonly #maps: Maps;
  /** The keys of the stored rows, by table. */
  readonly #met = new Map<FoldedTable, KeyedMap<1>>();

  constructor(state: MemoryState, maps: Maps) {
    this.#state = state;
    this.#maps = maps;
  }

  meet<T extends FoldedTable>(table: T, stored: Rows[T]): Difference | undefined {
    const met = this.#metOf(table);
    const key = rowKey(table, stored);
    const folded = met.has(key) ? undefined : this.#state.row(table, key);
    met.set(key, 1);
    return differenceOf({ table, folded, stored });
  }

  missing(table: FoldedTable): Difference | undefined {
    const met = this.#metOf(table);
    if (met.size === this.#state.count(table)) return undefined;
    for (const row of this.#state.rows(table))
      if (!met.has(rowKey(table, row)))
        return differenceOf({ table, folded: row, stored: undefined });
    return undefined;
  }

  #metOf(table: FoldedTable): KeyedMap<1> {
    const known = this.#met.get(table) ?? this.#maps.map<1>();
    this.#met.set(table, known);
    return known;
  }
}

function keyOf<T extends FoldedTable>(table: T, row: Rows[T]): Readonly<Record<string, string>> {
  const columns = columnsOf(row);
  return Object.fromEntries(
    TABLES[table].key.map((column) => [column, textOf(columns.get(column))]),
  );
}

function keyOfRow<T extends FoldedTable>(table: T, row: Rows[T]): Key<T> {
  const columns = new Map<string, unknown>(Object.entries(row));
  return Object.fromEntries(
    TABLES[table].key.map((column) => [column, columns.get(column)]),
  ) as unknown as Key<T>;
}

function columnsOf(row: object): ReadonlyMap<string, JsonValue> {
  return new Map(Object.entries(row).map(([column, value]) => [column, rowValueToJson(value)]));
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function describeDifference(difference: Difference): string {
  const { table, key, column, folded, stored } = difference;
  const place = `${table} ${Object.values(key).join(" ")}${column === undefined ? "" : `, ${column}`}`;
  return `${place}: should be ${valueText(folded)}, is ${valueText(stored)}`;
}

const MAX_SHOWN = 80;

function valueText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
