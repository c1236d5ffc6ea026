/**
 * The columns of the list that can be hidden. The dialog lists them in this order, and the terminal gives them room in
 * this order.
 */
export const COLUMNS = ["priority", "age", "owner", "labels", "due", "author", "created"] as const;
export type Column = (typeof COLUMNS)[number];

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
