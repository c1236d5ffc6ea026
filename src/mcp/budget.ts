/** The largest answer of a tool that was asked for no certain number of rows, as the JSON that its client reads. */
const ANSWER_BYTES = 8 * 1024;

/** The largest answer with the number of rows that the client asked for. */
const ASKED_BYTES = 64 * 1024;

/** What surrounds the rows in every answer: the members of the result, its cursor, what the protocol adds. */
const FRAME_BYTES = 512;

export const DEFAULT_ROWS = 20;

/** How many rows an answer may hold, and how many bytes they may take. */
export interface Room {
  readonly rows: number;
  readonly bytes: number;
}

/** The room of an answer; `limit` is what the client asked for. `beside` are the other members of the answer. */
export function roomFor(limit: number | undefined, beside: unknown = {}): Room {
  const bytes = limit === undefined ? ANSWER_BYTES : ASKED_BYTES;
  return { rows: limit ?? DEFAULT_ROWS, bytes: bytes - FRAME_BYTES - jsonBytes(beside) };
}

export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

/** The first rows that fit into the room; at least one if there is any and the room allows rows. */
export function firstRows<T>(rows: readonly T[], room: Room): readonly T[] {
  let { bytes } = room;
  const most = rows.slice(0, room.rows);
  const end = most.findIndex((row) => {
    bytes -= jsonBytes(row) + 1;
    return bytes < 0;
  });
  return end === -1 ? most : most.slice(0, Math.max(end, 1));
}

/** The beginning of a text that takes at most `bytes` as JSON, cut between characters. */
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
