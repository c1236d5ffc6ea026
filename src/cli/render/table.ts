import { padEnd, padStart, widthOf } from "./width.ts";

/** Pads each column to its widest cell; `isRight` selects the columns that are right-aligned. */
export function aligned(
  lines: readonly (readonly string[])[],
  isRight: (column: number) => boolean,
): readonly string[] {
  const widths = (lines[0] ?? []).map((_, at) =>
    Math.max(...lines.map((line) => widthOf(line[at] ?? ""))),
  );
  return lines.map((line) =>
    line.map((cell, at) => (isRight(at) ? padStart : padEnd)(cell, widths[at] ?? 0)).join("  "),
  );
}
