import { readFileSync } from "node:fs";
import { type Env, processEnv } from "../config/env.ts";
import { SETTINGS, type Settings } from "../config/settings.ts";
import type { ColourMode } from "./render/palette.ts";

export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  /** Called once when nobody reads any more, as behind `| head`. */
  onClosed(listener: () => void): void;
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
    onInterrupt: (listener) => void process.once("SIGINT", listener),
  };
}

function outputOf(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY,
    columns: stream.isTTY ? stream.columns : undefined,
    onClosed: (listener) => void stream.once("error", listener),
  };
}

/** Facts cli-and-config 1.6: only on a terminal, `NO_COLOR` wins over `SVC_COLOR_MODE`, an unknown mode is `auto`. */
export function colourMode(env: Env, output: Output): ColourMode {
  if (!output.isTerminal || envSetting("noColor", env)) return "none";
  return envSetting("colorMode", env);
}

/** These two are wanted before any file is read, and in commands that read none. */
function envSetting<K extends "noColor" | "colorMode">(name: K, env: Env): Settings[K];
function envSetting(name: "noColor" | "colorMode", env: Env): unknown {
  const row = SETTINGS[name];
  const text = row.env
    ?.map((variable) => env[variable])
    .find((value) => value !== undefined && value !== "");
  return text === undefined ? row.default : (row.kind.fromText(text) ?? row.default);
}
