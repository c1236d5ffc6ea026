import { firstRows, type Room } from "./budget.ts";
import { ToolError } from "./failure.ts";

/**
 * Returns the first rows that fit into the answer, and the members that say whether rows were left out. `placeOf` makes
 * the cursor of the next page from the last row of this page.
 */
export function pageOf<T>(rest: readonly T[], room: Room, placeOf: (row: T) => string) {
  const rows = firstRows(rest, room);
  const last = rows.at(-1);
  if (rows.length === rest.length || last === undefined) return { rows, cut: { truncated: false } };
  return { rows, cut: { truncated: true, next_cursor: placeOf(last) } };
}

export function foreignCursor(): ToolError {
  return new ToolError("invalid arguments: cursor: not a value returned by this tool");
}
