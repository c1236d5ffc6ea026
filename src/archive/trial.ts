import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Instant } from "../base/clock.ts";
import { removeFiles } from "../base/files.ts";
import { makeFolders } from "../base/folders.ts";
import { isPlainObject, parseJson } from "../base/json.ts";
import { invalid, SvcError } from "../contract/errors.ts";
import { tryLock } from "../store/lock.ts";
import { openSnapshot, withUpgraded } from "../store/open.ts";
import { newestBackup } from "./backup.ts";
import { type RestoreDeps, restoreNew } from "./restore.ts";
import type { Target } from "./target.ts";
import { type VerifiedExport, verifyFile } from "./verify.ts";
import { writeFileWhole } from "./write-file.ts";

/** What the last trial of a backup of one database found. */
export interface Trial {
  readonly path: string;
  /** When the trial ended. */
  readonly at: Instant;
  readonly ok: boolean;
  /** Why the trial failed. */
  readonly message?: string;
}

export interface TrialOptions {
  /** The folder of the backups. */
  readonly folder: string;
  /** The folder for the scratch database and for what the trials found. Only trials write into it. */
  readonly scratch: string;
  readonly progress?: (done: number, all: number) => void;
}

/**
 * Restores the newest backup of a database into a scratch database, examines that as `svc doctor` does, and removes it.
 * Stores the result, which `lastTrial` returns, and throws if the backup could not be restored.
 */
export async function tryNewest(
  deps: RestoreDeps,
  source: Target,
  options: TrialOptions,
): Promise<VerifiedExport & { readonly path: string }> {
  const instanceUid = await instanceOf(source);
  makeFolders(options.scratch);
  const lock = tryLock(join(options.scratch, "lock"));
  if (lock === undefined) throw scratchInUseError();
  try {
    clearScratch(options.scratch);
    return await tryRestore(deps, instanceUid, options);
  } finally {
    lock.release();
  }
}

/** What the last trial found; `undefined` if there was none, or if its record cannot be read. */
export async function lastTrial(scratch: string, instanceUid: string): Promise<Trial | undefined> {
  const text = await readFile(recordPath(scratch, instanceUid), "utf8").catch(() => undefined);
  const record = text === undefined ? undefined : readRecord(text);
  if (record === undefined) return undefined;
  const { path, at, ok, message } = record;
  if (typeof path !== "string" || typeof at !== "string" || typeof ok !== "boolean")
    return undefined;
  return { path, at, ok, ...(typeof message === "string" ? { message } : {}) };
}

function readRecord(text: string) {
  try {
    const record = parseJson(text);
    return isPlainObject(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Like `lastTrial`, for the database at `source`. */
export async function lastTrialOf(source: Target, scratch: string): Promise<Trial | undefined> {
  return await lastTrial(scratch, await instanceOf(source));
}

/** Removes the scratch database of a trial that was killed, unless another trial runs. */
export function clearAfterKill(scratch: string): void {
  if (!existsSync(scratch)) return;
  const lock = tryLock(join(scratch, "lock"));
  if (lock === undefined) return;
  clearScratch(scratch);
  lock.release();
}

/**
 * Tries the newest backup. If that backup is removed during the trial, because a newer one was made, tries the backup
 * that is then the newest.
 */
async function tryRestore(
  deps: RestoreDeps,
  instanceUid: string,
  { folder, scratch, progress }: TrialOptions,
): Promise<VerifiedExport & { readonly path: string }> {
  for (;;) {
    const newest = await newestBackup(folder, instanceUid);
    if (newest === undefined) throw noBackup(folder);
    const { path } = newest;
    const note = async (found: Pick<Trial, "ok" | "message">): Promise<void> =>
      await writeRecord(recordPath(scratch, instanceUid), { path, at: deps.clock.now(), ...found });
    try {
      const verified = await restoreTrial(deps, path, { scratch, progress });
      await note({ ok: true });
      return { path, ...verified };
    } catch (error) {
      if (!existsSync(path)) continue;
      // If the disk is full, the result cannot be stored either. The error is then the only report.
      await note({ ok: false, message: messageOf(error) }).catch(() => undefined);
      throw error;
    }
  }
}

async function restoreTrial(
  deps: RestoreDeps,
  path: string,
  { scratch, progress }: Pick<TrialOptions, "scratch"> & { progress: TrialOptions["progress"] },
): Promise<VerifiedExport> {
  await requireRoom(path, scratch);
  const verified = await verifyFile(path, progress);
  const target = { dialect: "sqlite", dsn: join(scratch, SCRATCH) } as const;
  const { sha256 } = verified;
  const fault = await restoreNew(deps, { file: path, sha256, target }).finally(() =>
    clearScratch(scratch),
  );
  if (fault === undefined) return verified;
  throw new SvcError(
    "validation",
    { path },
    {
      message: `${path} was restored into a scratch database, which is not sound: ${fault}`,
      hint: "keep it apart, and use another backup",
    },
  );
}

/**
 * How many bytes of disk space a trial needs for each byte of the backup. They hold the restored database, its
 * write-ahead log (which first contains the whole database) and temporary data for reading the file.
 */
const ROOM_PER_BYTE = 4;
/** How much disk space a trial must leave free, because the daemon's database may be on the same disk. */
const ROOM_LEFT = 64 * 1024 * 1024;

/** Throws if a trial could fill the disk, to which a daemon may be writing. */
async function requireRoom(path: string, scratch: string): Promise<void> {
  const [{ size }, { bavail, bsize }] = await Promise.all([stat(path), statfs(scratch)]);
  const [needed, free] = [size * ROOM_PER_BYTE + ROOM_LEFT, bavail * bsize];
  if (free >= needed) return;
  const data = { reason: "disk_full", path: scratch };
  const message = `${scratch} has ${mebibytes(free)} free, and restoring ${path} there needs ${mebibytes(needed)}`;
  throw new SvcError("unavailable", data, { message, hint: "free some space on that disk" });
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MiB`;
}

const SCRATCH = "scratch.db";

function clearScratch(scratch: string): void {
  removeFiles(join(scratch, SCRATCH), /^(\.[\w.-]+)?(-wal|-shm|-journal)?$/);
}

function recordPath(scratch: string, instanceUid: string): string {
  const name = createHash("sha256").update(instanceUid).digest("hex").slice(0, 32);
  return join(scratch, `${name}.json`);
}

async function writeRecord(path: string, trial: Trial): Promise<void> {
  await writeFileWhole(path, lines(JSON.stringify(trial)));
}

async function* lines(text: string): AsyncGenerator<string> {
  yield text;
}

async function instanceOf(source: Target): Promise<string> {
  return await withUpgraded(source, async (readable) => {
    const snapshot = await openSnapshot({ ...source, ...readable });
    await snapshot.close();
    return snapshot.instanceUid;
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function noBackup(folder: string): SvcError {
  return invalid(
    `there is no backup of this database in ${folder}`,
    "make one with svc backup, or set [backup] interval in config.toml",
  );
}

function scratchInUseError(): SvcError {
  const message = "another process restores a backup into the scratch database";
  return new SvcError("conflict", {}, { message, hint: "try again when it has ended" });
}
