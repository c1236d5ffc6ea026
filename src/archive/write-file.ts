import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

const BUFFER_BYTES = 256 * 1024;

/**
 * Writes a file that is there whole or not at all: a temporary one beside it, synced, then renamed over the name.
 * Readable by its owner only, as it holds everything the database holds.
 */
export async function writeFileWhole(path: string, lines: AsyncIterable<string>): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  const file = await open(draft, "wx", 0o600);
  try {
    await writeLines(file, lines);
    await file.sync();
    await file.close();
    await rename(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeLines(file: FileHandle, lines: AsyncIterable<string>): Promise<void> {
  let waiting: string[] = [];
  let size = 0;
  for await (const line of lines) {
    waiting.push(line, "\n");
    size += line.length + 1;
    if (size < BUFFER_BYTES) continue;
    await file.writeFile(waiting.join(""));
    waiting = [];
    size = 0;
  }
  await file.writeFile(waiting.join(""));
}

/** A rename is durable once its folder is; Windows has no handle for a folder and needs none. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
