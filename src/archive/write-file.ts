import { createHash, type Hash } from "node:crypto";
import { renameSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { placeNew } from "../base/files.ts";
import { SvcError } from "../contract/errors.ts";
import { folderRefused } from "./output.ts";

const BUFFER_CHARACTERS = 256 * 1024;

/**
 * The maximum number of bytes that are not synced. It is small, because a daemon's commit to the same disk waits until
 * all of them are written.
 */
const UNSYNCED_BYTES = 8 * 1024 * 1024;

export interface WrittenFile {
  readonly lines: number;
  readonly bytes: number;
  /** SHA-256 of the bytes as they were written, lower-case hex. */
  readonly sha256: string;
}

export type Placing = (temp: string, path: string) => void;

/**
 * Writes a file that gets its name only when it is complete. The lines are written to a temporary file in the same
 * folder. This file is synced, checked by `check` and given its final name by `place`. If one of these steps fails, the
 * temporary file is removed. The file can be read only by its owner, because it contains all data.
 */
export async function writeFileWhole(
  path: string,
  lines: AsyncIterable<string>,
  check: (temp: string, written: WrittenFile) => Promise<void> = async () => undefined,
  place: Placing = renameSync,
): Promise<WrittenFile> {
  const temp = tempFileOf(path);
  const file = await open(temp, "wx", 0o600).catch((cause: NodeJS.ErrnoException) => {
    throw folderRefused(path, cause);
  });
  try {
    const written = await writeLines(file, lines);
    await file.sync();
    await file.close();
    await check(temp, written);
    place(temp, path);
    await syncFolder(dirname(path));
    return written;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temp, { force: true });
    throw error;
  }
}

/** Moves a file to its final name and throws `conflict` when the name is taken. */
export function placeOrRefuse(temp: string, path: string): void {
  if (!placeNew(temp, path)) throw isThere(path);
}

export function isThere(path: string): SvcError {
  const message = `${path} is there already; nothing was written`;
  const hint = "name another file, or move that one away";
  return new SvcError("conflict", { path }, { message, hint });
}

function tempFileOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
}

/** Reads the target's name and the writer's pid from the name of a temporary file; undefined for any other name. */
export function writerOf(name: string): { readonly of: string; readonly pid: number } | undefined {
  const [, of, pid] = /^\.(.+)\.(\d+)\.tmp$/.exec(name) ?? [];
  return of === undefined ? undefined : { of, pid: Number(pid) };
}

async function writeLines(file: FileHandle, lines: AsyncIterable<string>): Promise<WrittenFile> {
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

/** Syncs a folder, so that a rename in it is durable. Windows cannot open a folder and does not need this. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
