import { oneLine } from "../../shared/text.ts";

interface Bounded {
  readonly lines: readonly string[];
  readonly left: boolean;
}

const CUT = " truncated=true";

/**
 * The most bytes that are added when lines are left out: `truncated=true` in the first line, and the end of a code
 * fence.
 */
const AROUND_BYTES = 64;

/**
 * Returns the first lines that fit into `bytes`, at least one. If lines are left out, the first line tells agents
 * `truncated=true`, and an open code fence is closed.
 */
export function boundedLines(
  text: string | Iterable<string>,
  bytes: number,
  forAgent: boolean,
): Bounded {
  const lines: string[] = [];
  let room = bytes - AROUND_BYTES;
  let fence: string | undefined;
  for (const part of typeof text === "string" ? [text] : text) {
    for (const line of part === "" ? [] : part.split("\n")) {
      room -= Buffer.byteLength(line) + 1;
      if (room < 0 && lines.length > 0) {
        if (forAgent && !`${lines[0]} `.includes(`${CUT} `)) lines[0] += CUT;
        return { lines: forAgent && fence !== undefined ? [...lines, fence] : lines, left: true };
      }
      if (fence === undefined) fence = /^(`{3,})text$/.exec(line)?.[1];
      else if (line === fence) fence = undefined;
      lines.push(line);
    }
  }
  return { lines, left: false };
}

/** A text in one line. A very long text is cut, so that the first row of a page always fits. */
export function rowText(text: string): string {
  const line = oneLine(text);
  return line.length <= MOST_ROW_TEXT
    ? line
    : `${line.slice(0, MOST_ROW_TEXT)}… (--json has all of it)`;
}

const MOST_ROW_TEXT = 1500;

/** Bytes reserved for the header, and for the note that there is more. */
const HEAD_BYTES = 200;

/** The first rows whose lines fit into `bytes`, at least one; `undefined` if all rows fit. */
export function fittingRows<T>(
  rows: { readonly length: number } & Iterable<T>,
  bytes: number,
  lineOf: (row: T) => string,
): readonly [T, ...T[]] | undefined {
  let room = bytes - HEAD_BYTES;
  const kept: T[] = [];
  for (const row of rows) {
    room -= Buffer.byteLength(lineOf(row)) + 1;
    if (room < 0 && kept.length > 0) break;
    kept.push(row);
  }
  const [first, ...more] = kept;
  return first === undefined || kept.length === rows.length ? undefined : [first, ...more];
}
