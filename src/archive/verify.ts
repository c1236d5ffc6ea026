import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { SvcError } from "../contract/errors.ts";
import { evolve } from "../domain/evolve/evolve.ts";
import { MemoryState } from "../domain/memory.ts";
import type { Rows, TableName } from "../domain/state.ts";
import { latest } from "../store/migrate.ts";
import { MIGRATIONS } from "../store/migrations/index.ts";
import type { RestoreRow } from "../store/whole.ts";
import { Comparison, type Difference } from "./doctor.ts";
import { withFileLines } from "./input.ts";
import { TABLE_ORDER } from "./kinds.ts";
import { readExport } from "./read-export.ts";
import { describeDifference } from "./storage-checks.ts";

export interface Verified {
  readonly records: number;
  readonly events: number;
  readonly bytes: number;
  readonly sha256: string;
  /** The storage schema that the file is of. */
  readonly export_version: number;
}

export interface VerifyOptions {
  /** The newest storage schema that this svc reads. */
  readonly schemaVersion: number;
  /** What the file's bytes must add up to; else what the file beside it says, where there is one. */
  readonly sha256?: string;
  /** Called before two readings with the number of lines of each. */
  readonly begin?: (lines: number) => void;
  /** Called for each line of a reading, but for the second one's events, which it leaves unread. */
  readonly tick?: () => void;
}

/**
 * Whether a restore of the file would give a sound database: its bytes are what was written, each line is what an
 * import takes, each event is what was hashed, and the rows are the fold of the events (as `svc doctor` asks of a
 * database). It is read from the disk, twice, so that only the state that the log folds to is in memory.
 */
export async function verifyExport(path: string, options: VerifyOptions): Promise<Verified> {
  const expected = options.sha256 ?? (await readChecksum(path));
  const { sha256, bytes, lines } = await checksumOf(path);
  if (expected !== undefined && expected !== sha256)
    throw damaged(path, "its bytes are not those that were written");
  options.begin?.(lines);
  const state = new MemoryState();
  const counts = await foldFile(path, state, options);
  const difference = await compareFile(path, state, options);
  if (difference !== undefined) throw damaged(path, describeDifference(difference));
  return { ...counts, bytes, sha256 };
}

/** The same for a file that somebody names, of any schema that this svc reads. */
export async function verifyFile(
  path: string,
  progress: (done: number, all: number) => void,
): Promise<Verified> {
  let [done, all] = [0, 0];
  const begin = (lines: number): void => {
    all = 2 * lines;
  };
  const tick = (): void => {
    done += 1;
    if (done % TICKS === 0) progress(done, all);
  };
  return await verifyExport(path, { schemaVersion: latest(MIGRATIONS), begin, tick });
}

/** Records between two looks at how far it is. */
export const TICKS = 500;

/** As `sha256sum` writes it and, with `-c`, reads it. */
export function checksumLine(path: string, sha256: string): string {
  return `${sha256}  ${basename(path)}\n`;
}

export function checksumPath(path: string): string {
  return `${path}.sha256`;
}

const CHECKSUM_LINE = /^([0-9a-f]{64}) [ *](.+)\n?$/;

async function readChecksum(path: string): Promise<string | undefined> {
  const text = await readFile(checksumPath(path), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const [, sha256] = CHECKSUM_LINE.exec(text) ?? [];
  if (sha256 === undefined) throw damaged(checksumPath(path), "it holds no checksum");
  return sha256;
}

async function checksumOf(path: string) {
  const hash = createHash("sha256");
  let [bytes, lines] = [0, 0];
  try {
    for await (const chunk of createReadStream(path)) {
      const read = chunk as Buffer;
      hash.update(read);
      bytes += read.length;
      lines += linesIn(read);
    }
  } catch (cause) {
    throw new SvcError("validation", { path }, { message: `cannot read ${path}`, cause });
  }
  return { sha256: hash.digest("hex"), bytes, lines };
}

const NEWLINE = 0x0a;

function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

async function foldFile(
  path: string,
  state: MemoryState,
  options: VerifyOptions,
): Promise<Pick<Verified, "records" | "events" | "export_version">> {
  return await withRows(path, options, async (rows, head) => {
    let [records, events] = [head.records, 0];
    for await (const { table, row } of rows) {
      if (!isArchived(table)) continue;
      options.tick?.();
      records += 1;
      if (table !== "event") continue;
      events += 1;
      state.apply(evolve(state, row));
    }
    return { records, events, export_version: head.version };
  });
}

async function compareFile(
  path: string,
  state: MemoryState,
  options: VerifyOptions,
): Promise<Difference | undefined> {
  return await withRows(path, options, async (rows) => {
    const comparison = new Comparison(state);
    for await (const { table, row } of rows) {
      if (table === "event") break;
      options.tick?.();
      const difference = comparison.meet(table as TableName, row as Rows[TableName]);
      if (difference !== undefined) return difference;
    }
    for (const table of FOLDED) {
      const difference = comparison.missing(table);
      if (difference !== undefined) return difference;
    }
    return undefined;
  });
}

/** The tables that the file has rows of and the events fold to. */
const FOLDED = TABLE_ORDER.slice(0, TABLE_ORDER.indexOf("event")) as readonly TableName[];

function isArchived(table: RestoreRow["table"]): boolean {
  return (TABLE_ORDER as readonly string[]).includes(table);
}

interface Head {
  readonly version: number;
  /** How many lines came before the rows. */
  readonly records: number;
}

async function withRows<T>(
  path: string,
  { schemaVersion }: VerifyOptions,
  work: (rows: AsyncIterable<RestoreRow>, head: Head) => Promise<T>,
): Promise<T> {
  return await withFileLines(path, async (lines) => {
    const { rows, version, instanceUid } = await readExport(lines, schemaVersion);
    return await work(rows, { version, records: instanceUid === undefined ? 1 : 2 });
  }).catch((error: unknown) => {
    const { line, why } = error instanceof SvcError ? error.data : {};
    throw typeof why === "string" ? damaged(path, `line ${String(line)}: ${why}`) : error;
  });
}

function damaged(path: string, why: string): SvcError {
  return new SvcError(
    "validation",
    { path },
    { message: `${path} is damaged: ${why}`, hint: "keep it apart, and use another backup" },
  );
}
