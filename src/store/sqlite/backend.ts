import { openSync } from "node:fs";
import type SqliteDatabase from "better-sqlite3";
import type { Budget } from "../../base/budget.ts";
import { invariant } from "../../base/invariant.ts";
import type { SvcError } from "../../contract/errors.ts";
import type { Backend, CommitProof } from "../backend.ts";
import type { Connection } from "../connection.ts";
import { commitInDoubt, isDamaged, isRefusedCommit, outcomeUnknown } from "../errors.ts";
import type { Answering } from "../types/store.ts";
import { Checkpoints } from "./checkpoints.ts";
import { readConnection, SqliteConnection, snapshotConnection } from "./connection.ts";
import { realDatabasePath } from "./database-path.ts";
import { SqliteErasure } from "./erasure.ts";
import { LogSync, type SyncFile } from "./log-sync.ts";
import { OpenFileGuard } from "./open-file-guard.ts";

/** The daemon's lock excludes other daemons, so this daemon always has every term. */
const ALWAYS_ELECTED: Backend["elections"] = {
  elect: async (name) => ({ name, number: 1 }),
  resign: async () => undefined,
  seen: () => [],
  holds: async () => true,
};

/** Uses two connections: one writes, and the other reads committed states. */
export class SqliteBackend implements Backend {
  readonly dialect = "sqlite";
  readonly elections = ALWAYS_ELECTED;
  readonly erasure: SqliteErasure;
  readonly #open: typeof SqliteDatabase;
  readonly #path: string;
  readonly #writer: SqliteConnection;
  #reader: SqliteConnection | undefined;
  #lastRead: Promise<unknown> = Promise.resolve();
  #guard: OpenFileGuard | undefined;
  /** The error for all later writes. Set after a commit whose outcome is unknown: it may or may not be in the files. */
  #doubt: SvcError | undefined;
  #checkpoints: Checkpoints | undefined;
  /** Undefined while SQLite syncs the log itself, which it does until the database is served. */
  #logSync: LogSync | undefined;
  readonly #lost = Promise.withResolvers<SvcError>();

  constructor(open: typeof SqliteDatabase, path: string, writer: SqliteDatabase.Database) {
    this.#open = open;
    this.#path = path;
    this.#writer = new SqliteConnection(writer);
    this.erasure = new SqliteErasure(path, writer);
  }

  async writer(): Promise<SqliteConnection> {
    return this.#writer;
  }

  async begin(connection: Connection): Promise<void> {
    this.requireHeld();
    await connection.execute("begin immediate", []);
  }

  proofFor(lastEventId: number): CommitProof {
    return { lastEventId, mark: undefined };
  }

