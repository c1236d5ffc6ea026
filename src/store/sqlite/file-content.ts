import { fstatSync, readSync } from "node:fs";
import type SqliteDatabase from "better-sqlite3";

/** Values that identify the open database. SQL reads them; `FileContent` looks for them in the bytes of the file. */
interface FileMarks {
  readonly pageSize: number;
  readonly metaPage: number;
  readonly headPage: number;
  readonly instanceUid: string;
  readonly lastEventId: number;
}

/**
 * Checks whether the main file still contains the database that SQLite has open. `cp` of another database over the file
 * keeps the file's inode and replaces its content, so only the bytes on the disk can tell. A checkpoint, also one by
 * another program, changes the bytes too, but only writes committed pages. So the file is accepted if all of this
 * holds:
 * - It contains this database's `instanceUid`.
 * - Its last event id has not decreased, and is not greater than the one that SQL reads.
 * - Its first page is unchanged, or a checkpoint may have written it.
 */
export class FileContent {
  readonly #file: number;
  readonly #log: number;
  readonly #database: SqliteDatabase.Database;
  #marks: FileMarks;
  #lastSeen = 0;
  /**
   * False if the main file did not contain the pages with the marks when this object was created, even after a
   * checkpoint. Then nothing can be checked.
   */
  readonly #known: boolean;

  #firstPage: Buffer = Buffer.alloc(0);
  #salts: Buffer;

  /**
   * `file` and `log` are descriptors of the main file and its log. Never close `file` while SQLite has it open: on
   * POSIX that drops SQLite's locks.
   */
  constructor(file: number, log: number, database: SqliteDatabase.Database) {
    this.#file = file;
    this.#log = log;
    this.#salts = this.#readSalts();
    this.#database = database;
    this.#marks = marksOf(database);
    this.#known = this.#checkContent() || this.#lookWritten();
  }

