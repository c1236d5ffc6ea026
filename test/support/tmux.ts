import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import type { PtyOptions, Terminal } from "./pty.ts";
import { waitingFor } from "./pty.ts";

/** Whether this machine has tmux. */
export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

export interface Tmux extends Terminal {
  /** The last text that was copied. */
  buffer(): string;
}

export interface TmuxOptions extends PtyOptions {
  /** The settings of this tmux. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Runs a program in a window of tmux. Its screen is what tmux draws from the program's output. */
export function tmux(program: string, words: readonly string[], options: TmuxOptions): Tmux {
  const { columns = 80, rows = 24, cwd, env, settings = {} } = options;
  const name = `svc-${randomUUID()}`;
  const ask = (...more: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync("tmux", ["-L", name, "-f", "/dev/null", ...more], {
      cwd,
      env: { ...env, LC_ALL: "C.UTF-8" },
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`tmux ${more[0]} failed: ${stderr}`);
    return stdout;
  };
  const size = ["-x", String(columns), "-y", String(rows)];
  const set = (option: string, value: string) => ["set", "-g", option, value, ";"];
  // The shell stays when the program ends, and shows the state of the terminal.
  ask(
    ...["start-server", ";"],
    ...set("default-terminal", "xterm-256color"),
    ...set("status", "off"),
    ...set("escape-time", "0"),
    ...Object.entries(settings).flatMap(([option, value]) => set(option, value)),
    ...["new-session", "-d", ...size, "env", "PS1=left$ ", "sh"],
  );
  onTestFinished(() => {
    spawnSync("tmux", ["-L", name, "kill-server"]);
  });
  const type = (keys: string): void => {
    const bytes = [...Buffer.from(keys)].map((byte) => byte.toString(16).padStart(2, "0"));
    ask("send-keys", "-H", ...bytes);
  };
  type(`${[program, ...words].map((word) => `'${word}'`).join(" ")}\r`);
  const screen = (): readonly string[] =>
    ask("capture-pane", "-p")
      .split("\n")
      .slice(0, rows)
      .map((line) => line.trimEnd());
  return {
    screen,
    ...waitingFor(screen),
    type,
    buffer: () => ask("show-buffer"),
    isAlternate: () => ask("display-message", "-p", "#{alternate_on}").trim() === "1",
  };
}