  async commit(connection: Connection): Promise<void> {
    try {
      await connection.execute("commit", []);
      await this.#logSync?.sync();
    } catch (error) {
      if (isRefusedCommit(error)) throw error;
      this.endInDoubt();
      throw outcomeUnknown(this.#doubt);
    }
  }

  async synced(): Promise<void> {
    const running = this.#logSync?.running;
    if (running === undefined) return;
    try {
      await running;
    } catch {
      this.endInDoubt();
      throw this.#doubt;
    }
  }

  async hasCommitted({ lastEventId }: CommitProof): Promise<boolean> {
    const [head] = await this.read(
      async (reader) =>
        (await reader.execute<{ last: number }>("select last_event_id as last from log_head", []))
          .rows,
    );
    return head !== undefined && head.last > lastEventId;
  }

  /**
   * After a failed sync, the log file holds a commit that may or may not be on the disk. The next recovery decides
   * whether it counts. Until that recovery nothing may be written: no further commits, which would overwrite it, and no
   * checkpoint.
   */
  endInDoubt(): void {
    this.#doubt ??= commitInDoubt(this.#path);
    this.#lost.resolve(this.#doubt);
  }

  inTransaction(connection: Connection): boolean {
    invariant(connection === this.#writer, "only the writer holds a transaction");
    return this.#writer.database.inTransaction;
  }

  async writing(): Promise<undefined> {}

  async announce(): Promise<void> {}

  async guard(lockHeld: () => boolean, syncFile?: SyncFile): Promise<void> {
    const path = realDatabasePath(this.#path);
    const file = openSync(path, "r");
    const { database } = this.#writer;
    // Open the reader now: while it is open, closing the writer does not write the log into the main file (see
    // `close`).
    await this.read(async (reader) => await reader.execute("select one from log_head", []));
    this.#guard = new OpenFileGuard({ name: this.#path, path, file, database, lockHeld });
    this.#checkpoints = new Checkpoints(path, database, () => this.#isHeld());
    this.#logSync = new LogSync(path, database, syncFile);
  }

  requireHeld(): void {
    const fault = this.#doubt ?? this.#guard?.fault();
    if (fault === undefined) return;
    this.#lost.resolve(fault);
    throw fault;
  }

  async answering(): Promise<Answering> {
    return this.#isHeld() ? "all" : "nothing";
  }

  #isHeld(): boolean {
    return this.#doubt === undefined && this.#guard?.isHeld() !== false;
  }

  readonly isWriterLate = false;

  get lost(): Promise<SvcError> {
    return this.#lost.promise;
  }

  /**
   * All reads run one after another on the one read connection, so that a read which starts after a commit does not use
   * the older snapshot of another read. SQLite shows a commit before it is on the disk. So a read ends only after the
   * sync of all commits that it can have seen.
   */
  async read<T>(work: (connection: Connection) => Promise<T>, budget?: Budget): Promise<T> {
    const before = this.#lastRead;
    const reading = (async () => {
      await before;
      return await this.#readNow(work, budget);
    })();
    this.#lastRead = reading.catch(() => undefined);
    const value = await reading;
    await this.synced();
    return value;
  }

  async readOne<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return await this.read(work);
  }

  async #readNow<T>(
    work: (connection: Connection) => Promise<T>,
    budget: Budget | undefined,
  ): Promise<T> {
    this.#reader ??= readConnection(this.#open, this.#path);
    const reader = this.#reader;
    await reader.execute("begin", []);
    try {
      return await work(budget === undefined ? reader : reader.within(budget));
    } finally {
      await endRead(reader);
    }
  }

  async openSnapshot(): Promise<Connection> {
    return await snapshotConnection(this.#open, this.#path);
  }

  async listen(): Promise<void> {}

  async serverNow(): Promise<undefined> {
    return undefined;
  }

  async writeBack(): Promise<void> {
    await this.#checkpoints?.writeBack();
  }

  isLogFull(): boolean {
    return this.#checkpoints?.isFull() ?? false;
  }

  async close(): Promise<void> {
    await this.#lastRead;
    await this.#checkpoints?.close();
    const guard = this.#guard;
    this.#guard = undefined;
    const isElsewhere = guard?.isElsewhere() === true;
    if (this.#doubt === undefined && guard?.mayCloseNormally() !== false) {
      await this.#reader?.close();
      // SQLite writes the log into the main file when the last connection closes, but not if the file was moved. So
      // request a checkpoint for a moved file.
      if (isElsewhere)
        await this.#writer.execute("pragma wal_checkpoint(truncate)", []).catch(() => undefined);
      await this.#writer.close();
    } else {
      // Close the read-only connection last, because here the log must not be written into the main file. The last
      // connection to close would write it, unless that connection is read-only.
      this.#reader ??= readConnection(this.#open, this.#path);
      await this.#writer.close();
      await this.#reader.close();
    }
    if (isElsewhere) guard?.clearLog();
    guard?.close();
    this.#logSync?.close();
    this.#logSync = undefined;
  }
}

/** Ends a read transaction. If a damaged page makes SQLite refuse the commit, rolls back, so that later reads work. */
async function endRead(reader: SqliteConnection): Promise<void> {
  try {
    await reader.execute("commit", []);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    await reader.execute("rollback", []).catch(() => undefined);
  }
}
