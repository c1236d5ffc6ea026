import { Config } from "@oclif/core/config";
import { commandHelp, type HelpCommand, rootHelp, topicHelp } from "../render/help.ts";

const MAX_COLUMNS = 100;

/**
 * Returns the help for the words before the first flag, or `undefined` if they name neither a command nor a topic. The
 * texts come from oclif's manifest.
 */
export async function helpFor(
  argv: readonly string[],
  { root, version }: { readonly root: string; readonly version: string },
  terminalColumns: number | undefined,
): Promise<string | undefined> {
  const commands = await allCommands(root, version);
  const columns = Math.min(Math.max(terminalColumns ?? 80, 40), MAX_COLUMNS);
  const flag = argv.findIndex((word) => word.startsWith("-"));
  const words = flag === -1 ? argv : argv.slice(0, flag);
  if (words.length === 0) return rootHelp(commands, columns);
  for (let count = words.length; count > 0; count--) {
    const id = words.slice(0, count).join(":");
    const command = commands.find(({ id: name, aliases }) => name === id || aliases.includes(id));
    if (command !== undefined) return commandHelp(command, commands, columns);
    // `svc label nonsense --help` is a mistake. `svc create some title --help` is not: those words are arguments.
    if (count === words.length && commands.some(({ id: name }) => name.startsWith(`${id}:`))) {
      return topicHelp(id, commands, columns);
    }
  }
  return undefined;
}

export async function allCommands(root: string, version: string): Promise<readonly HelpCommand[]> {
  const config = await Config.load({ root, version, userPlugins: false, devPlugins: false });
  // oclif lists each alias as if it were a command of its own; leave those out.
  const own = config.commands.filter(({ id, hidden, aliases }) => !hidden && !aliases.includes(id));
  return own.sort(({ id: a }, { id: b }) => (a < b ? -1 : 1));
}
