import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { unreadable } from "./input.ts";

/** Means standard input where a command takes the path of a file. */
const STDIN = "-";

/**
 * Calls `work` with the path of a file that can be read several times, since a verification reads it several times.
 * Standard input or a pipe is first copied into a temporary file that only its owner can read.
 */
export async function withRegularFile<T>(
  path: string,
  work: (regular: string) => Promise<T>,
): Promise<T> {
  if (await isReadAgain(path)) return await work(path);
  const stopped = new AbortController();
  const folder = folderUntilEnd(stopped.signal);
  try {
    const copy = join(folder, "input");
    const file = await open(copy, "wx", 0o600);
    await pipeline(
      path === STDIN ? createReadStream("", { fd: 0, autoClose: false }) : createReadStream(path),
      file.createWriteStream(),
    ).catch((cause: unknown) => {
      throw unreadable(path, "it could not be copied into the folder for temporary files", cause);
    });
    return await work(copy);
  } finally {
    stopped.abort();
    await rm(folder, { recursive: true, force: true });
  }
}

const ENDS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Makes a temporary folder. If a signal ends the process before `signal` aborts, the folder is removed first, because
 * it contains all data of the export. The signal handlers are installed before the folder is made, so there is no
 * moment at which the folder exists without them.
 */
function folderUntilEnd(signal: AbortSignal): string {
  let folder: string | undefined;
  const stop = (): void => {
    for (const name of ENDS) process.off(name, remove);
  };
  const remove = (name: NodeJS.Signals): void => {
    stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    process.kill(process.pid, name);
  };
  for (const name of ENDS) process.on(name, remove);
  signal.addEventListener("abort", stop);
  folder = mkdtempSync(join(tmpdir(), "svc-input-"));
  return folder;
}

/**
 * Whether the path can be read several times. The result is also true for a folder and a missing path, because reading
 * them fails with a precise error.
 */
async function isReadAgain(path: string): Promise<boolean> {
  if (path === STDIN) return false;
  const found = await stat(path).catch(() => undefined);
  return found === undefined || found.isFile() || found.isDirectory();
}
