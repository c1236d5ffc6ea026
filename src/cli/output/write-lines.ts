import type { ProcessContext } from "../process-context.ts";

/** A long result is written in portions of this many UTF-16 code units. */
const PORTION_CHARS = 64 * 1024;

/** Writes the lines in portions, and stops if the program that reads stdout has ended. */
export function writeLines(stdout: ProcessContext["stdout"], lines: Iterable<string>): void {
  let isClosed = false;
  stdout.onClosed(() => {
    isClosed = true;
  });
  let portion = "";
  for (const line of lines) {
    portion += `${line}\n`;
    if (portion.length < PORTION_CHARS) continue;
    stdout.write(portion);
    portion = "";
    if (isClosed) return;
  }
  if (portion !== "") stdout.write(portion);
}
