import { createReadStream, rmSync } from "node:fs";
import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { unreadable } from "./input.ts";

/** Means standard input where a command takes the path of a file to read. */
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
  const folder = await mkdtemp(join(tmpdir(), "svc-input-"));
  const stop = removeWhenEnded(folder);
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
    stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const ENDS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Removes the copy even if a signal ends the process, because it contains all data of the export. */
function removeWhenEnded(folder: string): () => void {
  const remove = (name: NodeJS.Signals): void => {
    stop();
    rmSync(folder, { recursive: true, force: true });
    process.kill(process.pid, name);
  };
  const stop = (): void => {
    for (const name of ENDS) process.off(name, remove);
  };
  for (const name of ENDS) process.on(name, remove);
  return stop;
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
