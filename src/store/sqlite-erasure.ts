import { closeSync, fstatSync, fsyncSync, openSync, statSync } from "node:fs";
import type SqliteDatabase from "better-sqlite3";
import { invariant } from "../base/invariant.ts";
import type { Erasure } from "./erasure.ts";
import { UnusedBytes } from "./unused-bytes.ts";

/** Pages that one step looks at, while the event loop waits. */
const PAGES = 512;
/** Pages of the full-text index that one step writes. */
const TEXT_PAGES = 64;

/** How the files of a SQLite database lose what a purge left in them, in short steps that the writer takes turns with. */
export class SqliteErasure implements Erasure {
  readonly #path: string;
  readonly #inode: number;
  readonly #database: SqliteDatabase.Database;
  #file: number | undefined;

  constructor(path: string, database: SqliteDatabase.Database) {
    this.#path = path;
    this.#inode = statSync(path).ino;
    this.#database = database;
  }

  /**
   * The full-text index has no copy of the texts, so it only marks what is deleted: the words go when its parts are
   * merged. Answers whether there is more to merge.
   */
  mergeTexts(isFirst: boolean): boolean {
    const pages = isFirst ? -TEXT_PAGES : TEXT_PAGES;
    const before = this.#changes();
    this.#database
      .prepare("insert into issue_text (issue_text, rank) values ('merge', ?)")
      .run(pages);
    // One change is the insert itself.
    return this.#changes() - before > 1;
  }

  #changes(): number {
    return Number(this.#database.prepare("select total_changes()").pluck().get());
  }

  emptyLog(): boolean {
    if (this.#logBytes() === 0) return true;
    this.#database.pragma("wal_checkpoint(TRUNCATE)");
    return this.#logBytes() === 0;
  }

  #logBytes(): number {
    return statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }

  /**
   * With the log empty and the write lock held, the file is the whole database and stays as it is. What this
   * connection keeps of it in memory is dropped, since it would be written back; the commit makes other connections
   * drop theirs.
   */
  cleanPages(first: number): { readonly next: number | undefined } | "held" {
    if (!this.emptyLog()) return "held";
    const database = this.#database;
    database.exec("begin immediate");
    try {
      if (this.#logBytes() > 0) return { next: first };
      const file = this.#open();
      const unused = new UnusedBytes(file, fstatSync(file).size);
      const { changed, next } = unused.clean(first, PAGES);
      if (changed) {
        fsyncSync(file);
        database.pragma("shrink_memory");
        database
          .prepare("insert or replace into meta (key, value) values ('erasure_page', ?)")
          .run(String(next));
        database.exec("commit");
      }
      return { next: next > unused.pages ? undefined : next };
    } finally {
      if (database.inTransaction) database.exec("rollback");
    }
  }

  /**
   * Kept open until the connections are closed: closing any handle of the file would release the locks that SQLite
   * holds on it for this process.
   */
  #open(): number {
    this.#file ??= openSync(this.#path, "r+");
    invariant(fstatSync(this.#file).ino === this.#inode, "the file is the one that was opened");
    return this.#file;
  }

  /** After the connections. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
