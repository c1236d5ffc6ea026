import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

const BUFFER_CHARACTERS = 256 * 1024;

export interface Written {
  readonly lines: number;
  readonly bytes: number;
}

/**
 * Writes a file that is there whole or not at all: a temporary one beside it, synced, then renamed over the name.
 * Readable by its owner only, as it holds everything the database holds.
 */
export async function writeFileWhole(path: string, lines: AsyncIterable<string>): Promise<Written> {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  const file = await open(draft, "wx", 0o600);
  try {
    const written = await writeLines(file, lines);
    await file.sync();
    await file.close();
    await rename(draft, path);
    await syncFolder(dirname(path));
    return written;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeLines(file: FileHandle, lines: AsyncIterable<string>): Promise<Written> {
  const written = { lines: 0, bytes: 0 };
  let waiting: string[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(waiting.join(""));
    await file.writeFile(bytes);
    written.bytes += bytes.length;
    waiting = [];
    size = 0;
  };
  for await (const line of lines) {
    waiting.push(line, "\n");
    written.lines += 1;
    size += line.length + 1;
    if (size >= BUFFER_CHARACTERS) await flush();
  }
  await flush();
  return written;
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
