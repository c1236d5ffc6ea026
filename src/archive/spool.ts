import { createReadStream, rmSync } from "node:fs";
import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { unreadable } from "./input.ts";

/** The name of standard input, for commands that read a file. */
export const STDIN = "-";

/**
 * A file is read more than once before it is believed. What can be read only once (standard input, a pipe) is copied
 * into a temporary file of its owner's alone first.
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

/** The copy holds all of the data: a signal that ends the process does not leave it behind. */
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

/** True for folders and missing paths too: reading them gives the error that names the fault. */
async function isReadAgain(path: string): Promise<boolean> {
  if (path === STDIN) return false;
  const found = await stat(path).catch(() => undefined);
  return found === undefined || found.isFile() || found.isDirectory();
}
