import { closeSync, fstatSync, openSync, renameSync, rmSync, type Stats, statSync } from "node:fs";
import type SqliteDatabase from "better-sqlite3";
import { errorCode } from "../../base/error-code.ts";
import { unusedName } from "../../base/files.ts";
import { SvcError } from "../../contract/errors.ts";
import { FileContent } from "./file-content.ts";

/**
 * The error's `reason` when the database files cannot be inspected. This may be temporary, so the daemon continues.
 * With any other reason the daemon ends.
 */
export const DATABASE_UNSEEN = "database_unseen";

const COMPANIONS = ["-wal", "-shm"] as const;

export interface OpenFileOptions {
  /** The path as configured; a symbolic link in it may later lead elsewhere. */
  readonly name: string;
  readonly path: string;
  /** A descriptor of the main file. On POSIX, closing it before SQLite closes the file drops SQLite's locks. */
  readonly file: number;
  readonly database: SqliteDatabase.Database;
  /** Whether the path of the daemon's lock file still leads to the file that the daemon has locked. */
  readonly lockHeld: () => boolean;
}

/**
 * Checks that the path still leads to the open database files, before and after each acknowledged commit. SQLite keeps
 * writing to files that were deleted, moved or overwritten, and those commits are lost when the process ends.
 */
export class OpenFileGuard {
  readonly #options: OpenFileOptions;
  readonly #content: FileContent;
  readonly #companions: ReadonlyMap<string, Stats>;
  readonly #log: number;
  #main: Stats;
  #fault: SvcError | undefined;

  constructor(options: OpenFileOptions) {
    const { path, file, database } = options;
    this.#options = options;
    this.#main = fstatSync(file);
    this.#log = openSync(`${path}-wal`, "r");
    this.#content = new FileContent(file, this.#log, database);
    this.#companions = new Map(
      COMPANIONS.flatMap((companion) => {
        const found = statSync(path + companion, { throwIfNoEntry: false });
        return found === undefined ? [] : [[companion, found]];
      }),
    );
  }

  /**
   * Returns the permanent reason why no write may be acknowledged any more, or `undefined`. Throws when the files
   * cannot be inspected, which may be temporary.
   */
  fault(): SvcError | undefined {
    try {
      this.#fault ??= this.#findFault();
    } catch (cause) {
      throw unreadableError(this.#options.name, cause);
    }
    return this.#fault;
  }

  /** Whether the path leads to the open database. Returns false if that cannot be checked. */
  isHeld(): boolean {
    return whenSeen(() => this.fault() === undefined);
  }

  #findFault(): SvcError | undefined {
    const { name, path, lockHeld } = this.#options;
    const main = statSync(name, { throwIfNoEntry: false });
    if (main === undefined) return fileGone(name);
    if (!isSame(main, this.#main)) return fileReplaced(name);
    if (main.mtimeMs !== this.#main.mtimeMs || main.size !== this.#main.size) {
      if (!this.#content.isOurs()) return fileReplaced(name);
      this.#main = main;
    } else {
      this.#content.unchanged();
    }
    for (const [companion, known] of this.#companions) {
      const found = statSync(path + companion, { throwIfNoEntry: false });
      if (found === undefined || !isSame(found, known)) return logGone(path + companion);
    }
    return lockHeld() ? undefined : lockGone(path);
  }

  /**
   * Whether SQLite may close normally, which writes the log into the main file and deletes the log. False when the main
   * file has other content, or another program has its own log at our log's path.
   */
  mayCloseNormally(): boolean {
    const { path } = this.#options;
    return whenSeen(() => {
      const main = statSync(path, { throwIfNoEntry: false });
      if (main !== undefined && isSame(main, this.#main) && !this.#content.isOurs()) return false;
      const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
      const ours = this.#companions.get("-wal");
      return log === undefined || (ours !== undefined && isSame(log, ours));
    });
  }

  /** True if the path no longer leads to the open database, because the file was deleted, moved or replaced. */
  isElsewhere(): boolean {
    return whenSeen(() => {
      const reason = this.fault()?.data["reason"];
      return reason === "database_gone" || reason === "database_replaced";
    });
  }

  /** Removes the log files of a closed database from the path, so that another database does not read them. */
  clearLog(): void {
    const { path } = this.#options;
    for (const [companion, known] of this.#companions) {
      const found = statSync(path + companion, { throwIfNoEntry: false });
      if (found === undefined || !isSame(found, known)) continue;
      if (companion === "-shm" || found.size === 0) rmSync(path + companion);
      else renameSync(path + companion, unusedName(`${path}${companion}.orphaned`));
    }
  }

  close(): void {
    closeSync(this.#log);
    closeSync(this.#options.file);
  }
}

function isSame(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

function whenSeen(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return false;
  }
}

function unreadableError(path: string, cause: unknown): SvcError {
  const code = errorCode(cause) ?? "no reason given";
  return new SvcError(
    "unavailable",
    { reason: DATABASE_UNSEEN },
    {
      message: `the database file ${path} cannot be looked at (${code}); nothing is acknowledged meanwhile`,
      hint: "check its folder and your rights to it, then repeat the command",
      cause,
    },
  );
}

function fileGone(path: string): SvcError {
  return lostError(
    "database_gone",
    `the database file ${path} was deleted or moved away while its daemon ran; nothing more is written to it`,
    "put the file back, or restore a backup, before the next command: it starts a daemon that makes a new database there",
  );
}

function fileReplaced(path: string): SvcError {
  return lostError(
    "database_replaced",
    `the database file ${path} was replaced while its daemon ran; nothing more is written to it`,
    "the daemon ends, and the next command starts one on the file that is there now; stop the daemon before you replace its file",
  );
}

function logGone(path: string): SvcError {
  return lostError(
    "database_log_gone",
    `${path} was deleted or replaced while the daemon ran; it is a part of the database`,
    "the daemon ends and saves what it has; the next command starts another. Stop the daemon before you touch its files",
  );
}

function lockGone(path: string): SvcError {
  return lostError(
    "database_lock_gone",
    `the lock file of ${path} was deleted or replaced while the daemon ran, so another daemon may serve the database`,
    "the daemon ends; repeat the command, which finds or starts another",
  );
}

function lostError(reason: string, message: string, hint: string): SvcError {
  return new SvcError("unavailable", { reason }, { message, hint });
}
