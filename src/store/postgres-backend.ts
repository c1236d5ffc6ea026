import type { Budget } from "../base/budget.ts";
import type { Clock, Instant } from "../base/clock.ts";
import { invariant } from "../base/invariant.ts";
import type { Backend } from "./backend.ts";
import type { Connection, Value } from "./connection.ts";
import { Elections } from "./elections.ts";
import { disconnected, isDisconnected, translated } from "./errors.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { LOCKS } from "./postgres-locks.ts";
import { PostgresSession } from "./postgres-session.ts";
import { serverNow } from "./server-clock.ts";
import type { Election, Term } from "./types.ts";

/** Short reads of one daemon at a time; facts cli-and-config 7 allows 25 + 4 connections. */
const READERS = 8;

/** One attempt to get the write lock waits this long. Between attempts, writes that gave up have left the queue. */
const LOCK_MS = 200;

/** Who asks after the health of a daemon does not wait for a database that hangs. */
const ANSWER_MS = 1000;

export interface PostgresOptions {
  readonly dsn: string;
  readonly schema: string;
  readonly clock: Clock;
}

/** A daemon that hangs with the write lock in its hands stops all others no longer than this. */
const HANGING = "10s";

/**
 * The server ends a writing session whose daemon begins a transaction and then says nothing, or takes no answer. What
 * it wrote is rolled back and the write lock is free; the daemon finds the session gone when it goes on.
 */
async function limited(connection: PostgresConnection): Promise<PostgresConnection> {
  await connection.execute(
    "select set_config('idle_in_transaction_session_timeout', $1, false), set_config('tcp_user_timeout', $1, false)",
    [HANGING],
  );
  return connection;
}

/** Several daemons may share the database: the write lock is an advisory one, and commits are announced. */
export class PostgresBackend implements Backend {
  readonly dialect = "postgres";
  /** Its files are the server's: `vacuum full` and the server's own log decide what they hold. */
  readonly erasure = undefined;
  readonly #options: PostgresOptions;
  readonly #connect: () => Promise<PostgresConnection>;
  readonly #session: PostgresSession;
  readonly #elections: Elections;
  #writer: PostgresConnection | undefined;
  readonly #idle: PostgresConnection[] = [];
  readonly #waiting: (() => void)[] = [];
  #reading = 0;
  #asking: Promise<boolean> | undefined;

  constructor(options: PostgresOptions, connect: () => Promise<PostgresConnection>) {
    this.#options = options;
    this.#connect = connect;
    this.#session = new PostgresSession(options, connect);
    this.#elections = new Elections(async () => await this.#session.open(), this.#session.mark);
  }

  async writer(): Promise<PostgresConnection> {
    if (this.#writer === undefined || this.#writer.lost)
      this.#writer = await limited(await this.#connected());
    return this.#writer;
  }

  /** The limit is for this lock alone: the list is evaluated from left to right. */
  async begin(connection: Connection): Promise<void> {
    const [begun, locked] = await Promise.allSettled([
      connection.execute("begin", []),
      connection.execute(
        "select set_config('lock_timeout', $1, true), pg_advisory_xact_lock($2, hashtext($3)), set_config('lock_timeout', '0', true)",
        [String(LOCK_MS), LOCKS, `${this.#options.schema} write`],
      ),
    ]);
    const failed = [begun, locked].find((outcome) => outcome.status === "rejected");
    if (failed === undefined) return;
    await connection.execute("rollback", []).catch(() => undefined);
    throw failed.reason;
  }

  /** A failed statement leaves the transaction where `rollback to` can save it, unless the connection is gone. */
  inTransaction(connection: Connection): boolean {
    invariant(connection === this.#writer, "only the writer holds a transaction");
    return !this.#writer.lost;
  }

  async announce(connection: Connection, lastEventId: number): Promise<void> {
    await this.#session.announce(connection, lastEventId);
  }

  /**
   * A server that was restarted has ended the sessions that wait here, which shows when one is used: a read changes
   * nothing, so it is done again on a new session.
   */
  async read<T>(work: (connection: Connection) => Promise<T>, budget?: Budget): Promise<T> {
    try {
      return await this.#readOnce(work, budget);
    } catch (error) {
      if (!isDisconnected(error)) throw error;
      await Promise.all(this.#idle.splice(0).map(async (reader) => await reader.close()));
      return await this.#readOnce(work, budget);
    }
  }

  async #readOnce<T>(work: (connection: Connection) => Promise<T>, budget?: Budget): Promise<T> {
    const reader = await this.#takeReader();
    try {
      const begun = reader.execute("begin isolation level repeatable read read only", []);
      const given = budget === undefined ? reader : within(reader, budget);
      const [, value] = await Promise.all([begun, work(given)]);
      return value;
    } finally {
      try {
        if (!reader.lost) await reader.execute("commit", []);
      } finally {
        // Also when the session turns out to be gone: nobody else would get its place.
        this.#giveBack(reader);
      }
    }
  }

  async #takeReader(): Promise<PostgresConnection> {
    while (this.#reading >= READERS)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#reading += 1;
    try {
      return this.#idleReader() ?? (await this.#connected());
    } catch (error) {
      this.#freeReader();
      throw error;
    }
  }

  #idleReader(): PostgresConnection | undefined {
    for (;;) {
      const reader = this.#idle.pop();
      if (reader?.lost !== true) return reader;
    }
  }

  #giveBack(reader: PostgresConnection): void {
    if (!reader.lost) this.#idle.push(reader);
    this.#freeReader();
  }

