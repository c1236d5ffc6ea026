import { EXIT_CODES, failureOf } from "../cli/failure/failure.ts";
import { processContext } from "../cli/process-context.ts";
import { processEnv, processFolder, takeReadyDescriptor } from "../config/env.ts";
import { type ConfigInput, loadConfig } from "../config/load.ts";
import { runDaemon, StartError, unavailable } from "../daemon/index.ts";

/**
 * Runs `daemon start --foreground [--listen <ip:port>] [--insecure-readonly]`, the command line with which clients
 * start a daemon. It loads neither oclif nor the command, so that the client's first command waits less. Returns
 * `false` for any other command line, which the command then handles.
 */
export async function runPlainly(words: readonly string[], version: string): Promise<boolean> {
  const flags = readWords(words);
  if (flags === undefined) return false;
  const ready = takeReadyDescriptor();
  const { stdout, stderr, exitWith } = processContext();
  const note = (text: string): void => stderr.write(`${text}\n`);
  try {
    const config = await loadConfig({ env: processEnv(), cwd: processFolder(), flags });
    for (const warning of config.warnings) note(warning);
    await runDaemon({
      config,
      version,
      ready,
      note,
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

/**
 * True if another daemon was started first, so this process has nothing to do
 * (docs/contract/command-line.md#45-starting-by-a-command).
 */
function isNothingToDo(error: unknown): error is StartError {
  return error instanceof StartError && error.fault === "already_running";
}

function readWords(words: readonly string[]): ConfigInput["flags"] {
  const [daemon, start, foreground, ...rest] = words;
  if (daemon !== "daemon" || start !== "start" || foreground !== "--foreground") return undefined;
  const [flag, listen] = rest;
  const named = flag === "--listen" && listen !== undefined && !listen.startsWith("-");
  const [readonly, ...others] = rest.slice(named ? 2 : 0);
  if (others.length > 0 || (readonly !== undefined && readonly !== "--insecure-readonly"))
    return undefined;
  return {
    ...(named ? { listen } : {}),
    ...(readonly === undefined ? {} : { insecureReadonly: "true" }),
  };
}
