import type { JsonValue } from "../../base/json.ts";
import { oneLine } from "../../shared/text.ts";
import { cut, type ListedIssue, type ListedIssues, type Room } from "./list.ts";

export function fieldPage(
  list: ListedIssues,
  fields: readonly string[],
  room: Pick<Room, "bytes" | "order">,
): ListedIssues {
  return cut(list, room, (issue) => fieldRow(issue, fields));
}

/**
 * The values of the named fields, separated by tabs. A missing value is empty, so all rows have the same number of
 * columns.
 */
export function fieldRow(issue: ListedIssue, fields: readonly string[]): string {
  const values = new Map<string, unknown>(Object.entries(issue));
  return fields.map((field) => cell(values.get(field) as JsonValue | undefined)).join("\t");
}

function cell(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return oneLine(value);
  if (Array.isArray(value)) return value.map(cell).join(",");
  if (typeof value !== "object") return String(value);
  const ref = (value as Readonly<Record<string, JsonValue>>)["qualified_id"];
  return typeof ref === "string" ? oneLine(ref) : oneLine(JSON.stringify(value));
}
