import { jsonBytes } from "../base/json-bytes.ts";

/** The maximum size of an answer, in bytes of JSON, if the client gave no `limit`. */
const ANSWER_BYTES = 8 * 1024;

/** The maximum size of an answer, in bytes of JSON, if the client gave a `limit`. */
const ASKED_BYTES = 64 * 1024;

/** Bytes reserved for everything around the rows: the names of the result's members, the cursor, the message itself. */
const FRAME_BYTES = 512;

export const DEFAULT_ROWS = 20;

/** How many rows an answer may hold, and how many bytes they may take. */
export interface Room {
  readonly rows: number;
  readonly bytes: number;
}

/**
 * Returns the room for the rows of an answer. `limit` is the number of rows that the client asked for. `beside` holds
 * the other members of the answer; their size is subtracted.
 */
export function roomFor(limit: number | undefined, beside: unknown = {}): Room {
  const bytes = limit === undefined ? ANSWER_BYTES : ASKED_BYTES;
  return { rows: limit ?? DEFAULT_ROWS, bytes: bytes - FRAME_BYTES - jsonBytes(beside) };
}

/**
 * Returns the first rows that fit into the room. The first row is returned even if it alone is too large, since a page
 * without rows could not be continued.
 */
export function firstRows<T>(rows: readonly T[], room: Room): readonly T[] {
  let { bytes } = room;
  const most = rows.slice(0, room.rows);
  const end = most.findIndex((row) => {
    bytes -= jsonBytes(row) + 1;
    return bytes < 0;
  });
  return end === -1 ? most : most.slice(0, Math.max(end, 1));
}

/**
 * Returns the longest beginning of the text that takes at most `bytes` as JSON. It never ends in the middle of a
 * surrogate pair.
 */
export function textWithin(text: string, bytes: number): string {
  if (jsonBytes(text) <= bytes) return text;
  let low = 0;
  let high = Math.min(text.length, Math.max(bytes, 0));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (jsonBytes(text.slice(0, middle)) <= bytes) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, isHighSurrogate(text, low - 1) ? low - 1 : low);
}

function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}
