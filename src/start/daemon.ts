import { EXIT_CODES, failureOf } from "../cli/failure.ts";
import { processSurroundings } from "../cli/surroundings.ts";
import { processEnv, processFolder, takeReadyDescriptor } from "../config/env.ts";
import { loadConfig } from "../config/load.ts";
import { runDaemon, StartError, unavailable } from "../daemon/index.ts";

/**
 * `daemon start --foreground [--listen <ip:port>]`, the words that clients start a daemon with, without oclif and
 * without the command: a first command waits for all that is loaded here. `false`: the words are others, and the
 * command reads them.
 */
export async function runPlainly(words: readonly string[], version: string): Promise<boolean> {
  const flags = readWords(words);
  if (flags === undefined) return false;
  const ready = takeReadyDescriptor();
  const { stdout, stderr, exitWith } = processSurroundings();
  const note = (text: string): void => stderr.write(`${text}\n`);
  try {
    const config = await loadConfig({ env: processEnv(), cwd: processFolder(), flags });
    for (const warning of config.warnings) note(warning);
    await runDaemon({
      config,
      version,
      ready,
      started: (address) => {
        if (stdout.isTerminal) stdout.write(`listening on ${address}\n`);
      },
    });
  } catch (error) {
    if (isNothingToDo(error)) {
      note(error.message);
      return true;
    }
    const failure = failureOf(error instanceof StartError ? unavailable(error) : error);
    const { failureText } = await import("../cli/render/failure.ts");
    note(failureText(failure, "human", "start"));
    exitWith(EXIT_CODES[failure.kind]);
  }
  return true;
}

/** Of several started at once one serves, and the others have nothing to do (facts cli-and-config 4.5). */
function isNothingToDo(error: unknown): error is StartError {
  return error instanceof StartError && error.fault === "already_running";
}

function readWords(words: readonly string[]): { readonly listen?: string } | undefined {
  const [daemon, start, foreground, flag, listen, ...rest] = words;
  const known = daemon === "daemon" && start === "start" && foreground === "--foreground";
  if (!known || rest.length > 0) return undefined;
  if (flag === undefined) return {};
  const isListen = flag === "--listen" && listen !== undefined && !listen.startsWith("-");
  return isListen ? { listen } : undefined;
}
