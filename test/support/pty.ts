import { spawn } from "@lydell/node-pty";
import { onTestFinished, vi } from "vitest";
import { emulator } from "./emulator.ts";

/** A terminal with a program in it, as a person uses it. */
export interface Terminal {
  /** The visible lines, without blanks at their ends. */
  screen(): readonly string[];
  /** Waits until the screen shows the text. */
  shows(text: string): Promise<void>;
  /** Waits until the screen no longer shows the text. */
  hides(text: string): Promise<void>;
  type(keys: string): void;
  /** Whether the alternate screen is on. */
  isAlternate(): boolean;
}

/** A terminal that the test emulates itself, so it has every byte that the program writes. */
export interface Pty extends Terminal {
  resize(columns: number, rows: number): void;
  signal(name: string): void;
  /** Ends the terminal, as closing its window does. */
  hangUp(): void;
  /** The exit code of the program, once the screen shows everything that the program wrote. */
  readonly ended: Promise<number>;
  /** Everything that was written to the terminal. */
  written(): string;
}

export interface PtyOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function pty(program: string, words: readonly string[], options: PtyOptions): Pty {
  const { columns = 80, rows = 24, cwd } = options;
  const env = { TERM: "xterm-256color", ...options.env };
  const child = spawn(program, [...words], { cols: columns, rows, cwd, env });
  const terminal = emulator(columns, rows);
  let written = "";
  child.onData((data) => {
    written += data;
    terminal.write(data);
  });
  let isOver = false;
  const ended = new Promise<number>((resolve) => {
    child.onExit(({ exitCode }) => {
      isOver = true;
      // The emulator processes its input a moment later.
      terminal.write("", () => resolve(exitCode));
    });
  });
  onTestFinished(() => {
    if (!isOver) child.kill("SIGKILL");
    terminal.dispose();
  });
  const screen = (): readonly string[] => {
    const { active } = terminal.buffer;
    return Array.from(
      { length: terminal.rows },
      (_none, at) => active.getLine(active.viewportY + at)?.translateToString(true) ?? "",
    );
  };
  return {
    screen,
    ...waitingFor(screen),
    type: (keys) => child.write(keys),
    resize: (wide, high) => {
      terminal.resize(wide, high);
      child.resize(wide, high);
    },
    signal: (name) => child.kill(name),
    hangUp: () => {
      if ("destroy" in child && typeof child.destroy === "function") child.destroy();
    },
    ended,
    written: () => written,
    isAlternate: () => terminal.buffer.active.type === "alternate",
  };
}

export function waitingFor(screen: () => readonly string[]): Pick<Terminal, "shows" | "hides"> {
  const until = async (is: () => boolean): Promise<void> => {
    await vi.waitFor(
      () => {
        if (!is()) throw new Error(`the screen is\n${screen().join("\n")}`);
      },
      { timeout: 45_000, interval: 20 },
    );
  };
  const has = (text: string): boolean => screen().some((line) => line.includes(text));
  return {
    shows: async (text) => await until(() => has(text)),
    hides: async (text) => await until(() => !has(text)),
  };
}
