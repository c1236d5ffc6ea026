import { statSync } from "node:fs";
import { join } from "node:path";
import type SqliteDatabase from "better-sqlite3";
import { newThread } from "../../base/thread.ts";
import type { Erasure } from "../erasure.ts";
import { translated } from "../errors.ts";
import type { VacuumData } from "./vacuum.ts";

/** Pages of the full-text index that one step merges. */
const TEXT_PAGES = 16;

const VACUUM = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "vacuum.ts" : "vacuum.cjs",
);

export class SqliteErasure implements Erasure {
  readonly #path: string;
  readonly #database: SqliteDatabase.Database;

  constructor(path: string, database: SqliteDatabase.Database) {
    this.#path = path;
    this.#database = database;
  }

  /** Merges segments of the full-text index. The index only marks deleted entries; merging removes their words. */
  mergeTexts(isFirst: boolean): boolean {
    const pages = isFirst ? -TEXT_PAGES : TEXT_PAGES;
    const before = this.#totalChanges();
    this.#database
      .prepare("insert into issue_text (issue_text, rank) values ('merge', ?)")
      .run(pages);
    // The insert itself counts as one change; more changes mean that something was merged.
    return this.#totalChanges() - before > 1;
  }

  #totalChanges(): number {
    return Number(this.#database.prepare("select total_changes()").pluck().get());
  }

  /**
   * Rewrites the file, which removes all deleted content. `secure_delete` has overwritten deleted content, but not the
   * older copies that page splits left.
   */
  async rewrite(): Promise<void> {
    const worker = newThread(VACUUM, { path: this.#path } satisfies VacuumData);
    try {
      await new Promise<void>((resolve, reject) => {
        worker.once("error", reject);
        worker.once("exit", () => resolve());
      });
    } catch (error) {
      throw translated(error);
    }
  }

  emptyLog(): boolean {
    if (this.#logBytes() === 0) return true;
    this.#database.pragma("wal_checkpoint(TRUNCATE)");
    return this.#logBytes() === 0;
  }

  #logBytes(): number {
    return statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }
}
