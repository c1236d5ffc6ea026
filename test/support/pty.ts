import { spawn } from "@lydell/node-pty";
import { onTestFinished, vi } from "vitest";
import { emulator } from "./emulator.ts";

/** A terminal with a program on it, as a person has it. */
export interface Terminal {
  /** The lines that are seen now, without blanks at their ends. */
  screen(): readonly string[];
  /** Waits until the screen shows the text. */
  shows(text: string): Promise<void>;
  /** Waits until it is gone. */
  hides(text: string): Promise<void>;
  type(keys: string): void;
  /** Whether the alternate screen is on. */
  isAlternate(): boolean;
}

/** A terminal that the test itself is: it hears every byte. */
export interface Pty extends Terminal {
  resize(columns: number, rows: number): void;
  signal(name: string): void;
  /** The terminal goes away, as when its window is closed. */
  hangUp(): void;
  /** How the program ended, once the screen shows the last that it wrote. */
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
      // The emulator takes in what is written to it a moment later.
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
      { timeout: 20_000, interval: 20 },
    );
  };
  const has = (text: string): boolean => screen().some((line) => line.includes(text));
  return {
    shows: async (text) => await until(() => has(text)),
    hides: async (text) => await until(() => !has(text)),
  };
}
