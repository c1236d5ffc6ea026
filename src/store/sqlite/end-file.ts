import { closeSync, openSync, readSync, statSync, writeSync } from "node:fs";
import type { EndRecord, LogEnd } from "../log/identity.ts";
import { realDatabasePath } from "./database-path.ts";

/** All fields have a fixed width, so that each write replaces the one before as a whole. */
const LINE = /^([0-9A-Z]{26}) ([0-9a-f]{32}) (\d{16}) (\d{20})\n$/;
const BYTES = 98;

/**
 * Keeps the end of the log of a SQLite database in a file beside it (`<database>.end`). It is written after each commit
 * without waiting for the disk: it has to survive the process, and after a power failure an older end does no harm. It
 * names the inode of the database too, so that it is not taken for the record of another file.
 */
export class EndFile implements EndRecord {
  readonly #database: string;
  readonly #file: number;

  constructor(dsnPath: string) {
    this.#database = realDatabasePath(dsnPath);
    this.#file = openSync(`${this.#database}.end`, "a+", 0o600);
    closeSync(this.#file);
    this.#file = openSync(`${this.#database}.end`, "r+");
  }

  read(): LogEnd | undefined {
    const bytes = Buffer.alloc(BYTES + 1);
    const text = bytes.toString("latin1", 0, readSync(this.#file, bytes, 0, bytes.length, 0));
    const [, epoch, chain, id, inode] = LINE.exec(text) ?? [];
    if (epoch === undefined || chain === undefined || inode !== this.#inode()) return undefined;
    return { epoch, chain, last_event_id: Number(id) };
  }

  /**
   * The commit is made, so a fault here must not fail it. The file then has an older end, which does no harm, or no whole
   * line, and the next start gives the log a new epoch.
   */
  write({ epoch, chain, last_event_id }: LogEnd): void {
    const id = String(last_event_id).padStart(16, "0");
    try {
      writeSync(this.#file, `${epoch} ${chain} ${id} ${this.#inode()}\n`, 0, "latin1");
    } catch {
      // See above.
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  #inode(): string {
    return String(statSync(this.#database, { bigint: true }).ino).padStart(20, "0");
  }
}
