import type { Client } from "pg";
import type { Connection, Result, Value } from "./connection.ts";
import { disconnected, translated } from "./errors.ts";

/**
 * Recognises the end of a session by a FATAL error or a socket error, since the client's `end` event may come later.
 */
function endsSession(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("severity" in error && error.severity === "FATAL") || "syscall" in error;
}

export class PostgresConnection implements Connection {
  readonly dialect = "postgres";
  readonly client: Client;
  readonly #names = new Map<string, string>();
  #prepared = 0;
  #lost = false;

  constructor(client: Client) {
    this.client = client;
    for (const event of ["error", "end"] as const) {
      client.on(event, () => {
        this.#lost = true;
      });
    }
  }

  get lost(): boolean {
    return this.#lost;
  }

  /**
   * Runs a statement. A statement with values is prepared under a name, so that it can run again. A statement without
   * values is not: it runs once or controls a transaction.
   */
  async execute<O>(sql: string, values: readonly Value[]): Promise<Result<O>> {
    try {
      const query =
        values.length === 0
          ? { text: sql }
          : { text: sql, values: [...values], name: this.#name(sql) };
      const { rows, rowCount } = await this.client.query(query);
      return { rows: rows as O[], changes: rowCount ?? 0 };
    } catch (error) {
      this.#lost ||= endsSession(error);
      throw this.#lost ? disconnected(error) : translated(error);
    }
  }

  /** Makes each statement be prepared again, under a new name. */
  readonly tablesChanged = (): void => this.#names.clear();

  #name(sql: string): string {
    const known = this.#names.get(sql);
    if (known !== undefined) return known;
    const name = `s${this.#prepared}`;
    this.#prepared += 1;
    this.#names.set(sql, name);
    return name;
  }

  async close(): Promise<void> {
    if (!this.#lost) await this.client.end();
  }
}
