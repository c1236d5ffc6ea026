import type { Command, Config } from "@oclif/core";
import { processContext } from "./process-context.ts";

type CommandClass = (new (argv: string[], config: Config) => Command) & typeof Command;

/** Where the commands come from: dist/ when built, commands/ when run from source. */
export interface CommandHost {
  readonly version: string;
  /** The folder whose package.json describes the commands to oclif. */
  readonly root: string;
  /** `label:add`, and every alias, to the id of its command. */
  readonly ids: Readonly<Record<string, string>>;
  load(id: string): CommandClass | Promise<CommandClass>;
}

/** No command's name has more words. */
const MAX_WORDS = 4;

/** Commands that read oclif's whole configuration: the list of all commands, the user's shell. */
const NEEDS_CONFIG = /^autocomplete(:|$)/;

/**
 * Runs one command line. oclif's own start reads the manifest, the theme and the plugins before
 * it looks at the first word, which takes longer than most commands; here the words pick the
 * command's file, and oclif's parser, flags and errors do the rest as ever. Help is ours, written
 * from oclif's manifest; `--version` and what needs the whole configuration go oclif's own way.
 */
export async function launch(given: readonly string[], host: CommandHost): Promise<void> {
  // `svc help list` is what people type first; oclif has only the flag.
  const argv = given[0] === "help" ? [...given.slice(1), "--help"] : [...given];
  const found = findCommand(argv, host.ids);
  if (argv[0] === "--version") return await stock(argv, host);
  if (asksForHelp(argv) || (found === undefined && isTopic(argv, host.ids))) {
    if (await help(argv, host)) return;
  } else if (found !== undefined) {
    return await (NEEDS_CONFIG.test(found.id) ? stock(argv, host) : run(found, host));
  }
  const { unknownCommand } = await import("./unknown-command.ts");
  process.exitCode = unknownCommand(argv, Object.keys(host.ids));
}

interface Found {
  readonly id: string;
  readonly rest: string[];
}

/** The longest run of leading words that names a command; the words after it are its own. */
export function findCommand(argv: readonly string[], ids: CommandHost["ids"]): Found | undefined {
  let found: Found | undefined;
  let name = "";
  for (const [place, word] of argv.slice(0, MAX_WORDS).entries()) {
    if (word.startsWith("-")) break;
    name = name === "" ? word : `${name}:${word}`;
    const id = Object.hasOwn(ids, name) ? ids[name] : undefined;
    if (id !== undefined) found = { id, rest: argv.slice(place + 1) };
  }
  return found;
}

/** As oclif has it: `--help` anywhere before `--`, or nothing at all. */
function asksForHelp(argv: readonly string[]): boolean {
  if (argv.length === 0) return true;
  const end = argv.indexOf("--");
  return argv.slice(0, end === -1 ? argv.length : end).some((word) => HELP.has(word));
}

const HELP = new Set(["--help", "-h"]);

function isTopic(argv: readonly string[], ids: CommandHost["ids"]): boolean {
  const flag = argv.findIndex((word) => word.startsWith("-"));
  const words = flag === -1 ? argv : argv.slice(0, flag);
  const prefix = `${words.join(":")}:`;
  return words.length > 0 && Object.keys(ids).some((id) => id.startsWith(prefix));
}

async function run({ id, rest }: Found, host: CommandHost): Promise<void> {
  const Found = await host.load(id);
  Found.id = id;
  const command = new Found(rest, thinConfig(host));
  try {
    await command["_run"]();
  } catch (error) {
    const { handle } = await import("@oclif/core/handle");
    await handle(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Whether there was something to say about these words. */
async function help(argv: readonly string[], host: CommandHost): Promise<boolean> {
  const { helpFor } = await import("./help.ts");
  const words = argv.filter((word) => !HELP.has(word));
  const { stdout } = processContext();
  const text = await helpFor(words, host, stdout.columns);
  if (text !== undefined) stdout.write(`${text}\n`);
  return text !== undefined;
}

async function stock(argv: string[], { root, version }: CommandHost): Promise<void> {
  // Behind `| head` nobody may be reading any more. oclif listens too, but built it waits until its command uses stdout.
  const { stdout } = process;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  const { execute } = await import("@oclif/core/execute");
  const loadOptions = { root, version, userPlugins: false, devPlugins: false };
  await execute({ args: argv, loadOptions });
}

/**
 * What a command asks its configuration for while it runs. With the separator ":" oclif has no
 * reason to rebuild the ids of all commands.
 */
export function thinConfig({ version, root }: CommandHost): Config {
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
