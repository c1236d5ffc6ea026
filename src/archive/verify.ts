import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { SvcError } from "../contract/errors.ts";
import type { StoredEvent } from "../contract/events.ts";
import {
  Comparison,
  type Difference,
  describeDifference,
  differenceOf,
} from "../domain/compare-rows.ts";
import { evolve } from "../domain/evolve/evolve.ts";
import type { Maps } from "../domain/maps.ts";
import type { MemoryState } from "../domain/memory.ts";
import { ARCHIVED, FOLDED, type FoldedTable, type Rows } from "../domain/tables/tables.ts";
import { WholeFold } from "../domain/whole-fold.ts";
import { withFileLines } from "../sources/files/input.ts";
import type { RestoreRow } from "../store/admin-store.ts";
import { MIGRATIONS } from "../store/migrations/index.ts";
import { withScratch } from "../store/scratch.ts";
import { latest } from "../store/upgrade/migrate.ts";
import { type FileBytes, readBytes } from "./digest.ts";
import { readExport } from "./read-export.ts";

export interface VerifiedExport {
  readonly records: number;
  readonly events: number;
  readonly bytes: number;
  readonly sha256: string;
  /** The storage schema of the file. */
  readonly export_version: number;
  /** Whether the file ends with a digest; files of older versions of svc have none. */
  readonly digest: boolean;
}

export interface VerifyOptions {
  /** The newest storage schema that is accepted. */
  readonly schemaVersion: number;
  /** Expected SHA-256 of the file. The default is the hash in the checksum file beside it, if there is one. */
  readonly sha256?: string;
  /** Called once with the number of lines, after the file's hash was checked. */
  readonly begin?: (lines: number) => void;
  /**
   * Called twice for each record. Two passes read the records before the first event, and each pass calls once. Only
   * the first pass reads the other records, and it calls twice for each of them.
   */
  readonly tick?: () => void;
}

/**
 * Verifies that restoring the file would give a sound database. Throws `validation` unless all of this is true:
 *
 * - The bytes match the digest and the checksum file.
 * - Every line is a valid record.
 * - Every event matches its hash.
 * - The rows are the fold of the events, as `svc doctor` requires of a database.
 *
 * To save memory, the file is read three times, and the folded rows are kept in a temporary file.
 */
export async function verifyExport(path: string, options: VerifyOptions): Promise<VerifiedExport> {
  const expected = options.sha256 ?? (await readChecksum(path));
  const read = await readBytes(path);
  const fault = faultOf(read, expected);
  if (fault !== undefined) throw damagedError(path, ...(await withPlace(path, options, fault)));
  options.begin?.(read.lines);
  const counts = await withScratch(async (scratch) => {
    const { state, ...counted } = await foldFile(path, scratch, options);
    const difference = await compareFile(path, { state, maps: scratch }, options);
    if (difference !== undefined) throw damagedError(path, describeDifference(difference));
    return counted;
  });
  const { bytes, sha256, digest } = read;
  const records = counts.records + (digest === undefined ? 0 : 1);
  return { ...counts, records, bytes, sha256, digest: digest !== undefined };
}

function faultOf(
  { sha256, announced, digest }: FileBytes,
  expected: string | undefined,
): string | undefined {
  if (announced && digest === undefined)
    return "its end is missing: line 1 announces a digest as the last line";
  if (digest !== undefined && digest.written !== digest.computed)
    return "its bytes are not those that were written: the digest in its last line is another";
  if (expected !== undefined && expected !== sha256)
    return "its bytes are not those that were written: the checksum beside it is another";
  return undefined;
}

/** Adds the number and fault of the first invalid line to the message, so that a person knows where to look. */
async function withPlace(
  path: string,
  options: VerifyOptions,
  fault: string,
): Promise<readonly [why: string, data: object]> {
  try {
    const { tick: _, ...quiet } = options;
    await withScratch(async (scratch) => {
      await foldFile(path, scratch, quiet);
    });
    return [fault, {}];
  } catch (error) {
    const { line, why, export_version: version } = error instanceof SvcError ? error.data : {};
    if (typeof version === "number")
      return [`${fault}; or it is of storage schema ${version}, which this svc does not know`, {}];
    const isSame = typeof why === "string" && why.startsWith("the end is missing");
    return typeof why === "string" && !isSame
      ? [`${fault}; line ${String(line)}: ${why}`, { line }]
      : [fault, {}];
  }
}

/**
 * Verifies a file that a person named, of any storage schema that this svc reads. `progress` gets twice the number of
 * lines so far and of all lines, because most lines are read twice.
 */
export async function verifyFile(
  path: string,
  progress: (done: number, all: number) => void = () => undefined,
): Promise<VerifiedExport> {
  let [done, all] = [0, 0];
  const begin = (lines: number): void => {
    all = 2 * lines;
  };
  const tick = (): void => {
    done += 1;
    if (done % TICKS === 0) progress(done, all);
  };
  const verified = await verifyExport(path, { schemaVersion: latest(MIGRATIONS), begin, tick });
  progress(all, all);
  return verified;
}

/** The warning about a file of an older version of svc, which has no digest but is still accepted. */
export const NO_DIGEST =
  "the file has no digest at its end, as an older svc wrote it: its lines and events are sound, but lines missing at its end would not be noticed";

/** Progress is reported each time this many records were read. */
export const TICKS = 500;

/** The line of a checksum file, in the format that `sha256sum` writes and `sha256sum -c` reads. */
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
  if (sha256 === undefined) throw damagedError(checksumPath(path), "it holds no checksum");
  return sha256;
}

