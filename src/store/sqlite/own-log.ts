import { closeSync, openSync, readSync } from "node:fs";
import { errorCode } from "../../base/error-code.ts";
import { openError } from "../errors.ts";

/**
 * How many times a log is compared with its file before it is refused. If another process makes a checkpoint between
 * the reads of the two, the file's own log can look foreign. This does not happen on every attempt.
 */
const ATTEMPTS = 3;

const COUNTER_AT = 24;
/** The size of the part of the first page that describes the whole file. A checkpoint copies it from the log. */
const FILE_HEADER_BYTES = 100;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The first word of a log; its lowest bit says that checksums read words as big-endian. */
const LOG_MAGIC = 0x377f0682;

/**
 * Refuses a database file that has the write-ahead log (`-wal`) of another file beside it, for example an older copy
 * that was put back without its own log. SQLite would copy pages of that log into the file, and the result would be a
 * mixture that its own integrity check accepts. Changes neither file.
 *
 * The check compares the counter in the first page, which SQLite increases by one when a connection writes the page and
 * the last writer was another connection. A log may belong to the file if the first copy of the page in the log has the
 * file's counter or one more, or if the file's header equals that of any copy in the log, as after a checkpoint. Any
 * other log is foreign. Two copies of a database can have the same counter if it was opened at most once between them;
 * such copies cannot be told apart.
 */
export function requireOwnLog(path: string): void {
  for (let attempt = 1; ; attempt++) {
    const header = headerOf(path);
    if (header === undefined) return;
    const logged = foreignLog(`${path}-wal`, header);
    if (logged === undefined) return;
    if (attempt < ATTEMPTS) continue;
    throw openError(
      "log_foreign",
      `${path}-wal is not the log of ${path} but of another copy of it: the change counter of the file is ${counterOf(header)}, the log begins with ${logged}`,
      `put the file and the log of one moment there; to go on with the file as it is, without what only the log holds, move ${path}-wal and ${path}-shm away first`,
    );
  }
}

/** Returns the header of the main file alone, without the changes in its log. */
function headerOf(path: string): Buffer | undefined {
  return withFile(path, (read) => {
    const header = read(0, FILE_HEADER_BYTES);
    return header.length < FILE_HEADER_BYTES ? undefined : header;
  });
}

/**
 * Returns undefined if the log may belong to the file. Otherwise returns the counter in the log's first copy of the
 * first page.
 */
function foreignLog(path: string, header: Buffer): number | undefined {
  return withFile(path, (read) => {
    let first: number | undefined;
    for (const logged of headersIn(read)) {
      first ??= counterOf(logged);
      const added = first - counterOf(header);
      if (added === 0 || added === 1 || logged.equals(header)) return undefined;
    }
    return first;
  });
}

function counterOf(header: Buffer): number {
  return header.readUInt32BE(COUNTER_AT);
}

/**
 * Yields the file header in each copy of the first page in the log, up to the point where SQLite sees the end of the
 * log.
 */
function* headersIn(read: ReadBytes): Generator<Buffer> {
  const header = read(0, LOG_HEADER_BYTES);
  if (header.length < LOG_HEADER_BYTES) return;
  const magic = header.readUInt32BE(0);
  if (magic >>> 1 !== LOG_MAGIC >>> 1) return;
  const sums = new Checksums((magic & 1) === 1);
  sums.add(header.subarray(0, 24));
  if (!sums.are(header, 24)) return;
  const size = header.readUInt32BE(8) + FRAME_HEADER_BYTES;
  for (let at = LOG_HEADER_BYTES; ; at += size) {
    const frame = read(at, size);
    // An older log may follow in the same file. Its frames have other salts (bytes 8 to 15).
    if (frame.length < size || !frame.subarray(8, 16).equals(header.subarray(16, 24))) return;
    sums.add(frame.subarray(0, 8));
    sums.add(frame.subarray(FRAME_HEADER_BYTES));
    if (!sums.are(frame, 16)) return;
    if (frame.readUInt32BE(0) !== 1) continue;
    yield frame.subarray(FRAME_HEADER_BYTES, FRAME_HEADER_BYTES + FILE_HEADER_BYTES);
  }
}

/** The running checksums of a write-ahead log, as SQLite's file format defines them. */
class Checksums {
  readonly #isBig: boolean;
  #one = 0;
  #two = 0;

  constructor(isBig: boolean) {
    this.#isBig = isBig;
  }

  add(bytes: Buffer): void {
    const word = (at: number) => (this.#isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
    for (let at = 0; at < bytes.length; at += 8) {
      this.#one = (this.#one + word(at) + this.#two) >>> 0;
      this.#two = (this.#two + word(at + 4) + this.#one) >>> 0;
    }
  }

  are(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.#one && bytes.readUInt32BE(at + 4) === this.#two;
  }
}

/** Reads bytes at a position of a file; returns fewer bytes at its end. */
type ReadBytes = (at: number, length: number) => Buffer;

/** Runs the work on a file that is opened for reading; returns `undefined` if the file does not exist. */
function withFile<T>(path: string, work: (read: ReadBytes) => T): T | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    return work((at, length) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, at));
    });
  } finally {
    closeSync(file);
  }
}
