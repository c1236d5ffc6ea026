import type { Budget } from "../../base/budget.ts";
import type { Connection, Value } from "../connection.ts";
import { isDisconnected } from "../errors.ts";
import type { PostgresConnection } from "./connection.ts";

/**
 * The maximum number of short reads that one daemon runs at the same time, each on a connection of its own. A daemon
 * may use 29 connections in all (docs/contract/command-line.md#7-postgresql).
 */
const READERS = 8;

/**
 * The sessions that carry out reads. No two reads share a session at the same time. When no session is free, further
 * reads wait.
 */
export class PostgresReaders {
  readonly #open: () => Promise<PostgresConnection>;
  readonly #idle: PostgresConnection[] = [];
  readonly #waiting: (() => void)[] = [];
  #reading = 0;

  constructor(open: () => Promise<PostgresConnection>) {
    this.#open = open;
  }

  /** Runs `work` in a transaction whose reads all see the same state of the database. */
  async read<T>(work: (connection: Connection) => Promise<T>, budget?: Budget): Promise<T> {
    return await this.readOne(async (reader) => {
      const begun = reader.execute("begin isolation level repeatable read read only", []);
      const limited = budget === undefined ? reader : withBudget(reader, budget);
      try {
        const [, value] = await Promise.all([begun, work(limited)]);
        return value;
      } finally {
        if (!reader.lost) await reader.execute("commit", []);
      }
    });
  }

  /**
   * Runs `read` with a session, and repeats it once if the session was lost: a server restart closes idle sessions, and
   * a read has no effects.
   */
  async readOne<T>(read: (reader: PostgresConnection) => Promise<T>): Promise<T> {
    try {
      return await this.#withReader(read);
    } catch (error) {
      if (!isDisconnected(error)) throw error;
      await this.close();
      return await this.#withReader(read);
    }
  }

  /** Closes the sessions that no read is using. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(async (reader) => await reader.close()));
  }

  async #withReader<T>(read: (reader: PostgresConnection) => Promise<T>): Promise<T> {
    const reader = await this.#take();
    try {
      return await read(reader);
    } finally {
      // Release the reader even when its session is lost. Otherwise other reads would wait for it forever.
      if (!reader.lost) this.#idle.push(reader);
      this.#release();
    }
  }

  async #take(): Promise<PostgresConnection> {
    while (this.#reading >= READERS)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#reading += 1;
    try {
      return this.#takeIdle() ?? (await this.#open());
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  #takeIdle(): PostgresConnection | undefined {
    for (;;) {
      const reader = this.#idle.pop();
      if (reader?.lost !== true) return reader;
    }
  }

  #release(): void {
    this.#reading -= 1;
    this.#waiting.shift()?.();
  }
}

/**
 * Counts the bytes of each row against the budget, which throws `NeedsWorker` when it is used up. The server has
 * computed the rows already, so this saves only further work on them.
 */
function withBudget(reader: Connection, budget: Budget): Connection {
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
