import type { Budget } from "../../base/budget.ts";
import { type Clock, type Instant, type RealTime, realTime } from "../../base/clock.ts";
import { invariant } from "../../base/invariant.ts";
import type { SvcError } from "../../contract/errors.ts";
import type { Backend, CommitProof, WriteKind } from "../backend.ts";
import { type Connection, settled } from "../connection.ts";
import { driverCodeOf, outcomeUnknown, unconnected } from "../errors.ts";
import { type CommitMark, DaemonCommits } from "../log/daemon-commits.ts";
import type { Answering } from "../types/store.ts";
import { RETRY_MS } from "../write-lock/begin.ts";
import { type WritingSession, writingOn } from "../write-lock/holder.ts";
import { LOCKS, writeLockName } from "../write-lock/locks.ts";
import type { Look, Sight } from "./answer-watch.ts";
import { PostgresConnection } from "./connection.ts";
import { Elections } from "./elections.ts";
import { PostgresReaders } from "./readers.ts";
import { serverNow } from "./server-clock.ts";
import { PostgresSession } from "./session.ts";

/**
 * How long one attempt to get the write lock waits, in ms. Then the writer tries again, unless every waiting write has
 * timed out meanwhile.
 */
const LOCK_MS = 200;

/** The time limit for finding out whether a commit was made when its answer was lost. */
const LOOK_MS = 10_000;

/** The time limit for answers about health, which must come even when the database hangs. */
const ANSWER_MS = 1000;

export interface PostgresOptions {
  readonly dsn: string;
  readonly schema: string;
  readonly clock: Clock;
  /** The time that limits the server's answers. It is the real time, because `clock` does not control the server. */
  readonly realTime?: RealTime;
}

/** How long a daemon that hangs while it holds the write lock can block other daemons. */
const HANGING = "10s";

/**
 * Prepares a session for writing.
 *
 * - The server ends the session when its daemon is idle in a transaction or accepts no answers. The server then rolls
 *   back and frees the write lock; the daemon finds its session closed.
 * - The server plans each statement for the tables as they are now. By default it keeps the plan of the first uses. A
 *   plan for nearly empty tables reads them whole, and an import fills them in one transaction: the time for one
 *   statement then grew with the third power of the number of issues.
 */
async function preparedToWrite(connection: PostgresConnection): Promise<PostgresConnection> {
  await connection.execute(
    `select set_config('idle_in_transaction_session_timeout', $1, false), set_config('tcp_user_timeout', $1, false),
      set_config('plan_cache_mode', 'force_custom_plan', false)`,
    [HANGING],
  );
  return connection;
}

/** A database that several daemons may share: writes take an advisory lock, and commits are announced to the others. */
export class PostgresBackend implements Backend {
  readonly dialect = "postgres";
  /** Undefined, because the server owns its files: only its `vacuum full` and its log retention remove purged text. */
  readonly erasure = undefined;
  readonly #options: PostgresOptions;
  readonly #connect: () => Promise<PostgresConnection>;
  readonly #realTime: RealTime;
  readonly #session: PostgresSession;
  readonly #readers = new PostgresReaders(async () => await this.#openReader());
  readonly #commits: DaemonCommits;
  readonly elections: Elections;
  #writer: PostgresConnection | undefined;
  #openingWriter: Promise<PostgresConnection> | undefined;
  #askingSession: Promise<boolean> | undefined;
  #askingWriter: Promise<boolean> | undefined;

  constructor(options: PostgresOptions, connect: () => Promise<PostgresConnection>) {
    this.#options = options;
    this.#connect = connect;
    this.#realTime = options.realTime ?? realTime;
    this.#session = new PostgresSession(options, async () => await this.#connected());
    this.#commits = new DaemonCommits(options.clock);
    this.elections = new Elections(async () => await this.#session.open(), this.#session.mark);
  }

  async writer(): Promise<PostgresConnection> {
    if (this.#writer?.lost === false) return this.#writer;
    this.#openingWriter ??= this.#openWriter().finally(() => {
      this.#openingWriter = undefined;
    });
    return await this.#openingWriter;
  }

