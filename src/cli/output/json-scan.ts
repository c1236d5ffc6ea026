/**
 * Finds members and elements in JSON without parsing it, because 100,000 parsed issues would not fit into a small heap.
 * The JSON must be compact, as the daemon writes it; anything else is not found.
 */

/** JSON of up to this many bytes is parsed as a whole, because parsing is several times as fast as this search. */
export const PARSED_BYTES = 256 * 1024;

/** A member of the outermost object. `start` is the place of its value. */
interface JsonMember {
  readonly name: string;
  readonly start: number;
}

export function* jsonMembers(json: Buffer): Generator<JsonMember, void, void> {
  let at = 0;
  do {
    at += 1;
    const nameEnd = json[at] === QUOTE ? endOfString(json, at) : json.length;
    if (json[nameEnd + 1] !== COLON) return;
    const start = nameEnd + 2;
    yield { name: json.toString("utf8", at + 1, nameEnd), start };
    at = endOfValue(json, start);
  } while (json[at] === COMMA);
}

export function isArray(json: Buffer, start: number): boolean {
  return json[start] === OPEN_ARRAY;
}

/**
 * Returns the position of the comma or bracket after each element of the array at `start`. Returns `undefined` if the
 * end of the array is not found, because the array is incomplete or not compact.
 */
export function elementEnds(json: Buffer, start: number): readonly number[] | undefined {
  const ends: number[] = [];
  let at = start + 1;
  if (json[at] !== CLOSE_ARRAY) {
    do {
      at = endOfValue(json, at);
      ends.push(at);
    } while (json[at++] === COMMA);
    at -= 1;
  }
  return json[at] === CLOSE_ARRAY ? ends : undefined;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The position of the comma or closing bracket after the value, or the end of the text if the text is incomplete. */
export function endOfValue(json: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
    else if (depth === 0 && (byte === COMMA || isClosing(byte))) return at;
    else if (isClosing(byte)) depth -= 1;
  }
  return json.length;
}

function isClosing(byte: number | undefined): boolean {
  return byte === CLOSE_ARRAY || byte === CLOSE_OBJECT;
}

function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
