import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { onTestFinished } from "vitest";
import type { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { NOTHING_LEFT } from "../../src/cli/failure/failure.ts";
import type { Output } from "../../src/cli/process-context.ts";
import { type CommandRegistry, findCommand, thinConfig } from "../../src/cli/start/launch.ts";
import type { Env } from "../../src/config/env.ts";
import { loadConfig } from "../../src/config/load.ts";
import { type DaemonSettings, startDaemon } from "../../src/daemon/index.ts";
import { settingsFrom } from "../../src/daemon/settings.ts";
import { FakeClock } from "../support/clock.ts";
import { countingIds } from "../support/ids.ts";

const VERSION = "1.2.3";
const ROOT = join(import.meta.dirname, "..", "..");
const COMMANDS = join(ROOT, "commands");

/** Returns the path of each command's file, by the words of the command. */
export function commandFiles(): ReadonlyMap<string, string> {
  const files = readdirSync(COMMANDS, { recursive: true, encoding: "utf8" });
  const found = files
    .filter((file) => file.endsWith(".ts"))
    .map((file) => {
      const words = file.slice(0, -".ts".length).split(sep);
      if (words.length > 1 && words.at(-1) === "index") words.pop();
      return [words.join(":"), join(COMMANDS, file)] as const;
    });
  return new Map(found);
}

/** Read from the text, because loading every command takes seconds. */
function aliasesIn(file: string): readonly string[] {
  const list = /static override aliases = \[([^\]]*)\]/.exec(readFileSync(file, "utf8"));
  return [...(list?.[1] ?? "").matchAll(/"([^"]+)"/g)].map(([, alias = ""]) => alias);
}

const FILES = commandFiles();
export const IDS: Readonly<Record<string, string>> = Object.fromEntries(
  [...FILES].flatMap(([id, file]) => [id, ...aliasesIn(file)].map((name) => [name, id])),
);
const REGISTRY: CommandRegistry = {
  version: VERSION,
  root: ROOT,
  ids: IDS,
  load: () => {
    throw new Error("the harness loads commands itself");
  },
};