  async #openWriter(): Promise<PostgresConnection> {
    this.#writer = undefined;
    this.#writer = await preparedToWrite(await this.#connected());
    return this.#writer;
  }

  get isWriterLate(): boolean {
    return this.#openingWriter !== undefined || this.#writer?.isLate === true;
  }

  /**
   * Begins a transaction and takes the write lock. One select sets the lock timeout, takes the lock and resets the
   * timeout, in this order, since select lists are evaluated from left to right.
   */
  async begin(connection: Connection, kind: WriteKind): Promise<void> {
    invariant(connection instanceof PostgresConnection, "a writer of this backend");
    connection.judgeBy(undefined);
    try {
      await settled([
        connection.execute("begin", []),
        connection.execute(
          "select set_config('lock_timeout', $1, true), pg_advisory_xact_lock($2, hashtext($3)), set_config('lock_timeout', '0', true)",
          [String(LOCK_MS), LOCKS, writeLockName(this.#options.schema)],
        ),
      ]);
    } catch (error) {
      await connection.execute("rollback", []).catch(() => undefined);
      throw error;
    }
    if (kind === "bulk") connection.judgeBy(this.#lookAt(connection));
  }

  /** Returns a function that asks the server, over another connection, whether it works for a session. */
  #lookAt(session: PostgresConnection): Look {
    return async () => {
      let looking: PostgresConnection;
      try {
        looking = await this.#connected();
      } catch (error) {
        // A server that has no room for another session is alive, but cannot be asked.
        if (driverCodeOf(error).startsWith("53")) return "working";
        throw error;
      }
      try {
        const { pid, started } = session.process;
        const { rows } = await looking.execute<{ sight: Sight }>(SIGHT, [pid, started]);
        return rows[0]?.sight ?? "gone";
      } finally {
        await looking.close();
      }
    };
  }

  proofFor(lastEventId: number): CommitProof {
    return { lastEventId, mark: this.#commits.next() };
  }

  async commit(connection: Connection, proof: CommitProof): Promise<void> {
    const { mark = this.#commits.next() } = proof;
    try {
      await settled([this.#commits.mark(connection, mark), connection.execute("commit", [])]);
    } catch (error) {
      // The server itself refused the commit.
      if (this.inTransaction(connection)) throw error;
      if (!(await this.hasCommitted({ ...proof, mark }))) throw error;
    }
  }

  async synced(): Promise<void> {}

  /**
   * Looks for the mark on another connection, after taking the write lock. The lost transaction holds this lock until
   * it ends. So only then does a missing mark prove that the transaction was rolled back.
   */
  async hasCommitted({ mark }: CommitProof): Promise<boolean> {
    invariant(mark !== undefined, "each transaction on PostgreSQL is marked");
    const elapsed = this.#realTime.stopwatch();
    for (;;) {
      try {
        return await this.#isCommitted(mark);
      } catch (error) {
        if (elapsed() >= LOOK_MS) throw this.#unknownOutcome(error);
      }
      await this.#realTime.sleep(RETRY_MS);
    }
  }

  #unknownOutcome(cause: unknown): SvcError {
    this.#session.expectLate();
    return outcomeUnknown(cause);
  }

  async #isCommitted(mark: CommitMark): Promise<boolean> {
    const connection = await this.writer();
    await this.begin(connection, "ordinary");
    try {
      const isCommitted = await this.#commits.isMarked(connection, mark);
      await connection.execute("commit", []);
      return isCommitted;
    } catch (error) {
      if (!connection.lost) await connection.execute("rollback", []).catch(() => undefined);
      throw error;
    }
  }

  async writing(connection: Connection): Promise<WritingSession | undefined> {
    return await writingOn(connection, this.#options.schema);
  }

  endInDoubt(): void {}

  /**
   * True unless the connection was lost. A failed statement does not end the transaction, since `rollback to` undoes
   * the statement.
   */
  inTransaction(connection: Connection): boolean {
    invariant(connection instanceof PostgresConnection, "a writer of this backend");
    return !connection.lost;
  }

  async announce(connection: Connection, lastEventId: number): Promise<void> {
    await this.#session.announce(connection, lastEventId);
  }

  async read<T>(work: (connection: Connection) => Promise<T>, budget?: Budget): Promise<T> {
    return await this.#readers.read(work, budget);
  }

  async readOne<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return await this.#readers.readOne(work);
  }

  /** A read may be large, so it has no time limit as long as the server works on it. */
  async #openReader(): Promise<PostgresConnection> {
    const reader = await this.#connected();
    reader.judgeBy(this.#lookAt(reader));
    return reader;
  }

  async openSnapshot(): Promise<Connection> {
    const connection = await this.#openReader();
    await connection.execute("begin isolation level repeatable read read only", []);
    await connection.execute("select one from log_head", []);
    return connection;
  }

  async #connected(): Promise<PostgresConnection> {
    try {
      return await this.#connect();
    } catch (error) {
      throw unconnected(error);
    }
  }

  async listen(listener: (lastEventId: number) => void): Promise<void> {
    await this.#session.listen(listener);
  }

  async guard(): Promise<void> {}

  requireHeld(): void {}

  readonly lost = new Promise<never>(() => undefined);

  /** Concurrent calls share their queries, so that queries do not pile up on a server that hangs. */
  async answering(): Promise<Answering> {
    this.#askingSession ??= this.#session.answers().finally(() => {
      this.#askingSession = undefined;
    });
    this.#askingWriter ??= this.#writerAnswers().finally(() => {
      this.#askingWriter = undefined;
    });
    const limit = new AbortController();
    const late = this.#realTime.sleep(ANSWER_MS, limit.signal).then(() => false);
    const [session, writer] = await Promise.all([
      Promise.race([this.#askingSession, late]),
      Promise.race([this.#askingWriter, late]),
    ]);
    limit.abort();
    if (!session) return "nothing";
    return writer ? "all" : "reads";
  }

  async #writerAnswers(): Promise<boolean> {
    try {
      return await (await this.writer()).answers();
    } catch {
      return false;
    }
  }

  async serverNow(connection?: Connection): Promise<Instant | undefined> {
    if (this.#options.clock.movesServer === true) return undefined;
    if (connection !== undefined) return await serverNow(connection);
    return await this.#session.ask(serverNow);
  }

  async writeBack(): Promise<void> {}

  isLogFull(): boolean {
    return false;
  }

  async close(): Promise<void> {
    await this.#waitBriefly(this.elections.close());
    await this.#session.close();
    await this.#openingWriter?.catch(() => undefined);
    if (this.#writer?.lost === false) await this.#waitBriefly(this.#commits.remove(this.#writer));
    await Promise.all([this.#writer?.close(), this.#readers.close()]);
  }

  /** Waits at most one second for work that may stay unfinished if the server does not answer. */
  async #waitBriefly(work: Promise<unknown>): Promise<void> {
    const limit = new AbortController();
    const done = work.catch(() => undefined);
    await Promise.race([done, this.#realTime.sleep(ANSWER_MS, limit.signal)]);
    limit.abort();
  }
}

/**
 * What the server says about a session. A session that waits for its client (`Client`) counts as idle, like one without
 * a statement. If the server does not record activities (`track_activities`), the session counts as working.
 */
const SIGHT = `
  select case when state like 'idle%' or wait_event_type = 'Client' then 'idle' else 'working' end as sight
  from pg_stat_activity where pid = $1 and extract(epoch from backend_start)::text = $2`;
