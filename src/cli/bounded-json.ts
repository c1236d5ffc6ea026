import { isPlainObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";

/** What is to be done with an answer that the daemon did not bound itself. */
export interface JsonBounds {
  readonly bytes: number | undefined;
  /** Members that change with what is left out: where to read on. */
  rest?(kept: JsonObject): JsonObject;
  /** A field of the rows that is left out. */
  readonly without?: string | undefined;
}

/** `svc_api_version`, `count` and `truncated`, which are added, and what `rest` adds. */
const AROUND_BYTES = 160;

/**
 * The answer in at most so many bytes: of its lists, the last rows are left out, and it says `count` (rows of its first
 * list) and `truncated`. Lists side by side get an equal part. The first row is always there, and no text is cut.
 */
export function boundedJson(json: string, { bytes, rest, without }: JsonBounds): string {
  const fits = bytes === undefined || Buffer.byteLength(json) + AROUND_BYTES <= bytes;
  if (fits && without === undefined) return json;
  const whole = parseJson(json);
  if (!isPlainObject(whole)) return json;
  const lean = without === undefined ? whole : lacking(whole, without);
  if (bytes === undefined || jsonBytes(lean) + AROUND_BYTES <= bytes) return JSON.stringify(lean);
  const kept = prunedObject(lean, bytes - AROUND_BYTES);
  const rows = Object.values(kept).find(isList);
  const cut = { ...kept, ...rest?.(kept), truncated: true };
  return JSON.stringify(rows === undefined ? cut : { ...cut, count: rows.length });
}

/** Leaves the field out of the rows, and of the issues in rows. */
function lacking(whole: JsonObject, field: string): JsonObject {
  const row = (value: JsonValue): JsonValue => {
    if (!isPlainObject(value)) return value;
    const { [field]: _, ...others } = value;
    const { issue } = others;
    return issue === undefined ? others : { ...others, issue: row(issue) };
  };
  const members = Object.entries(whole).map(([name, value]) => {
    return [name, isList(value) ? value.map(row) : name === "issue" ? row(value) : value] as const;
  });
  return Object.fromEntries(members);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function jsonBytes(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function pruned(value: JsonValue, room: number): JsonValue {
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
  // The smallest first: what it does not need is there for the others.
  const lists = sizes.filter((one) => !isFixed(one)).sort((a, b) => a.bytes - b.bytes);
  for (const [at, { name, value, bytes }] of lists.entries()) {
    const share = Math.floor(left / (lists.length - at));
    const kept = bytes <= share ? value : pruned(value, share);
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
    const part = pruned(row, left + bytes);
    if (kept.length === 0 || jsonBytes(part) + 1 <= left + bytes) kept.push(part);
    break;
  }
  return kept;
}
