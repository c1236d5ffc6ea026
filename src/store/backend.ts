import type { Budget } from "../base/budget.ts";
import type { Instant } from "../base/clock.ts";
import type { SvcError } from "../contract/errors.ts";
import type { Connection, Dialect } from "./connection.ts";
import type { Erasure } from "./erasure.ts";
import type { Election, Term } from "./types.ts";

/** What the store asks of a database: `sqlite-backend.ts` and `postgres-backend.ts` answer it function by function. */
export interface Backend {
  readonly dialect: Dialect;
  /** How the files lose what was purged; absent where the database has no way. */
  readonly erasure: Erasure | undefined;
  /** The session that writes; a lost one is opened anew. */
  writer(): Promise<Connection>;
  /**
   * Begins a transaction that already holds the one write lock, so that event ids become visible in order. `busy`
   * when another holds it: on SQLite at once, on PostgreSQL after a moment. Nothing is begun then.
   */
  begin(connection: Connection): Promise<void>;
  /** Whether the transaction is still there after a statement failed: some faults end it as a whole. */
  inTransaction(connection: Connection): boolean;
  /** Inside the transaction: other daemons on this database shall hear of it when it commits. */
  announce(connection: Connection, lastEventId: number): Promise<void>;
  /** Runs a short read in one snapshot, on a session that never writes. Past its budget it throws `NeedsWorker`. */
  read<T>(work: (connection: Connection) => Promise<T>, budget?: Budget): Promise<T>;
  /** A session of its own inside one snapshot, for a read that takes long. The caller closes it. */
  openSnapshot(): Promise<Connection>;
  /** Commits of other daemons on this database: `heard` gets the last event id they announced. */
  listen(heard: (lastEventId: number) => void): Promise<void>;
  /**
   * From now on the files of a SQLite database have to stay the ones that are open, and `lockHeld` has to hold.
   * PostgreSQL looks after its own files.
   */
  guard(lockHeld: () => boolean): Promise<void>;
  /** Throws when the files were replaced or the lock was lost: a commit may be lost then, and must not be acknowledged. */
  requireHeld(): void;
  /** Whether the database can be used at this moment; one that has not said so within a second cannot. */
  answers(): Promise<boolean>;
  /** Resolves with the reason when that is found. */
  readonly lost: Promise<SvcError>;
  /**
   * After each commit, its own and those of other connections: has a thread write a SQLite log that has become long into
   * the main file. Resolves when it is done; a large log keeps the disk busy meanwhile.
   */
  writeBack(): Promise<void>;
  /** Whether that log is so long that the next large write has to wait for it. */
  isLogFull(): boolean;
  /** The time of the server that several daemons share; undefined where the daemon's own clock counts. */
  serverNow(connection?: Connection): Promise<Instant | undefined>;
  /** The term of this daemon for the named work: at most one of those on the database has one. */
  elect(name: string): Promise<Term | undefined>;
  elections(): readonly Election[];
  /** Inside the transaction: whether the term lasts, and it cannot change hands before the transaction ends. */
  holdsTerm(connection: Connection, term: Term): Promise<boolean>;
  close(): Promise<void>;
}
