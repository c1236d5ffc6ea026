import { spawnSync } from "node:child_process";
import { closeSync, openSync, readSync } from "node:fs";

/** Runs the program without a shell, and leaves what it wrote on the screen until enter is pressed. */
export function runProgram(
  [program = "", ...words]: readonly string[],
  stdout: Pick<NodeJS.WriteStream, "write">,
): string | undefined {
  const { status, signal, error } = spawnSync(program, words, { stdio: "inherit", shell: false });
  const failure =
    error?.message ??
    (signal !== null ? `ended by ${signal}` : status === 0 ? undefined : `exit code ${status}`);
  stdout.write(`\n[svc: ${failure ?? "done"}; enter goes back]`);
  waitForEnter();
  return failure;
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
