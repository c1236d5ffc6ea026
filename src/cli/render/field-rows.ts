import type { JsonValue } from "../../base/json.ts";
import { type PlaceOrder, placeText } from "../../contract/list-budget.ts";
import { oneLine } from "../../shared/text.ts";
import type { IssuePage, ListedIssues } from "./list.ts";

type Issue = NonNullable<ReturnType<ListedIssues["issues"]["at"]>>;

interface Room {
  readonly bytes: number | undefined;
  readonly order: PlaceOrder | undefined;
}

/** The issues whose rows fit, at least one. */
export function fieldPage(
  list: ListedIssues,
  fields: readonly string[],
  { bytes, order }: Room,
): IssuePage {
  if (bytes === undefined) return { ...list, isCut: false };
  let left = bytes;
  const kept: Issue[] = [];
  for (const issue of list.issues) {
    left -= 1 + Buffer.byteLength(fieldRow(issue, fields));
    if (left < 0 && kept.length > 0) break;
    kept.push(issue);
  }
  const last = kept.at(-1);
  if (last === undefined || kept.length === list.issues.length) return { ...list, isCut: false };
  const next_after = order === undefined ? undefined : placeText(last, order);
  return { issues: kept, isCut: true, truncated: true, next_after };
}

/** The fields of an issue with tabs between, always as many as were named; what an issue has not is empty. */
export function fieldRow(issue: Issue, fields: readonly string[]): string {
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