  #lookWritten(): boolean {
    this.#database.pragma("wal_checkpoint(passive)");
    return this.#checkContent();
  }

  /** Call this when the main file has not changed. Reads the log's salts again, since the log may have restarted. */
  unchanged(): void {
    this.#salts = this.#readSalts();
  }

  /**
   * True if the main file still contains the open database. A failed check is repeated with growing pauses, because a
   * check also fails when a write falls between two of its reads.
   */
  isOurs(): boolean {
    if (this.#checkContent() || !this.#known) return true;
    return LATER_MS.some((ms) => {
      stopFor(ms);
      return this.#checkContent();
    });
  }

  #checkContent(): boolean {
    const marks = marksOf(this.#database);
    // A vacuum moves pages, but the main file changes only at the next checkpoint. So try the page numbers from before
    // too.
    const seen = this.#lastIn(marks) ?? this.#lastIn(this.#marks);
    if (seen === undefined || seen < this.#lastSeen || seen > marks.lastEventId) return false;
    const firstPage = this.#readPage(1, marks.pageSize);
    if (!this.#isExplained(firstPage)) return false;
    this.#firstPage = firstPage;
    this.#lastSeen = seen;
    this.#marks = marks;
    this.#salts = this.#readSalts();
    return true;
  }

  /**
   * True if the first page is unchanged or if a checkpoint may have written it:
   * - The page is in the log.
   * - The log has restarted since the last check, so the page may have been in the log before.
   * - The log is empty. It may have been written and emptied since the last check, as a purge does.
   */
  #isExplained(firstPage: Buffer): boolean {
    const salts = this.#readSalts();
    return (
      this.#firstPage.length === 0 ||
      this.#firstPage.equals(firstPage) ||
      !salts.equals(this.#salts) ||
      salts.equals(NO_SALTS) ||
      this.#isInLog(firstPage)
    );
  }

  #isInLog(firstPage: Buffer): boolean {
    const frameBytes = FRAME_HEADER_BYTES + firstPage.length;
    const frames = Math.floor((fstatSync(this.#log).size - LOG_HEADER_BYTES) / frameBytes);
    const header = Buffer.alloc(FRAME_HEADER_BYTES);
    const page = Buffer.alloc(firstPage.length);
    for (let frame = frames - 1; frame >= 0; frame--) {
      const at = LOG_HEADER_BYTES + frame * frameBytes;
      readSync(this.#log, header, 0, header.length, at);
      if (header.readUInt32BE(0) !== 1 || !header.subarray(8, 16).equals(this.#salts)) continue;
      readSync(this.#log, page, 0, page.length, at + FRAME_HEADER_BYTES);
      if (page.equals(firstPage)) return true;
    }
    return false;
  }

  /** Reads the salts: two random numbers that SQLite chooses each time the log restarts and repeats in each frame. */
  #readSalts(): Buffer {
    const salts = Buffer.alloc(8);
    readSync(this.#log, salts, 0, salts.length, SALTS_AT);
    return salts;
  }

  #readPage(number: number, pageSize: number): Buffer {
    const bytes = Buffer.alloc(pageSize);
    return bytes.subarray(0, readSync(this.#file, bytes, 0, pageSize, (number - 1) * pageSize));
  }

  #lastIn({ pageSize, metaPage, headPage, instanceUid }: FileMarks): number | undefined {
    if (!this.#readPage(metaPage, pageSize).includes(instanceUid)) return undefined;
    return lastEventIdIn(this.#readPage(headPage, pageSize));
  }
}

/**
 * Pauses (ms) before repeated checks. The check is repeated several times, because the daemon ends when the file seems
 * replaced.
 */
const LATER_MS = [0, 1, 5, 20, 50] as const;

/** Blocks the thread, so that nothing else runs before it is decided whether a write may be acknowledged. */
function stopFor(ms: number): void {
  if (ms > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function marksOf(database: SqliteDatabase.Database): FileMarks {
  const readOne = <T>(sql: string): T => database.prepare<[], T>(sql).get() as T;
  const { pageSize } = readOne<{ pageSize: number }>(
    "select page_size as pageSize from pragma_page_size",
  );
  const roots = readOne<{ metaPage: number; headPage: number }>(
    `select max(case when name = 'meta' then rootpage end) as metaPage,
       max(case when name = 'log_head' then rootpage end) as headPage
     from sqlite_schema where type = 'table'`,
  );
  const { instanceUid } = readOne<{ instanceUid: string }>(
    "select value as instanceUid from meta where key = 'instance_uid'",
  );
  const { lastEventId } = readOne<{ lastEventId: number }>(
    "select last_event_id as lastEventId from log_head",
  );
  return { pageSize, ...roots, instanceUid, lastEventId };
}

/** Layout of SQLite's write-ahead log (SQLite file format, 4.1). */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const SALTS_AT = 16;
/** The salts that `#readSalts` returns for an empty log. */
const NO_SALTS = Buffer.alloc(8);

const LEAF_TABLE = 13;
/** Sizes of integers in bytes, by their serial type (SQLite file format, 2.1). */
const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8, 0, 0, 0] as const;

/**
 * Returns `last_event_id` from the leaf page of `log_head`. It is the second column of the only row, after the row id,
 * which SQLite stores as an empty value.
 */
export function lastEventIdIn(page: Buffer): number | undefined {
  if (page.length < 16 || page[0] !== LEAF_TABLE || page.readUInt16BE(3) !== 1) return undefined;
  const cell = page.readUInt16BE(8);
  const payload = readVarint(page, cell);
  const record = payload && readVarint(page, payload.end)?.end;
  const header = record === undefined ? undefined : readVarint(page, record);
  const first = header && readVarint(page, header.end);
  const second = first && readVarint(page, first.end);
  if (record === undefined || header === undefined || second === undefined) return undefined;
  if (second.value === 9) return 1;
  const bytes = INTEGER_BYTES[second.value];
  const start = record + header.value;
  if (bytes === undefined || start + bytes > page.length) return undefined;
  if (bytes === 0) return 0;
  return bytes === 8 ? Number(page.readBigInt64BE(start)) : page.readIntBE(start, bytes);
}

function readVarint(
  page: Buffer,
  at: number,
): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let end = at; end < Math.min(at + 8, page.length); ) {
    const byte = page[end++] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end };
  }
  return undefined;
}
