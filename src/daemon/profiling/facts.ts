import { readdir, readFile } from "node:fs/promises";
import { processEnv } from "../../config/env.ts";

/**
 * Returns the number of resources of each kind that keep the event loop running. This replaces Go's list of goroutines,
 * which Node does not have.
 */
export function activeResources(): string {
  return JSON.stringify({ active_resources: countsByName(process.getActiveResourcesInfo()) });
}

/** Returns the size of the thread pool and, on Linux, the number of threads of each name. */
export async function threads(poolSize = processEnv()["UV_THREADPOOL_SIZE"]): Promise<string> {
  const names = await threadNames();
  return JSON.stringify({
    thread_pool_size: Number(poolSize ?? DEFAULT_POOL),
    ...(names.length > 0 && { threads: countsByName(names) }),
  });
}

const DEFAULT_POOL = 4;
const TASKS = "/proc/self/task";

async function threadNames(): Promise<readonly string[]> {
  const ids = await readdir(TASKS).catch(() => []);
  // The name of a thread that has ended in the meantime is empty; such a thread is left out.
  const name = async (id: string): Promise<string> =>
    (await readFile(`${TASKS}/${id}/comm`, "utf8").catch(() => "")).trim();
  return (await Promise.all(ids.map(name))).filter((one) => one !== "");
}

function countsByName(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names.toSorted()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** Returns the command line of the process with NUL between the arguments, without anything that may be a secret. */
export function commandLine(
  args: readonly string[] = [process.execPath, ...process.execArgv, ...process.argv.slice(1)],
): string {
  return args
    .map((arg, at) => (SECRET_FLAG.test(args[at - 1] ?? "") ? LEFT_OUT : redactedArgument(arg)))
    .join("\0");
}

const LEFT_OUT = "***";
const SECRET_NAME = "(?:token|secret|passw|credential|auth|key)";
const SECRET_FLAG = new RegExp(`^--?[\\w-]*${SECRET_NAME}[\\w-]*$`, "i");
const SECRET_VALUE = new RegExp(`^([\\w-]*${SECRET_NAME}[\\w-]*=).+`, "is");

/** The argument without the value of a secret such as `token=…`, and without the user, password and query of a URL. */
function redactedArgument(arg: string): string {
  return arg
    .replace(SECRET_VALUE, `$1${LEFT_OUT}`)
    .replace(/(:\/\/)[^/]*@/, `$1${LEFT_OUT}@`)
    .replace(/(:\/\/[^?]*\?).+/s, `$1${LEFT_OUT}`);
}
