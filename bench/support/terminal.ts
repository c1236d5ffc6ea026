import { readdirSync, readFileSync } from "node:fs";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";

export interface Program {
  lines(): readonly string[];
  /** Resolves with the time (`performance.now()`) at which the terminal first met the condition. */
  until(shown: (lines: readonly string[]) => boolean): Promise<number>;
  /** Calls `look` after each piece of output, until the returned function is called. */
  watch(look: (lines: readonly string[]) => void): () => void;
  write(keys: string): void;
  signal(name: string): void;
  /** Resolves when the program ends, with the time (`performance.now()`). */
  readonly ended: Promise<number>;
  /** The number of bytes written so far, and when the last of them was written. */
  written(): { readonly bytes: number; readonly at: number };
  /** True if the program has restored the terminal to the state before its start. */
  isRestored(): boolean;
  cpuMs(): number;
  memoryMiB(): number;
}

export interface ProgramOptions {
  readonly columns: number;
  readonly rows: number;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

const PATIENCE_MS = 20_000;

export function open(command: string, words: readonly string[], options: ProgramOptions): Program {
  const { columns, rows, cwd } = options;
  const env = { ...options.env, TERM: "xterm-256color" };
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const child = spawn(command, [...words], { cols: columns, rows, cwd, env });
  const looks = new Set<(at: number) => void>();
  let bytes = 0;
  let last = 0;
  child.onData((data) => {
    const at = (last = performance.now());
    bytes += Buffer.byteLength(data);
    terminal.write(data, () => {
      for (const look of looks) look(at);
    });
  });
  const ended = new Promise<number>((resolve) => {
    child.onExit(() => resolve(performance.now()));
  });
  const lines = (): readonly string[] => {
    const { active } = terminal.buffer;
    return Array.from(
      { length: rows },
      (_none, at) => active.getLine(active.viewportY + at)?.translateToString(true) ?? "",
    );
  };
  const watch = (look: (lines: readonly string[], at: number) => void): (() => void) => {
    const told = (at: number): void => look(lines(), at);
    looks.add(told);
    return () => void looks.delete(told);
  };
  return {
    lines,
    watch,
    until: async (shown) =>
      await new Promise<number>((resolve, reject) => {
        const late = setTimeout(() => {
          stop();
          reject(new Error(`the screen is\n${lines().join("\n")}`));
        }, PATIENCE_MS);
        const look = (now: readonly string[], at: number): void => {
          if (!shown(now)) return;
          stop();
          clearTimeout(late);
          resolve(at);
        };
        const stop = watch(look);
        look(lines(), performance.now());
      }),
    write: (keys) => child.write(keys),
    signal: (name) => child.kill(name),
    ended,
    written: () => ({ bytes, at: last }),
    isRestored: () =>
      terminal.buffer.active.type === "normal" && !terminal.modes.bracketedPasteMode,
    cpuMs: () => cpuMs(child.pid),
    memoryMiB: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
  };
}

/**
 * The processor time of all threads in milliseconds. It is read from `schedstat`, which counts nanoseconds: the times
 * in `stat` are too coarse for an idle program.
 */
function cpuMs(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}
