import { padEnd, widthOf } from "./width.ts";

const GAP = 2;
const INDENT = 2;
/** If the left column is wider than this, the description beside it starts on the next line. */
const WIDEST_LEFT = 34;
/** If fewer columns than this remain for the description, it starts on the next line. */
const NARROWEST_RIGHT = 24;

export function twoColumns(
  left: string,
  right: string,
  widest: number,
  columns: number,
): readonly string[] {
  const width = Math.min(widest, WIDEST_LEFT) + GAP;
  const room = columns - width - INDENT;
  const indented =
    (by: number): ((line: string) => string) =>
    (line) =>
      `${" ".repeat(by)}${line}`;
  if (room < NARROWEST_RIGHT)
    return [left, ...wrap(right, columns - 2 * INDENT).map(indented(INDENT))];
  const [first = "", ...more] = wrap(right, room);
  if (widthOf(left) + GAP > width) return [left, ...[first, ...more].map(indented(width))];
  return [`${padEnd(left, width)}${first}`.trimEnd(), ...more.map(indented(width))];
}

/** Wraps at spaces; a word that is too long gets its own line. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of text.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (current !== "" && widthOf(longer) > columns) {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  return [...lines, current];
}
