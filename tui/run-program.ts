import { closeSync, openSync, readSync } from "node:fs";
import { runOnTerminal } from "../src/base/terminal-program.ts";

/** Runs the program without a shell, and leaves what it wrote on the screen until enter is pressed. */
export function runProgram(
  [program = "", ...words]: readonly string[],
  stdout: Pick<NodeJS.WriteStream, "write">,
): string | undefined {
  const { why } = runOnTerminal(program, words);
  stdout.write(`\n[svc: ${why ?? "done"}; enter goes back]`);
  waitForEnter();
  return why;
}

/** Reads a line from the terminal. Where it cannot be opened nobody waits. */
function waitForEnter(): void {
  let terminal: number | undefined;
  try {
    terminal = openSync("/dev/tty", "r");
    readSync(terminal, Buffer.alloc(256));
  } catch {
    // No terminal of its own: the screen comes back at once.
  } finally {
    if (terminal !== undefined) closeSync(terminal);
  }
}
