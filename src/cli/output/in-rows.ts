import { parseExact } from "../../base/json.ts";
import { UnavailableError } from "../../shared/answer-errors.ts";
import { elementEnds, isArray, jsonMembers, PARSED_BYTES } from "./json-scan.ts";
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
 * bytes that the daemon sent, outside the heap, because 100,000 parsed issues would not fit into a small heap. An
 * answer of up to `parsed` bytes is parsed as a whole.
 */
export function inRows<T extends object, K extends keyof T & string>(
  answer: Answer<T>,
  name: K,
  parsed = PARSED_BYTES,
): Answer<InRows<T, K>> {
  const { bytes } = answer;
  let body: InRows<T, K> | undefined;
  const read = (): object => {
    const isLong = bytes !== undefined && bytes.length > parsed;
    return (isLong ? bodyInRows(bytes, name) : undefined) ?? answer.body();
  };
  return {
    ...(bytes === undefined ? {} : { bytes }),
    get json() {
      return answer.json;
    },
    body: () => (body ??= read() as InRows<T, K>),
  };
}

/** Returns `undefined` if the array is not found in the outermost object; the caller then parses the whole text. */
function bodyInRows(json: Buffer, name: string): object | undefined {
  const array = arrayStart(json, name);
  const ends = array === undefined ? undefined : elementEnds(json, array);
  if (array === undefined || ends === undefined) return undefined;
  const behind = ends.at(-1) ?? array + 1;
  const head = parse(Buffer.concat([json.subarray(0, array + 1), json.subarray(behind)]));
  return { ...(head as object), [name]: new ParsedRows(json, array + 1, ends) };
}

function arrayStart(json: Buffer, name: string): number | undefined {
  for (const member of jsonMembers(json)) {
    if (member.name === name) return isArray(json, member.start) ? member.start : undefined;
  }
  return undefined;
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
    return parseExact(json.toString("utf8"));
  } catch (cause) {
    throw new UnavailableError("the daemon's answer is not JSON", { cause });
  }
}
