import { UnavailableError } from "../shared/answer-errors.ts";
import type { Answer, Rows } from "./output.ts";

type InRows<T, K> = {
  readonly [P in keyof T]: P extends K
    ? T[P] extends readonly (infer R)[]
      ? Rows<R>
      : T[P]
    : T[P];
};

/**
 * Returns the answer with an array `name` that parses each row only when the row is read. Until then a row stays in the
 * bytes that the daemon sent, outside the heap, because 100,000 parsed issues would not fit into a small heap.
 */
export function inRows<T extends object, K extends keyof T & string>(
  answer: Answer<T>,
  name: K,
): Answer<InRows<T, K>> {
  let body: InRows<T, K> | undefined;
  const read = (): object => (answer.bytes && bodyInRows(answer.bytes, name)) ?? answer.body();
  return {
    ...(answer.bytes === undefined ? {} : { bytes: answer.bytes }),
    get json() {
      return answer.json;
    },
    body: () => (body ??= read() as InRows<T, K>),
  };
}

/** Returns `undefined` if the array is not found in the outermost object; the caller then parses the whole text. */
function bodyInRows(json: Buffer, name: string): object | undefined {
  const array = arrayStart(json, name);
  if (array === undefined) return undefined;
  const ends: number[] = [];
  let at = array + 1;
  if (json[at] !== CLOSE_ARRAY) {
    do {
      at = endOfValue(json, at);
      ends.push(at);
    } while (json[at++] === COMMA);
    at -= 1;
  }
  if (json[at] !== CLOSE_ARRAY) return undefined;
  const head = parse(Buffer.concat([json.subarray(0, array + 1), json.subarray(at)]));
  return { ...(head as object), [name]: new ParsedRows(json, array + 1, ends) };
}

class ParsedRows implements Rows<unknown> {
  readonly #json: Buffer;
  readonly #start: number;
  /** For each row, the position of the comma or bracket after it. */
  readonly #ends: readonly number[];

  constructor(json: Buffer, start: number, ends: readonly number[]) {
    this.#json = json;
    this.#start = start;
    this.#ends = ends;
  }

  get length(): number {
    return this.#ends.length;
  }

  at(place: number): unknown {
    const end = this.#ends[place];
    if (end === undefined) return undefined;
    const before = this.#ends[place - 1];
    return parse(this.#json.subarray(before === undefined ? this.#start : before + 1, end));
  }

  *[Symbol.iterator](): Generator<unknown> {
    for (let place = 0; place < this.length; place++) yield this.at(place);
  }
}

function parse(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString("utf8"));
  } catch (cause) {
    throw new UnavailableError("the daemon's answer is not JSON", { cause });
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function arrayStart(json: Buffer, name: string): number | undefined {
  let at = 0;
  do {
    at += 1;
    const nameEnd = json[at] === QUOTE ? endOfString(json, at) : json.length;
    const isFound = json.toString("utf8", at + 1, nameEnd) === name;
    at = nameEnd + 2;
    if (json[nameEnd + 1] !== COLON) return undefined;
    if (isFound) return json[at] === OPEN_ARRAY ? at : undefined;
    at = endOfValue(json, at);
  } while (json[at] === COMMA);
  return undefined;
}

/** The position of the comma or closing bracket after the value, or the end of the text if the text is incomplete. */
function endOfValue(json: Buffer, start: number): number {
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
