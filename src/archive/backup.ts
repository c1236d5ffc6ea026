import { lstat, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { errorCode } from "../base/error-code.ts";
import { makeFolders } from "../base/folders.ts";
import { isPlainObject, parseJson } from "../base/json.ts";
import { invalid } from "../contract/errors.ts";
import { ARCHIVED } from "../domain/tables/tables.ts";
import { withFileLines } from "../sources/files/input.ts";
import type { Snapshot } from "../store/admin-store.ts";
import { openSnapshot, withUpgraded } from "../store/open.ts";
import { exportLines } from "./export.ts";
import { outputAt, refused } from "./output.ts";
import type { Target } from "./target.ts";
import { clearTempFiles } from "./temp-files.ts";
import { checksumLine, checksumPath, TICKS, verifyExport } from "./verify.ts";
import { isThere, placeOrRefuse, writeFileWhole } from "./write-file.ts";

export interface BackupOptions {
  readonly clock: Clock;
  readonly folder: string;
  /**
   * How many backups of this database to keep in the folder. Older ones are removed only after the new one was
   * verified.
   */
  readonly keep?: number;
  readonly progress?: (done: number, all: number) => void;
}

export interface BackupResult {
  readonly path: string;
  readonly records: number;
  readonly events: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly removed: readonly string[];
  /** The database's storage schema; present only if it is older than the schema of the backup. */
  readonly upgraded_from?: number;
}

/**
 * Backs a database up into a folder as an export of one snapshot, while other processes may go on writing. The file
 * gets its final name only after it was read back from the disk and verified; its checksum is written to a file beside
 * it.
 */
export async function backupDatabase(
  source: Target,
  { clock, folder, keep, progress }: BackupOptions,
): Promise<BackupResult> {
  requireFolder(folder);
  await removeUnfinished(folder);
  const path = join(folder, nameAt(clock.now()));
  return await withSnapshot(source, async (snapshot, upgraded) => {
    const backup = await backupFile(snapshot, path, progress);
    const removed = keep === undefined ? [] : await removeOlder(folder, snapshot.instanceUid, keep);
    return { path, ...backup, removed, ...upgraded };
  });
}

function requireFolder(folder: string): void {
  try {
    makeFolders(folder);
  } catch (cause) {
    const code = errorCode(cause) ?? "unknown";
    const message = `the folder of backups ${folder} cannot be made (${code})`;
    const hint = "name another file with --output, or another folder as [backup] directory";
    throw invalid(message, hint, cause);
  }
}

/** Backs a database up into the file that the caller names. An existing file is refused, never overwritten. */
export async function backupInto(
  source: Target,
  path: string,
  progress?: BackupOptions["progress"],
): Promise<BackupResult> {
  await requireFree(path);
  return await withSnapshot(source, async (snapshot, upgraded) => {
    return { path, ...(await backupFile(snapshot, path, progress)), removed: [], ...upgraded };
  });
}

/**
 * Runs `work` with a snapshot of the database. If the database has an older storage schema, the snapshot is of an
 * upgraded copy, so that a backup never changes its source.
 */
async function withSnapshot<T>(
  source: Target,
  work: (snapshot: Snapshot, upgraded: Pick<BackupResult, "upgraded_from">) => Promise<T>,
): Promise<T> {
  return await withUpgraded(source, async (readable, from) => {
    const snapshot = await openSnapshot({ ...source, ...readable });
    try {
      return await work(snapshot, from === undefined ? {} : { upgraded_from: from });
    } finally {
      await snapshot.close();
    }
  });
}

async function requireFree(path: string): Promise<void> {
  const output = await outputAt(path);
  if (output.kind !== "file")
    throw refused(
      path,
      "a backup is read back before it counts, and this cannot be read back",
      "name a file, or use svc export",
    );
  if (await isTaken(path)) throw isThere(path);
  const checksum = checksumPath(path);
  if (!(await isTaken(checksum))) return;
  if (!(await isOrphan(checksum, path))) throw isThere(checksum);
  await rm(checksum);
}

async function isTaken(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/**
 * True if an interrupted backup to `path` left the checksum file `checksum` behind. Such a file may be replaced. The
 * caller has checked that there is no backup at `path`.
 */
async function isOrphan(checksum: string, path: string): Promise<boolean> {
  const text = await readFile(checksum, "utf8").catch(() => "");
  return /^[0-9a-f]{64} {2}/.test(text) && text.slice(66) === `${basename(path)}\n`;
}

async function backupFile(
  snapshot: Snapshot,
  path: string,
  progress: BackupOptions["progress"],
): Promise<Omit<BackupResult, "path" | "removed" | "upgraded_from">> {
  // Progress counts each record three times: when it is written, and twice when it is read back.
  const all = progress === undefined ? 0 : 3 * (await snapshot.count(ARCHIVED));
  let done = 0;
  const tick = (): void => {
    done += 1;
    if (done % TICKS === 0) progress?.(Math.min(done, all), all);
  };
  const lines = tickPerLine(exportLines(snapshot, { includeDeleted: true }), tick);
  let events = 0;
  const { schemaVersion } = snapshot;
  const {
    bytes,
    sha256,
    lines: records,
  } = await writeFileWhole(
    path,
    lines,
    async (temp, written) => {
      const found = await verifyExport(temp, { schemaVersion, sha256: written.sha256, tick });
      events = found.events;
      // The checksum is written first, so that a backup never has its final name without one.
      await writeChecksum(path, written.sha256);
    },
    placeOrRefuse,
  );
  progress?.(all, all);
  return { records, events, bytes, sha256 };
}

async function writeChecksum(path: string, sha256: string): Promise<void> {
  const place = checksumPath(path);
  const text = checksumLine(path, sha256);
  await writeFile(place, text, { mode: 0o600, flag: "wx" }).catch((error: unknown) => {
    const taken = errorCode(error) === "EEXIST";
    throw taken ? isThere(place) : error;
  });
}

async function* tickPerLine(
  lines: AsyncIterable<string>,
  tick: () => void,
): AsyncGenerator<string> {
  for await (const line of lines) {
    tick();
    yield line;
  }
}

/**
 * The name of a backup, such as `svc-backup-20260504T091500.123Z.jsonl`. It has no colons, which some file systems
 * refuse, and sorts by time.
 */
function nameAt(now: string): string {
  return `svc-backup-${now.replaceAll(/[-:]/g, "")}.jsonl`;
}

const NAME = /^svc-backup-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z\.jsonl$/;

export interface KeptBackup {
  readonly name: string;
  readonly path: string;
  /** The instant at which the backup was made, taken from its name. */
  readonly at: string;
}

/**
 * The backups of one database in the folder, newest first. Backups of other databases in the same folder are left out.
 */
export async function listBackups(
  folder: string,
  instanceUid: string,
): Promise<readonly KeptBackup[]> {
  const kept: KeptBackup[] = [];
  for await (const backup of backupsIn(folder, instanceUid)) kept.push(backup);
  return kept;
}

/** The newest backup of a database in the folder. */
export async function newestBackup(
  folder: string,
  instanceUid: string,
): Promise<KeptBackup | undefined> {
  for await (const backup of backupsIn(folder, instanceUid)) return backup;
  return undefined;
}

async function* backupsIn(folder: string, instanceUid: string): AsyncGenerator<KeptBackup> {
  for (const name of (await namesIn(folder)).sort().reverse()) {
    const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
    const path = join(folder, name);
    if (year === undefined || (await instanceOf(path)) !== instanceUid) continue;
    yield { name, path, at: `${year}-${month}-${day}T${hour}:${minute}:${second}Z` };
  }
}

async function removeOlder(
  folder: string,
  instanceUid: string,
  keep: number,
): Promise<readonly string[]> {
  const old = (await listBackups(folder, instanceUid)).slice(keep);
  for (const { path } of old) {
    await rm(path, { force: true });
    await rm(checksumPath(path), { force: true });
  }
  return old.map(({ name }) => name);
}

/**
 * Reads the first two lines of a file, and returns the uid of the instance from which the file was exported. Returns
 * undefined if the file is not an export. Such a file is not listed as a backup, so it is never removed.
 */
async function instanceOf(path: string): Promise<string | undefined> {
  try {
    return await withFileLines(path, async (lines) => {
      for await (const { number, text } of lines) {
        const data = dataOf(text);
        if (data?.["key"] === "instance_uid" && typeof data["value"] === "string")
          return data["value"];
        if (number >= 2) return undefined;
      }
      return undefined;
    });
  } catch {
    return undefined;
  }
}

function dataOf(text: string) {
  const record = parseJson(text);
  const data = isPlainObject(record) ? record["data"] : undefined;
  return isPlainObject(data) ? data : undefined;
}

/**
 * Removes the files that killed backups left: temporary files, and checksum files, which are written before the backup
 * gets its final name.
 */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await clearTempFiles(folder, (of) => NAME.test(of)))
    await rm(checksumPath(join(folder, name)), { force: true });
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []);
}
