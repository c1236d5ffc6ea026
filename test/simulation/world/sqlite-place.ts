import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import { parseDsn } from "../../../src/config/dsn.ts";
import type { Connection } from "../../../src/store/connection.ts";
import { translated } from "../../../src/store/errors.ts";
import { openStore } from "../../../src/store/open.ts";
import type { Copies, Fate, Ground, Place, Suffering } from "./place.ts";

/** The main file, the write-ahead log, and the end of the log that the daemon keeps beside them. */
const FILES = ["", "-wal", ".end"] as const;

/** The files that somebody copies who does not know that the daemon keeps the end of the log. */
const DATABASE = ["", "-wal"] as const;

type Bytes = ReadonlyMap<string, Buffer>;

/** A database file in a folder of its own, which one daemon at a time serves. */
export class SqlitePlace implements Place {
  readonly dialect = "sqlite";
  readonly daemons = 1;
  readonly hasServerClock = false;
  readonly #folder = mkdtempSync(join(tmpdir(), "svc-world-"));
  readonly #path = join(this.#folder, "svc.db");
  #kept: Bytes | undefined;

  /** Copies a file that was migrated once, since migrating takes longer than most stories. */
  static async open(): Promise<SqlitePlace> {
    const place = new SqlitePlace();
    template ??= makeTemplate();
    copyFileSync(await template, place.#path);
    return place;
  }

  readonly copies: Copies = {
    keep: async () => {
      this.#kept = bytesOf(this.#path, DATABASE);
    },
    putBack: async () => {
      if (this.#kept !== undefined) write(this.#path, this.#kept);
    },
  };

  async open(suffering: Suffering): Promise<Ground> {
    return new SqliteGround(this.#folder, this.#path, suffering);
  }

  async close(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

class SqliteGround implements Ground {
  readonly settings: Ground["settings"];
  readonly #path: string;
  readonly #suffering: Suffering;
  #left: Bytes | undefined;

  constructor(folder: string, path: string, suffering: Suffering) {
    this.settings = {
      dsn: parseDsn(path, folder),
      runtimeDir: join(folder, "runtime"),
      socketPath: join(folder, "sockets", "daemon.sock"),
    };
    this.#path = path;
    this.#suffering = suffering;
  }

  async commit(
    fate: Fate,
    connection: Connection,
    commit: (connection: Connection) => Promise<void>,
  ): Promise<void> {
    await commit({
      dialect: connection.dialect,
      close: async () => await connection.close(),
      execute: async (sql, values) => {
        if (sql === "commit") await this.#meet(fate, connection);
        else return await connection.execute(sql, values);
        return { rows: [], changes: 0 };
      },
    });
  }

  async #meet(fate: Fate, connection: Connection): Promise<void> {
    if (fate === "refused") throw failure("SQLITE_FULL");
    if (fate === "killed before") this.#kill();
    if (fate === "silent before") await this.#freeze();
    await connection.execute(fate === "doubted but not made" ? "rollback" : "commit", []);
    if (fate === "killed after") this.#kill();
    if (fate === "silent after") await this.#freeze();
    // The commit is in the log, but its sync fails. Only the next start sees whether the file has the commit.
    if (fate === "doubted but made" || fate === "doubted but not made")
      throw failure("SQLITE_IOERR_FSYNC");
  }

  #kill(): void {
    this.die();
    this.#suffering.died();
  }

  /** The disk does not answer. SQLite then lets the whole daemon wait until it is killed. */
  async #freeze(): Promise<void> {
    this.die();
    this.#suffering.freezes();
    await this.#suffering.end;
    throw failure("SQLITE_IOERR");
  }

  die(): void {
    this.#left ??= bytesOf(this.#path, FILES);
  }

  /**
   * Waits until the dead daemon has closed its files. It may write until then, so the files are restored afterwards.
   */
  async bury(stop: () => Promise<void>): Promise<void> {
    await stop();
    if (this.#left !== undefined) write(this.#path, this.#left);
  }
}

function failure(code: string): unknown {
  return translated(new Database.SqliteError(`planted ${code}`, code));
}

function bytesOf(path: string, files: readonly string[]): Bytes {
  const present = files.filter((file) => existsSync(path + file));
  return new Map(present.map((file) => [file, readFileSync(path + file)]));
}

/** Writes into the files that are there, since the daemon recognises its file by its inode. */
function write(path: string, bytes: Bytes): void {
  for (const file of ["-wal", "-shm"]) rmSync(path + file, { force: true });
  for (const [file, content] of bytes) writeFileSync(path + file, content);
}

let template: Promise<string> | undefined;

/** The template has no instance uid, so that every copy gets its own, which the seed decides. */
async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "svc-world-template-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "svc.db");
  const options = { clock: systemClock, ids: systemIds(), timezone: "UTC" };
  await (await openStore({ ...options, dsn: path })).close();
  const file = new Database(path);
  file.exec("delete from meta where key = 'instance_uid'");
  file.pragma("wal_checkpoint(TRUNCATE)");
  file.close();
  return path;
}