  #freeReader(): void {
    this.#reading -= 1;
    this.#waiting.shift()?.();
  }

  async openSnapshot(): Promise<Connection> {
    const connection = await this.#connected();
    await connection.execute("begin isolation level repeatable read read only", []);
    await connection.execute("select one from log_head", []);
    return connection;
  }

  async #connected(): Promise<PostgresConnection> {
    try {
      return await this.#connect();
    } catch (error) {
      // A way to the server that is cut before the session has begun has no code.
      const hasCode = error instanceof Error && "code" in error;
      throw hasCode ? translated(error) : disconnected(error);
    }
  }

  async listen(heard: (lastEventId: number) => void): Promise<void> {
    await this.#session.listen(heard);
  }

  async guard(): Promise<void> {}

  requireHeld(): void {}

  readonly lost = new Promise<never>(() => undefined);

  async answers(): Promise<boolean> {
    this.#asking ??= this.#session.answers().finally(() => {
      this.#asking = undefined;
    });
    const limit = new AbortController();
    const late = this.#options.clock.sleep(ANSWER_MS, limit.signal).then(() => false);
    // One that hangs is asked once, however many want to know.
    const answers = await Promise.race([this.#asking, late]);
    limit.abort();
    return answers;
  }

  async serverNow(connection?: Connection): Promise<Instant | undefined> {
    if (this.#options.clock.movesServer === true) return undefined;
    if (connection !== undefined) return await serverNow(connection);
    try {
      return await this.#session.ask(serverNow);
    } catch (error) {
      throw translated(error);
    }
  }

  async elect(name: string): Promise<Term | undefined> {
    return await this.#elections.elect(name);
  }

  elections(): readonly Election[] {
    return this.#elections.seen();
  }

  async holdsTerm(connection: Connection, term: Term): Promise<boolean> {
    return await this.#elections.holds(connection, term);
  }

  /** The server sees to its log by itself. */
  async writeBack(): Promise<void> {}

  isLogFull(): boolean {
    return false;
  }

  async close(): Promise<void> {
    await this.#elections.close();
    await this.#session.close();
    await Promise.all(
      [this.#writer, ...this.#idle].map(async (connection) => await connection?.close()),
    );
  }
}

/** The server has found all rows by the time they are counted; what is spared is what would be done with them. */
function within(reader: Connection, budget: Budget): Connection {
  return {
    dialect: reader.dialect,
    execute: async <O>(sql: string, values: readonly Value[]) => {
      const result = await reader.execute<O>(sql, values);
      for (const row of result.rows) budget.spend(row as object);
      return result;
    },
    close: async () => await reader.close(),
  };
}
