/**
 * Returns the value after `value` in the list or, if `by` is -1, the value before it. After the last value comes the
 * first.
 */
export function cycle<Value>(values: readonly Value[], value: Value, by: 1 | -1 = 1): Value {
  return values[(values.indexOf(value) + by + values.length) % values.length] ?? value;
}

/** The nearest valid index to `at` in a list of `count` rows. */
export function clamp(at: number, count: number): number {
  return Math.max(0, Math.min(at, count - 1));
}

/** The index of the row that was at the cursor; if that row is gone, the nearest valid index. */
export function rowToKeep<Row>(
  rows: readonly Row[],
  cursor: number,
  isSame: (row: Row) => boolean,
): number {
  const here = rows[cursor];
  const at = here !== undefined && isSame(here) ? cursor : rows.findIndex(isSame);
  return at === -1 ? clamp(cursor, rows.length) : at;
}

/** The index of the row that is drawn on a line of the list; `undefined` if the line is empty. `at` is the cursor. */
export function rowOnLine(
  line: number,
  at: number,
  count: number,
  room: number,
): number | undefined {
  const shown = firstRow(at, count, room) + line;
  return line >= 0 && line < room && shown < count ? shown : undefined;
}

/** The index of the first row to draw, so that the cursor is in the middle except near both ends of the list. */
export function firstRow(at: number, count: number, room: number): number {
  return Math.max(0, Math.min(at - Math.floor(room / 2), count - room));
}