export interface Ran {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

export interface RunOptions {
  readonly env?: Env;
  readonly cwd?: string;
  readonly stdin?: string | Uint8Array;
  /** The text that a person types when the command asks. */
  readonly typed?: string;
  /** The width of the terminal that stdout is; absent if stdout is no terminal. */
  readonly terminal?: number;
  /** Sends an interrupt once the terminal shows text that matches. */
  readonly interruptAt?: RegExp;
  /** Closes stdout after this many lines, as a reader that goes away does. */
  readonly closeAfter?: number;
  /** Replaces stdout, such as by a file on a full disk. */
  readonly stdout?: Output;
}

/** Runs one command line in this process, with its own environment, folder and terminal. */
export async function runCommand(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const found = findCommand(words, IDS);
  if (found === undefined) throw new Error(`no command in ${words.join(" ")}`);
  const { default: Command } = await import(FILES.get(found.id) ?? "");
  Command.id = found.id;
  const command: SvcCommand = new Command(found.rest, thinConfig(REGISTRY));
  const [stdout, stderr] = [
    outputFor(options),
    outputFor(options.typed === undefined ? {} : { terminal: 80 }),
  ];
  let code = 0;
  const { interruptAt } = options;
  const interrupted: (() => void)[] = [];
  command.context = {
    env: options.env ?? {},
    cwd: options.cwd ?? ROOT,
    stdout: options.stdout ?? stdout.output,
    stderr: {
      ...stderr.output,
      write: (text) => {
        stderr.output.write(text);
        if (interruptAt?.test(stderr.text()) === true)
          for (const listener of interrupted.splice(0)) listener();
      },
    },
    readStdin: () => {
      if (options.stdin === undefined) throw new Error("the command read stdin");
      return Buffer.from(options.stdin);
    },
    stdinIsTerminal: options.typed !== undefined,
    readLine: () => options.typed,
    readHiddenLine: async () => await Promise.resolve(options.typed),
    exitWith: (exit) => {
      code = exit;
    },
    onInterrupt: (listener) => void interrupted.push(listener),
  };
  await command["_run"]();
  return { out: stdout.text(), err: stderr.text(), code };
}

function outputFor({ terminal, closeAfter }: RunOptions) {
  let text = "";
  let lines = 0;
  const closing: (() => void)[] = [];
  const output: Output = {
    write: (piece) => {
      text += piece;
      lines += String(piece).split("\n").length - 1;
      if (lines === closeAfter) for (const listener of closing) listener();
    },
    isTerminal: terminal !== undefined,
    columns: terminal,
    onClosed: (listener) => closing.push(listener),
  };
  return { output, text: () => text };
}

/**
 * Makes a home with a real daemon, and a folder to work in. The daemon's ids are numbered, and its clock stands still.
 */
/** With `bootstrap` the daemon asks for tokens of persons, and commands send that one, which administers them. */
export async function cliWorld({ bootstrap }: { readonly bootstrap?: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "svc-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [home, work] = [join(folder, "home"), join(folder, "web")];
  mkdirSync(home);
  mkdirSync(work);
  const token = bootstrap === undefined ? {} : { SVC_AUTH_TOKEN: bootstrap };
  const env = { SVC_HOME: home, HOME: folder, XDG_RUNTIME_DIR: folder, USER: "ann", ...token };
  const clock = new FakeClock();
  const config = await loadConfig({ env, cwd: work });
  const mode = { authentication: { mode: "identity", token: bootstrap } } as const;
  const settings = {
    ...settingsFrom(config, VERSION),
    ...(bootstrap === undefined ? {} : mode),
    ...{ clock, ids: countingIds() },
  };
  const daemon = await startDaemon(settings);
  onTestFinished(async () => await daemon.stop());

  async function run(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const { env: more = {}, ...rest } = options;
    return await runCommand(words, { cwd: work, ...rest, env: { ...env, ...more } });
  }

  return {
    home,
    work,
    clock,
    daemon,
    /** Starts the daemon again with changed settings. */
    restart: async (changes: Partial<DaemonSettings>): Promise<void> => {
      await daemon.stop();
      const other = await startDaemon({ ...settings, ...changes });
      onTestFinished(async () => await other.stop());
    },
    run,
    /** Runs a command that must succeed and print nothing on stderr. Returns its output. */
    async ok(words: readonly string[], options: RunOptions = {}): Promise<string> {
      const { out, err, code } = await run(words, options);
      if (code !== 0 || err !== "") throw new Error(`${words.join(" ")}: ${code}\n${err}`);
      return out;
    },
    /** Runs a command that must succeed and say on stderr that it left something out. Returns its output. */
    async cut(words: readonly string[], options: RunOptions = {}): Promise<string> {
      const { out, err, code } = await run(words, options);
      const isSaid = /^(\.\.\. [^\n]+\n)+$/.test(err);
      if (code !== 0 || !isSaid) throw new Error(`${words.join(" ")}: ${code}\n${err}`);
      return out;
    },
    /** Runs a command that must find nothing left to take, and report no error. Returns its output. */
    async nothingLeft(words: readonly string[], options: RunOptions = {}): Promise<string> {
      const { out, err, code } = await run(words, options);
      if (code !== NOTHING_LEFT || err !== "")
        throw new Error(`${words.join(" ")}: ${code}\n${err}`);
      return out;
    },
    /** Runs a command that must fail. Returns its error and exit code. */
    async refused(words: readonly string[], options: RunOptions = {}): Promise<Omit<Ran, "out">> {
      const { out, err, code } = await run(words, options);
      if (code === 0) throw new Error(`${words.join(" ")} was not refused:\n${out}`);
      if (out !== "") throw new Error(`${words.join(" ")} wrote to stdout:\n${out}`);
      return { err, code };
    },
    has: (name: string) => existsSync(join(work, name)),
  };
}

/** A world whose folder is bound to the project `web`, with issues that the test can name. */
export async function projectWorld() {
  const world = await cliWorld();
  await world.ok(["init", "-q"]);
  const names = new Map<string, string>();
  return {
    ...world,
    /** Makes an issue and returns its short id. */
    async issue(name: string, ...flags: readonly string[]): Promise<string> {
      const id = (await world.ok(["create", name, "-q", "--force-new", ...flags])).trim();
      names.set(id, name);
      return id;
    },
    /** Returns the text with every known short id replaced by `<name>`. */
    named(text: string): string {
      return text.replaceAll(/\b[0-9a-z]{4}\b/g, (word) => {
        const name = names.get(word);
        return name === undefined ? word : `<${name}>`;
      });
    },
  };
}
