import { fstatSync, readSync, writeSync } from "node:fs";
import { errorCode } from "../base/error-code.ts";
import { readUpTo } from "../base/read-up-to.ts";
import { type Env, isSet, processEnv, processFolder } from "../config/env.ts";
import { SETTINGS, type Settings } from "../config/settings.ts";
import { hasColours } from "../config/terminal.ts";
import { OutputError } from "./failure/output-error.ts";
import type { ColourMode } from "./render/palette.ts";

export interface Output {
  write(text: string | Buffer): void;
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  /** Calls the listener once when the program that reads the output has ended (`| head`). */
  onClosed(listener: () => void): void;
}

/** The parts of the process that a command uses; tests replace them. */
export interface ProcessContext {
  readonly env: Env;
  readonly cwd: string;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Reads standard input to its end, or until it has more than `most` bytes. */
  readStdin(most: number): Buffer;
  readonly stdinIsTerminal: boolean;
  /** Reads the next typed line; `undefined` if stdin is no terminal. */
  readLine(): string | undefined;
  /** Like `readLine`, but the terminal does not show what is typed. Also `undefined` after ctrl+c. */
  readHiddenLine(): Promise<string | undefined>;
  exitWith(code: number): void;
  onInterrupt(listener: () => void): void;
}

export function processContext(): ProcessContext {
  return {
    env: processEnv(),
    // A getter, because some commands must also work in a folder that was deleted.
    get cwd() {
      return processFolder();
    },
    stdout: outputTo(1, () => process.stdout),
    stderr: outputTo(2, () => process.stderr),
    readStdin: (most) => readUpTo(0, most),
    get stdinIsTerminal() {
      return isatty(0);
    },
    readLine: () => (isatty(0) ? typedLine() : undefined),
    readHiddenLine: async () => {
      if (!isatty(0)) return undefined;
      const { readHiddenLine } = await import("./input/hidden-line.ts");
      return await readHiddenLine(process.stdin);
    },
    exitWith: (code) => {
      process.exitCode = code;
    },
    onInterrupt: (listener) => void process.once("SIGINT", listener),
  };
}

/**
 * Writes to the file descriptor directly. Node's stream takes two milliseconds to create, a tenth of a command's time,
 * so it is used only if a pipe is full and to read the terminal's width.
 */
export function outputTo(descriptor: number, stream: () => NodeJS.WriteStream): Output {
  let closed = false;
  let viaStream = false;
  const closing: (() => void)[] = [];
  const close = (): void => {
    closed = true;
    for (const listener of closing.splice(0)) listener();
  };
  const throughStream = (bytes: Buffer): void => {
    if (!viaStream) {
      viaStream = true;
      stream().on("error", (error: NodeJS.ErrnoException) => {
        if (error.code !== "EPIPE") throw error;
        close();
      });
    }
    stream().write(bytes);
  };
  return {
    write: (text) => {
      if (closed) return;
      const bytes = typeof text === "string" ? Buffer.from(text) : text;
      const left = viaStream ? bytes : writeNow(descriptor, bytes);
      if (left === undefined) close();
      else if (left.length > 0) throughStream(left);
    },
    get isTerminal() {
      return isatty(descriptor);
    },
    get columns() {
      return isatty(descriptor) ? stream().columns : undefined;
    },
    onClosed: (listener) => void closing.push(listener),
  };
}

/** Reads a typed line with one call of `readSync`, because a terminal delivers whole lines. */
function typedLine(): string {
  const bytes = Buffer.alloc(4096);
  return bytes.toString("utf8", 0, readSync(0, bytes)).replace(/\r?\n$/, "");
}

/**
 * Whether the descriptor is a terminal. `node:tty` is loaded only for a character device, because it also loads Node's
 * code for sockets.
 */
function isatty(descriptor: number): boolean {
  return isDevice(descriptor) && process.getBuiltinModule("node:tty").isatty(descriptor);
}

function isDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    // The descriptor is closed.
    return false;
  }
}

/**
 * Writes without waiting. Returns the bytes that were not written, or `undefined` if the program that reads them has
 * ended.
 */
function writeNow(descriptor: number, bytes: Buffer): Buffer | undefined {
  let done = 0;
  try {
    while (done < bytes.length) done += writeSync(descriptor, bytes, done);
  } catch (error) {
    const code = errorCode(error);
    if (code === "EPIPE") return undefined;
    if (code !== "EAGAIN") throw new OutputError(bytes.toString(), error);
  }
  return bytes.subarray(done);
}

/**
 * Chooses the colours of the output. Only a terminal gets colours. `NO_COLOR` outranks `SVC_COLOR_MODE`, and an unknown
 * mode means `auto` (docs/contract/command-line.md#16-colours-and-rows).
 */
export function colourMode(env: Env, output: Output): ColourMode {
  if (!output.isTerminal || envSetting("noColor", env)) return "none";
  const mode = envSetting("colorMode", env);
  return mode === "auto" && !hasColours(env) ? "none" : mode;
}

/** Reads the setting from the environment alone, because it is needed before any file is read. */
function envSetting<K extends "noColor" | "colorMode">(name: K, env: Env): Settings[K];
function envSetting(name: "noColor" | "colorMode", env: Env): unknown {
  const row = SETTINGS[name];
  const text = row.env?.map((variable) => env[variable]).find(isSet);
  return text === undefined ? row.default : (row.kind.fromText(text) ?? row.default);
}
