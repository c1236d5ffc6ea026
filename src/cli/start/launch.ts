import type { Command, Config } from "@oclif/core";
import { processContext } from "../process-context.ts";
import { isQuery } from "./only-alone.ts";

type CommandClass = (new (argv: string[], config: Config) => Command) & typeof Command;

/** Where the program finds its commands: in dist/ if it was built, in commands/ if it runs from source. */
export interface CommandRegistry {
  readonly version: string;
  /** The folder with the package.json that oclif reads. */
  readonly root: string;
  /** Maps each command id and alias, such as `label:add`, to the command id. */
  readonly ids: Readonly<Record<string, string>>;
  load(id: string): CommandClass | Promise<CommandClass>;
}

/** The longest command name has this many words. */
const MAX_WORDS = 4;

/** These commands read oclif's whole configuration. */
const NEEDS_CONFIG = /^autocomplete(:|$)/;

/**
 * Runs one command line. The usual start of oclif first loads its manifest, theme and plugins, which takes longer than
 * most commands. Here the words select the file of the command, and oclif only parses and runs it. svc prints the help
 * itself; `--version` and the commands in `NEEDS_CONFIG` use oclif's own start.
 */
export async function launch(args: readonly string[], registry: CommandRegistry): Promise<void> {
  // oclif has only the flag `--help`, and people also type `svc help list`.
  const argv = args[0] === "help" ? [...args.slice(1), "--help"] : [...args];
  const found = findCommand(argv, registry.ids);
  if (argv[0] === "--version") return await stock(argv, registry);
  if (asksForHelp(argv) || (found === undefined && isTopic(argv, registry.ids))) {
    if (await help(argv, registry)) return;
  } else if (found !== undefined) {
    return await (NEEDS_CONFIG.test(found.id) ? stock(argv, registry) : run(found, registry));
  }
  const { unknownCommand } = await import("./unknown-command.ts");
  process.exitCode = unknownCommand(argv, Object.keys(registry.ids));
}

interface FoundCommand {
  readonly id: string;
  readonly rest: string[];
}

/**
 * Finds the command with the longest name that the first words of `argv` form. The words after the name are its
 * arguments.
 */
export function findCommand(
  argv: readonly string[],
  ids: CommandRegistry["ids"],
): FoundCommand | undefined {
  let found: FoundCommand | undefined;
  let name = "";
  for (const [place, word] of argv.slice(0, MAX_WORDS).entries()) {
    if (word.startsWith("-")) break;
    name = name === "" ? word : `${name}:${word}`;
    const id = Object.hasOwn(ids, name) ? ids[name] : undefined;
    if (id !== undefined && !isQuery(id, argv[place + 1]))
      found = { id, rest: argv.slice(place + 1) };
  }
  return found;
}

/** True if there are no words, or `--help` before any `--`. */
function asksForHelp(argv: readonly string[]): boolean {
  if (argv.length === 0) return true;
  const end = argv.indexOf("--");
  return argv.slice(0, end === -1 ? argv.length : end).some((word) => HELP.has(word));
}

const HELP = new Set(["--help", "-h"]);

function isTopic(argv: readonly string[], ids: CommandRegistry["ids"]): boolean {
  const flag = argv.findIndex((word) => word.startsWith("-"));
  const words = flag === -1 ? argv : argv.slice(0, flag);
  const prefix = `${words.join(":")}:`;
  return words.length > 0 && Object.keys(ids).some((id) => id.startsWith(prefix));
}

async function run({ id, rest }: FoundCommand, registry: CommandRegistry): Promise<void> {
  const FoundCommand = await registry.load(id);
  FoundCommand.id = id;
  const command = new FoundCommand(rest, thinConfig(registry));
  try {
    // The public `Command.run` would load the whole configuration again.
    await command["_run"]();
  } catch (error) {
    const { handle } = await import("@oclif/core/handle");
    await handle(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Prints the help for these words. Returns false if the words have no help. */
async function help(argv: readonly string[], registry: CommandRegistry): Promise<boolean> {
  const { helpFor } = await import("./help.ts");
  const words = argv.filter((word) => !HELP.has(word));
  const { stdout } = processContext();
  const text = await helpFor(words, registry, stdout.columns);
  if (text !== undefined) stdout.write(`${text}\n`);
  return text !== undefined;
}

async function stock(argv: string[], { root, version }: CommandRegistry): Promise<void> {
  // The program that reads stdout may have ended (`| head`). In the built program, oclif ignores that error only after
  // oclif itself has used stdout, so ignore it here.
  const { stdout } = process;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  const { execute } = await import("@oclif/core/execute");
  const loadOptions = { root, version, userPlugins: false, devPlugins: false };
  await execute({ args: argv, loadOptions });
}

/**
 * The part of oclif's configuration that a running command needs. `topicSeparator` is ":", as in the command ids,
 * because oclif would rebuild the ids of all commands for another separator.
 */
export function thinConfig({ version, root }: CommandRegistry): Config {
  const variable = (name: string): string => `SVC_${name}`;
  const config: Partial<Config> = {
    bin: "svc",
    name: "svc",
    version,
    root,
    userAgent: `svc/${version} ${process.platform}-${process.arch} node-${process.version}`,
    pjson: { name: "svc", version, oclif: {} },
    topicSeparator: ":",
    plugins: new Map(),
    runHook: async () => ({ failures: [], successes: [] }),
    scopedEnvVar: () => undefined,
    scopedEnvVarKey: variable,
    scopedEnvVarKeys: (name) => [variable(name)],
    scopedEnvVarTrue: () => false,
  };
  return config as Config;
}
