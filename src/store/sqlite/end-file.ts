import { closeSync, openSync, readSync, statSync, writeSync } from "node:fs";
import type { EndRecord, LogEnd } from "../log/identity.ts";
import { realDatabasePath } from "./database-path.ts";

/** All fields have a fixed width, so each write replaces the previous line completely. */
const LINE = /^([0-9A-Z]{26}) ([0-9a-f]{32}) (\d{16}) (\d{20})\n$/;
const BYTES = 98;

/**
 * Stores the end of the log of a SQLite database in a file beside it (`<database>.end`). The file is written after each
 * commit without a sync. It must survive the end of the process. After a power failure it may have an older end, which
 * does no harm. The line contains the inode of the database, so that the file is not used for another database.
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
    if (epoch === undefined || chain === undefined || inode !== this.#inodeText()) return undefined;
    return { epoch, chain, last_event_id: Number(id) };
  }

  /**
   * Writes the end of the log. The commit has already been made, so an error is ignored. The file then has an older
   * end, which does no harm, or an incomplete line, and the next start gives the log a new epoch.
   */
  write({ epoch, chain, last_event_id }: LogEnd): void {
    const id = String(last_event_id).padStart(16, "0");
    try {
      writeSync(this.#file, `${epoch} ${chain} ${id} ${this.#inodeText()}\n`, 0, "latin1");
    } catch {
      // Ignored, as explained above.
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  #inodeText(): string {
    return String(statSync(this.#database, { bigint: true }).ino).padStart(20, "0");
  }
}
