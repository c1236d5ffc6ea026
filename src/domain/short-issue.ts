import { byteLength } from "./text.ts";

/** The fields of an issue that may be very long and may be cut. */
const LONG_FIELDS = ["labels", "metadata", "blocks", "blocked_by", "related", "body"] as const;

/** Maximum number of bytes that `truncated` and `counts` add to the JSON. */
const AROUND_BYTES = 180;

/**
 * Cuts the longest lists of an issue, its metadata and its body, so that its JSON is at least `over` bytes shorter if
 * possible. For each cut field, `counts` gives the original number of entries, and for the body the original number of
 * bytes. Each cut field gets the same limit in bytes.
 */
export function shortIssue(issue: object, over: number): object {
  if (over <= 0) return issue;
  const values = new Map<string, unknown>(Object.entries(issue));
  const long = LONG_FIELDS.flatMap((name) => {
    const value = values.get(name);
    return typeof value === "string" || (typeof value === "object" && value !== null)
      ? [{ name, value, bytes: jsonBytes(value) }]
      : [];
  }).sort((a, b) => a.bytes - b.bytes);
  let left = long.reduce((sum, { bytes }) => sum + bytes, 0) - over - AROUND_BYTES;
  const kept: Record<string, unknown> = {};
  const counts: Record<string, number> = {};
  // Begins with the shortest field, so that the bytes that it does not need go to the others.
  for (const [at, { name, value, bytes }] of long.entries()) {
    const share = Math.max(EMPTY_BYTES, Math.floor(left / (long.length - at)));
    const part = bytes <= share ? value : fittingPart(value, share);
    if (part !== value) {
      kept[name] = part;
      counts[name] = typeof value === "string" ? byteLength(value) : Object.keys(value).length;
    }
    left -= jsonBytes(part);
  }
  return Object.keys(counts).length === 0 ? issue : { ...issue, ...kept, truncated: true, counts };
}

/** The size of an empty list, object or text in JSON: two brackets or two quotes. */
const EMPTY_BYTES = 2;

/** The first entries of a list or object, or the beginning of a text, whose JSON fits into `bytes`. */
function fittingPart(value: object | string, bytes: number): object | string {
  if (typeof value === "string") return textWithin(value, bytes);
  let left = bytes - EMPTY_BYTES;
  const entries = Object.entries(value);
  const sizeOf = ([key, entry]: (typeof entries)[number]): number =>
    jsonBytes(entry) + 1 + (Array.isArray(value) ? 0 : jsonBytes(key) + 1);
  const end = entries.findIndex((entry) => (left -= sizeOf(entry)) < 0);
  return Array.isArray(value) ? value.slice(0, end) : Object.fromEntries(entries.slice(0, end));
}

/** Finds the place of the cut by binary search, since a text may have a megabyte. */
function textWithin(text: string, bytes: number): string {
  let [end, most] = [0, Math.min(text.length, bytes)];
  while (end < most) {
    const middle = Math.ceil((end + most) / 2);
    if (jsonBytes(text.slice(0, middle)) <= bytes) end = middle;
    else most = middle - 1;
  }
  return text.slice(0, end).replace(HALF_CHARACTER, "");
}

const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

function jsonBytes(value: unknown): number {
  return byteLength(JSON.stringify(value));
}
