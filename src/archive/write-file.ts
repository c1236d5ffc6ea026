import { createHash, type Hash } from "node:crypto";
import { type FileHandle, link, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { SvcError } from "../contract/errors.ts";
import { folderRefused } from "./output.ts";

const BUFFER_CHARACTERS = 256 * 1024;

/** At most this much is left unsynced: a daemon's commits to the same disk would wait until all of it is written. */
const UNSYNCED_BYTES = 8 * 1024 * 1024;

export interface Written {
  readonly lines: number;
  readonly bytes: number;
  /** Of the bytes as they were handed to the disk, lower-case hex. */
  readonly sha256: string;
}

/** How a finished temporary file gets its name. */
export type Placing = (temp: string, path: string) => Promise<void>;

/**
 * Writes a file that is there whole or not at all: a temporary one beside it, synced, then renamed over the name (or
 * placed otherwise). Readable by its owner only, as it holds everything the database holds. What `check` throws about
 * the temporary one keeps it from ever getting the name.
 */
export async function writeFileWhole(
  path: string,
  lines: AsyncIterable<string>,
  check: (temp: string, written: Written) => Promise<void> = async () => undefined,
  place: Placing = rename,
): Promise<Written> {
  const temp = tempFileOf(path);
  const file = await open(temp, "wx", 0o600).catch((cause: NodeJS.ErrnoException) => {
    throw folderRefused(path, cause);
  });
  try {
    const written = await writeLines(file, lines);
    await file.sync();
    await file.close();
    await check(temp, written);
    await place(temp, path);
    await syncFolder(dirname(path));
    return written;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temp, { force: true });
    throw error;
  }
}

/** Gives the name to the file only when nobody else has it. */
export async function placeNew(temp: string, path: string): Promise<void> {
  try {
    await link(temp, path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST") throw isThere(path);
    // A file system without second names: the name is taken by an empty file first, then by the whole one.
    await (await open(path, "wx", 0o600)).close();
    await rename(temp, path);
    return;
  }
  await rm(temp);
}

export function isThere(path: string): SvcError {
  const message = `${path} is there already; nothing was written`;
  const hint = "name another file, or move that one away";
  return new SvcError("conflict", { path }, { message, hint });
}

function tempFileOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
}

/** The process that writes the file of this name, when it is the name of a temporary one. */
export function writerOf(name: string): { readonly of: string; readonly pid: number } | undefined {
  const [, of, pid] = /^\.(.+)\.(\d+)\.tmp$/.exec(name) ?? [];
  return of === undefined ? undefined : { of, pid: Number(pid) };
}

async function writeLines(file: FileHandle, lines: AsyncIterable<string>): Promise<Written> {
  const hash: Hash = createHash("sha256");
  const written = { lines: 0, bytes: 0 };
  let waiting: string[] = [];
  let size = 0;
  let unsynced = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(waiting.join(""));
    hash.update(bytes);
    await file.writeFile(bytes);
    written.bytes += bytes.length;
    waiting = [];
    size = 0;
    unsynced += bytes.length;
    if (unsynced < UNSYNCED_BYTES) return;
    await file.datasync();
    unsynced = 0;
  };
  for await (const line of lines) {
    waiting.push(line, "\n");
    written.lines += 1;
    size += line.length + 1;
    if (size >= BUFFER_CHARACTERS) await flush();
  }
  await flush();
  return { ...written, sha256: hash.digest("hex") };
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