/** The rows that the events of a file fold into, and the maps that are needed to read the file. */
interface FoldedFile {
  readonly state: MemoryState;
  readonly maps: Maps;
}

async function foldFile(
  path: string,
  maps: Maps,
  options: VerifyOptions,
): Promise<
  Pick<VerifiedExport, "records" | "events" | "export_version"> & Pick<FoldedFile, "state">
> {
  return await withRows(path, maps, options, async (rows, head) => {
    let [records, events] = [head.records, 0];
    const fold = new WholeFold(maps, evolveOf(path));
    for await (const { table, row } of rows) {
      options.tick?.();
      records += 1;
      if (table === "event") {
        events += 1;
        fold.add(row);
      }
      // The second pass (`compareFile`) ends at the first event. So this pass calls twice for each record from there
      // on.
      if (events > 0) options.tick?.();
    }
    const kept = maps.map<StoredEvent>();
    const state = await fold.end({
      places: async (add) => {
        await withRows(path, maps, options, async (again) => {
          for await (const { table, row } of again) {
            if (table !== "event") continue;
            kept.set(String(row.id), row);
            add(row);
          }
        });
      },
      events: async (ids) => await Promise.resolve(ids.flatMap((id) => kept.get(String(id)) ?? [])),
    });
    return { state, records, events, export_version: head.version };
  });
}

/**
 * Returns `evolve` for the events of a file. The hash of an event proves only that it was not changed, not that its
 * payload is valid. So a missing field is reported as damage of the file.
 */
function evolveOf(path: string): typeof evolve {
  return (state, event) => {
    try {
      return evolve(state, event);
    } catch (cause) {
      if (!(cause instanceof TypeError)) throw cause;
      throw damagedError(
        path,
        `event ${event.id} (${event.uid}): its payload lacks what a ${event.type} has`,
      );
    }
  };
}

async function compareFile(
  path: string,
  { state, maps }: FoldedFile,
  options: VerifyOptions,
): Promise<Difference | undefined> {
  return await withRows(path, maps, options, async (rows) => {
    const comparison = new Comparison(state, maps);
    for await (const { table, row } of rows) {
      if (table === "event") break;
      options.tick?.();
      if (!isFolded(table) || (table === "link" && isIncomparableLink(state, row))) continue;
      const difference =
        table === "waiting_link"
          ? linkDifference(state, comparison, row as Rows["waiting_link"])
          : comparison.meet(table, row as Rows[FoldedTable]);
      if (difference !== undefined) return difference;
    }
    for (const table of TABLES_COMPARED_BOTH_WAYS) {
      const difference = comparison.missing(table);
      if (difference !== undefined) return difference;
    }
    return undefined;
  });
}

/**
 * Whether the link of the file cannot be compared with the fold. In the export of one project, a link may lead to an
 * issue outside the file. The import stores such a link as a waiting link, or leaves it out if the event that set the
 * link is outside the file too.
 */
function isIncomparableLink(state: MemoryState, { from_uid, to_uid, type }: Rows["link"]): boolean {
  return (
    state.waitingLink(from_uid, to_uid, type) !== undefined ||
    state.issue(from_uid) === undefined ||
    state.issue(to_uid) === undefined
  );
}

/**
 * Returns how a waiting link in the file differs from the fold. A link may wait in the whole database but not in the
 * part of it that the file has. If the fold of this part has the link as a normal link, the two are compared as links.
 */
function linkDifference(
  state: MemoryState,
  comparison: Comparison,
  stored: Rows["waiting_link"],
): Difference | undefined {
  const { from_uid, to_uid, type } = stored;
  const folded = state.waitingLink(from_uid, to_uid, type);
  if (folded === undefined && state.link(from_uid, to_uid, type) !== undefined)
    return comparison.meet("link", stored);
  return differenceOf({ table: "waiting_link", folded, stored });
}

/**
 * The tables in which the fold must not have more rows than the file. Older files have no waiting links, so
 * `waiting_link` is not among these tables.
 */
const TABLES_COMPARED_BOTH_WAYS = FOLDED.filter(
  (table) => isArchived(table) && table !== "waiting_link",
);

function isFolded(table: RestoreRow["table"]): table is FoldedTable {
  return (FOLDED as readonly string[]).includes(table);
}

function isArchived(table: RestoreRow["table"]): boolean {
  return (ARCHIVED as readonly string[]).includes(table);
}

interface FileHead {
  readonly version: number;
  /** Number of lines before the first row. */
  readonly records: number;
}

async function withRows<T>(
  path: string,
  maps: Maps,
  { schemaVersion }: VerifyOptions,
  work: (rows: AsyncIterable<RestoreRow>, head: FileHead) => Promise<T>,
): Promise<T> {
  return await withFileLines(path, async (lines) => {
    const { rows, version, instanceUid } = await readExport(lines, schemaVersion, maps);
    return await work(rows, { version, records: instanceUid === undefined ? 1 : 2 });
  }).catch((error: unknown) => {
    const { line, why } = error instanceof SvcError ? error.data : {};
    throw typeof why === "string"
      ? damagedError(path, `line ${String(line)}: ${why}`, { line, why })
      : error;
  });
}

function damagedError(path: string, why: string, data: object = {}): SvcError {
  return new SvcError(
    "validation",
    { path, ...data },
    { message: `${path} is damaged: ${why}`, hint: "keep it apart, and use another backup" },
  );
}
