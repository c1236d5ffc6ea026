import { isPlainObject, type JsonObject, type JsonValue, parseJson } from "../../base/json.ts";
import { jsonBytes } from "../../base/json-bytes.ts";

/** How to limit an answer that the daemon itself has not limited. */
export interface JsonBounds {
  readonly bytes: number | undefined;
  /**
   * Returns the members to add to an answer from which rows were left out, such as the cursor of the next page. `kept`
   * is the answer with the remaining rows.
   */
  rest?(kept: JsonObject): JsonObject;
  readonly without?: string | undefined;
}

/** The most bytes that are added after the cut: `svc_api_version`, `count`, `truncated`, and what `rest` returns. */
const AROUND_BYTES = 160;

/**
 * Cuts the lists of an answer so that its JSON fits into `bytes`, and adds `truncated` and the `count` of its first
 * list. Lists in one object get equal shares of the bytes. The first row always stays, and texts are not cut.
 */
export function boundedJson(json: string, { bytes, rest, without }: JsonBounds): string {
  const fits = bytes === undefined || Buffer.byteLength(json) + AROUND_BYTES <= bytes;
  if (fits && without === undefined) return json;
  const whole = parseJson(json);
  if (!isPlainObject(whole)) return json;
  const lean = without === undefined ? whole : withoutField(whole, without);
  if (bytes === undefined || jsonBytes(lean) + AROUND_BYTES <= bytes) return JSON.stringify(lean);
  const kept = prunedObject(lean, bytes - AROUND_BYTES);
  const rows = Object.values(kept).find(isList);
  const cut = { ...kept, ...rest?.(kept), truncated: true };
  return JSON.stringify(rows === undefined ? cut : { ...cut, count: rows.length });
}

function withoutField(whole: JsonObject, field: string): JsonObject {
  const rowWithout = (value: JsonValue): JsonValue => {
    if (!isPlainObject(value)) return value;
    const { [field]: _, ...others } = value;
    const { issue } = others;
    return issue === undefined ? others : { ...others, issue: rowWithout(issue) };
  };
  const members = Object.entries(whole).map(([name, value]) => {
    return [
      name,
      isList(value) ? value.map(rowWithout) : name === "issue" ? rowWithout(value) : value,
    ] as const;
  });
  return Object.fromEntries(members);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function prunedValue(value: JsonValue, room: number): JsonValue {
  if (isList(value)) return prunedList(value, room);
  return isPlainObject(value) ? prunedObject(value, room) : value;
}

function prunedObject(whole: JsonObject, room: number): JsonObject {
  const sizes = Object.entries(whole).map(([name, value]) => {
    return { name, value, bytes: jsonBytes(value), key: jsonBytes(name) + 2 };
  });
  const isFixed = ({ value }: { readonly value: JsonValue }): boolean =>
    !isList(value) && !isPlainObject(value);
  let left = room - sizes.reduce((sum, one) => sum + one.key + (isFixed(one) ? one.bytes : 0), 2);
  const shown = new Map<string, JsonValue>();
  // Give the lists their shares from the smallest list to the largest, so that the larger lists get the bytes that the
  // smaller lists do not need.
  const lists = sizes.filter((one) => !isFixed(one)).sort((a, b) => a.bytes - b.bytes);
  for (const [at, { name, value, bytes }] of lists.entries()) {
    const share = Math.floor(left / (lists.length - at));
    const kept = bytes <= share ? value : prunedValue(value, share);
    shown.set(name, kept);
    left -= jsonBytes(kept);
  }
  return Object.fromEntries(sizes.map(({ name, value }) => [name, shown.get(name) ?? value]));
}

function prunedList(rows: readonly JsonValue[], room: number): readonly JsonValue[] {
  const kept: JsonValue[] = [];
  let left = room - 2;
  for (const row of rows) {
    const bytes = jsonBytes(row) + 1;
    left -= bytes;
    if (left >= 0) {
      kept.push(row);
      continue;
    }
    const part = prunedValue(row, left + bytes);
    if (kept.length === 0 || jsonBytes(part) + 1 <= left + bytes) kept.push(part);
    break;
  }
  return kept;
}
