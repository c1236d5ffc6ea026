import { SvcError } from "../../contract/errors.ts";

/** One line of a text file, without its line break; `number` starts at 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/**
 * The maximum length of a line. A longer line is refused before it fills the memory. No record of an export is that
 * long.
 */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

const NEWLINE = 0x0a;

/**
 * Yields the lines of a UTF-8 byte stream. Blank lines are counted but left out. Surrounding white space and a leading
 * byte order mark are removed. Throws `validation` with the number of a line that is not UTF-8 or is longer than
 * `maxBytes` bytes.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<Line> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let number = 0;
  let started: Uint8Array[] = [];
  let startedBytes = 0;

  const finish = (rest: Uint8Array): Line | undefined => {
    number += 1;
    const bytes = started.length === 0 ? rest : Buffer.concat([...started, rest]);
    started = [];
    startedBytes = 0;
    if (bytes.length > maxBytes) throw invalidLineError(number, `longer than ${maxBytes} bytes`);
    const text = decode(decoder, bytes, number);
    return text === "" ? undefined : { number, text };
  };

  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      const line = finish(chunk.subarray(from, at));
      if (line !== undefined) yield line;
      from = at + 1;
    }
    started.push(chunk.subarray(from));
    startedBytes += chunk.length - from;
    if (startedBytes > maxBytes)
      throw invalidLineError(number + 1, `longer than ${maxBytes} bytes`);
  }
  const last = finish(new Uint8Array());
  if (last !== undefined) yield last;
}

/** A `validation` error that names the line. Callers throw it before they write anything, as its message promises. */
export function invalidLineError(number: number, why: string, cause?: unknown): SvcError {
  return new SvcError(
    "validation",
    { line: number, why },
    { message: `line ${number}: ${why}; nothing was written`, cause },
  );
}

function decode(
  decoder: InstanceType<typeof TextDecoder>,
  bytes: Uint8Array,
  number: number,
): string {
  try {
    return decoder.decode(bytes).trim();
  } catch (cause) {
    throw invalidLineError(number, "not UTF-8 text", cause);
  }
}
