/**
 * The columns of the list that can be left out, in the order in which the dialog lists them and the terminal gives them
 * room.
 */
export const COLUMNS = ["priority", "age", "owner", "labels", "due", "author", "created"] as const;
export type Column = (typeof COLUMNS)[number];

/** Parses names of columns, in any order. Also returns the names that are not columns. */
export function columnsOf(text: string): {
  readonly columns: readonly Column[];
  readonly unknown: readonly string[];
} {
  const names = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const unknown = names.filter((name) => !COLUMNS.some((column) => column === name));
  return { columns: COLUMNS.filter((column) => names.includes(column)), unknown };
}
