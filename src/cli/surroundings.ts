import { readFileSync } from "node:fs";
import { type Env, processEnv } from "../config/env.ts";
import type { ColourMode } from "./render/palette.ts";

export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
}

/** What a command sees of the process that it runs in. Tests give their own. */
export interface Surroundings {
  readonly env: Env;
  readonly cwd: string;
  readonly stdout: Output;
  readonly stderr: Output;
  readStdin(): string;
  exitWith(code: number): void;
  /** Called when the person at the terminal interrupts. */
  onInterrupt(listener: () => void): void;
}

export function processSurroundings(): Surroundings {
  return {
    env: processEnv(),
    cwd: process.cwd(),
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    readStdin: () => readFileSync(0, "utf8"),
    exitWith: (code) => {
      process.exitCode = code;
    },
    onInterrupt: (listener) => {
      process.once("SIGINT", listener);
    },
  };
}

function outputOf(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY,
    columns: stream.isTTY ? stream.columns : undefined,
  };
}

/** Facts cli-and-config 1.6: only on a terminal, `NO_COLOR` wins over `SVC_COLOR_MODE`, an unknown mode is `auto`. */
export function colourMode(env: Env, output: Output): ColourMode {
  const { NO_COLOR: no, SVC_COLOR_MODE: mode } = env;
  if (!output.isTerminal || (no !== undefined && no !== "")) return "none";
  return mode === "none" || mode === "light" || mode === "dark" ? mode : "auto";
}
