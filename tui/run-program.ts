import { closeSync, openSync, readSync } from "node:fs";
import { runOnTerminal } from "../src/base/terminal-program.ts";

/** Runs the program without a shell. Its output stays on the screen until the person presses enter. */
export function runProgram(
  [program = "", ...words]: readonly string[],
  stdout: Pick<NodeJS.WriteStream, "write">,
): string | undefined {
  const { why } = runOnTerminal(program, words);
  stdout.write(`\n[svc: ${why ?? "done"}; enter goes back]`);
  waitForEnter();
  return why;
}

function waitForEnter(): void {
  let terminal: number | undefined;
  try {
    terminal = openSync("/dev/tty", "r");
    readSync(terminal, Buffer.alloc(256));
  } catch {
    // This process has no terminal, so return to the screen at once.
  } finally {
    if (terminal !== undefined) closeSync(terminal);
  }
}
