import type { Budget } from "../base/budget.ts";
import type { Instant } from "../base/clock.ts";
import type { SvcError } from "../contract/errors.ts";
import type { Connection, Dialect } from "./connection.ts";
import type { Erasure } from "./erasure.ts";
import type { CommitMark } from "./log/daemon-commits.ts";
import type { SyncFile } from "./sqlite/log-sync.ts";
import type { Election, Term } from "./types/elections.ts";
import type { Answering } from "./types/store.ts";
import type { WritingSession } from "./write-lock/holder.ts";

/**
 * How long the statements of a transaction may take on PostgreSQL. `ordinary`: each at most 10 seconds. `bulk`
 * (imports, migrations, restores): as long as the server works on them.
 */
export type WriteKind = "ordinary" | "bulk";

/** Information that shows later whether a transaction was committed. It can be sent to another thread. */
export interface CommitProof {
  /** The end of the log before the transaction. */
  readonly lastEventId: number;
  /** `undefined` on SQLite. No other process writes there, so the end of the log is enough. */
  readonly mark: CommitMark | undefined;
}

/** The operations that differ between SQLite and PostgreSQL. */
export interface Backend {
  readonly dialect: Dialect;
  /** Removes purged text from the database files. Undefined on PostgreSQL, where the files belong to the server. */
  readonly erasure: Erasure | undefined;
  /** Returns the session for writes. Opens a new session if the connection was lost. */
  writer(): Promise<Connection>;
  /**
   * Begins a transaction that already holds the single write lock, so that event ids become visible in order. Throws
   * `busy` and begins nothing when another session holds the lock: SQLite at once, PostgreSQL after a short wait.
   */
  begin(connection: Connection, kind: WriteKind): Promise<void>;
  /**
   * Returns the session that holds the write lock, by a query on a session that does nothing. SQLite does not know the
   * holder.
   */
  writing(connection: Connection): Promise<WritingSession | undefined>;
  /**
   * Returns the information that shows later whether the transaction, which is about to commit, was committed.
   * `lastEventId` is the end of the log before the transaction.
   */
  proofFor(lastEventId: number): CommitProof;
  /**
   * Commits the transaction. Every commit whose result a caller learns goes through this function. It ends in one of
   * three ways:
   *
   * - It resolves: the transaction is committed.
   * - It throws `outcome_unknown`: nobody knows whether it is committed.
   * - It throws anything else: it is not committed.
   */
  commit(connection: Connection, proof: CommitProof): Promise<void>;
  /**
   * Resolves when all commits that another connection of this process can see now are on the disk. Throws if the disk
   * reports a fault. On PostgreSQL a commit becomes visible only when it is on the disk.
   */
  synced(): Promise<void>;
  /**
   * Whether a transaction of another connection was committed. That transaction must have ended, and no other write of
   * this daemon may run. Throws `outcome_unknown` if this cannot be found out.
   */
  hasCommitted(proof: CommitProof): Promise<boolean>;
  /**
   * Call this when a commit of another connection of this process has ended with `outcome_unknown`. SQLite then writes
   * nothing more, as after such a commit on the writer's own connection.
   */
  endInDoubt(): void;
  /**
   * Whether the transaction is still open after a failed statement. Some faults, such as a full disk, roll all of it
   * back.
   */
  inTransaction(connection: Connection): boolean;
  /** Notifies the other daemons on this database when the current transaction commits. */
  announce(connection: Connection, lastEventId: number): Promise<void>;
  /**
   * Runs a short read in one snapshot on a read-only session. Throws `NeedsWorker` when the rows that it reads exceed
   * `budget`, a limit on their size in bytes.
   */
  read<T>(work: (connection: Connection) => Promise<T>, budget?: Budget): Promise<T>;
  /** Like `read`, for a single statement, which needs no transaction. */
  readOne<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Opens a session for a long read in one snapshot. The caller closes it. */
  openSnapshot(): Promise<Connection>;
  /** Calls `listener` with the last event id of each commit that another daemon on this database announces. */
  listen(listener: (lastEventId: number) => void): Promise<void>;
  /**
   * Makes each later `requireHeld` check that the path still leads to the open files and that `lockHeld` returns true.
   * From then on commits are synced by `syncFile`, by default on a thread of Node's pool. Does nothing on PostgreSQL.
   */
  guard(lockHeld: () => boolean, syncFile?: SyncFile): Promise<void>;
  /**
   * Throws when the files were replaced or the lock was lost. A commit must then not be acknowledged, because it may be
   * lost: its outcome is unknown.
   */
  requireHeld(): void;
  answering(): Promise<Answering>;
  /** Whether the writer has been waiting for an answer of the database for longer than usual. */
  readonly isWriterLate: boolean;
  /**
   * Resolves with the reason as soon as `requireHeld` or a write finds that the files or the lock are lost, or that it
   * is not known whether a commit is in the files.
   */
  readonly lost: Promise<SvcError>;
  /**
   * Writes the SQLite write-ahead log into the main file on a thread, if the log is long. Resolves when that is done.
   * Must be called after each commit, including commits of other processes.
   */
  writeBack(): Promise<void>;
  /** Whether the write-ahead log is so long that the next large write should wait for `writeBack`. */
  isLogFull(): boolean;
  /** The database server's time, which its daemons share; undefined on SQLite, where the daemon's clock is used. */
  serverNow(connection?: Connection): Promise<Instant | undefined>;
  readonly elections: Elector;
  close(): Promise<void>;
}

/** Decides which of several daemons on the database runs an engine. */
export interface Elector {
  /** Returns this daemon's term for the named engine; undefined if another daemon is elected. */
  elect(name: string): Promise<Term | undefined>;
  /** Ends this daemon's term for the named engine, if it has it. */
  resign(name: string): Promise<void>;
  seen(): readonly Election[];
  /**
   * Whether this daemon still has the term. Call it inside a transaction: if it returns true, no other daemon can take
   * the term before that transaction ends.
   */
  holds(connection: Connection, term: Term): Promise<boolean>;
}
