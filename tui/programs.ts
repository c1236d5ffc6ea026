import type { Clock } from "../src/base/clock.ts";
import type { Terminal } from "./terminal.ts";

/**
 * SIGINT is ignored for this time after a program that the screen started has ended. The ctrl+c that ended the program
 * may reach this process late and must not end the screen too.
 */
const SIGNAL_MS = 50;

interface Needs {
  readonly terminal: Pick<Terminal, "edit" | "run" | "suspend">;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Draws the whole screen again, since the program has written over it. */
  repaint(): void;
}

/** Runs other programs, such as the editor, in the terminal of the screen. */
export class Programs {
  readonly #needs: Needs;
  isRunning = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Returns the text as the editor left it. Throws if the editor fails. */
  edit(text: string): string {
    const { terminal, repaint } = this.#needs;
    try {
      return terminal.edit(text);
    } finally {
      repaint();
    }
  }

  /** Returns why the program failed, or `undefined` if it did not fail. */
  async run(argv: readonly string[]): Promise<string | undefined> {
    const { terminal, clock, signal, repaint } = this.#needs;
    this.isRunning = true;
    try {
      return terminal.run(argv);
    } finally {
      repaint();
      await clock.sleep(SIGNAL_MS, signal);
      this.isRunning = false;
    }
  }

  async suspend(): Promise<void> {
    const { terminal, signal, repaint } = this.#needs;
    await terminal.suspend();
    if (!signal.aborted) repaint();
  }
}
