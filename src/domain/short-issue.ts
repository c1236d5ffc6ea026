import { byteLength } from "./text.ts";

/** The fields of an issue that may have very many entries and may be cut. */
const LONG_FIELDS = ["labels", "metadata", "blocks", "blocked_by", "related"] as const;

/** The most bytes of `truncated` and `counts` in JSON. */
const AROUND_BYTES = 160;

/**
 * Cuts the longest lists of an issue, and its metadata, so that its JSON is at least `over` bytes shorter if possible.
 * `counts` gives the full number of entries of each cut field. All cut fields get the same room. Texts stay whole, so
 * an issue with a long text may still be too large.
 */
export function shortIssue(issue: object, over: number): object {
  if (over <= 0) return issue;
  const values = new Map<string, unknown>(Object.entries(issue));
  const lists = LONG_FIELDS.flatMap((name) => {
    const value = values.get(name);
    return typeof value === "object" && value !== null
      ? [{ name, value, bytes: jsonBytes(value) }]
      : [];
  }).sort((a, b) => a.bytes - b.bytes);
  let left = lists.reduce((sum, { bytes }) => sum + bytes, 0) - over - AROUND_BYTES;
  const kept: Record<string, unknown> = {};
  const counts: Record<string, number> = {};
  // The smallest list comes first, so that the room that it leaves unused goes to the others.
  for (const [at, { name, value, bytes }] of lists.entries()) {
    const share = Math.max(EMPTY_BYTES, Math.floor(left / (lists.length - at)));
    const part = bytes <= share ? value : within(value, share);
    if (part !== value) {
      kept[name] = part;
      counts[name] = Object.keys(value).length;
    }
    left -= jsonBytes(part);
  }
  return Object.keys(counts).length === 0 ? issue : { ...issue, ...kept, truncated: true, counts };
}

/** The brackets of an empty list or object. */
const EMPTY_BYTES = 2;

/** The first entries of a list or object whose JSON fits into `bytes`. */
function within(value: object, bytes: number): object {
  let left = bytes - EMPTY_BYTES;
  const entries = Object.entries(value);
  const size = ([key, entry]: (typeof entries)[number]): number =>
    jsonBytes(entry) + 1 + (Array.isArray(value) ? 0 : jsonBytes(key) + 1);
  const end = entries.findIndex((entry) => (left -= size(entry)) < 0);
  return Array.isArray(value) ? value.slice(0, end) : Object.fromEntries(entries.slice(0, end));
}

function jsonBytes(value: unknown): number {
  return byteLength(JSON.stringify(value));
}
