import { firstRows, type Room } from "./budget.ts";
import { ToolError } from "./failure.ts";

/**
 * Returns the rows that fit into the answer, from the first on, and the fields that say whether rows were left out.
 * `placeOf` makes the cursor of the next page from the last row of this one.
 */
export function pageOf<T>(rest: readonly T[], room: Room, placeOf: (row: T) => string) {
  const rows = firstRows(rest, room);
  const last = rows.at(-1);
  if (rows.length === rest.length || last === undefined) return { rows, cut: { truncated: false } };
  return { rows, cut: { truncated: true, next_cursor: placeOf(last) } };
}

/** The refusal of a cursor that no page of the tool ended with. */
export function foreignCursor(): ToolError {
  return new ToolError("invalid arguments: cursor: not a value returned by this tool");
}
