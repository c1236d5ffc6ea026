import { padEnd, padStart, widthOf } from "./width.ts";

/** Each column as wide as its widest cell; those that `isRight` says end in line instead of beginning so. */
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
