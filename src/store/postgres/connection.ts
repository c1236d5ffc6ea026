import { Socket } from "node:net";
import type { Client } from "pg";
import { type Clock, systemClock } from "../../base/clock.ts";
import { errorCode } from "../../base/error-code.ts";
import { invariant } from "../../base/invariant.ts";
import type { Connection, Result, Value } from "../connection.ts";
import { disconnected, readOnly, silent, translated } from "../errors.ts";
import { AnswerWatch, type Look } from "./answer-watch.ts";

/** How long closing a session may take. */
const GOODBYE_MS = 1000;

/** The server's process of a session. `started` distinguishes it from an earlier process with the same pid. */
export interface ServerProcess {
  readonly pid: number;
  readonly started: string;
}

/**
 * The error code for a write on a server that no longer accepts writes, because it was made read-only or is now a
 * standby.
 */
const READ_ONLY = "25006";

/**
 * Whether an error ends the session: a FATAL error or a socket error. The client's `end` event may come later. A
 * session whose server no longer accepts writes ends too, so that the next session looks for a server that does.
 */
function endsSession(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (errorCode(error) === READ_ONLY) return true;
  return ("severity" in error && error.severity === "FATAL") || "syscall" in error;
}

/**
 * A session with a server. Connects and statements have time limits (`AnswerWatch`). If a limit is exceeded, the
 * session is dropped and counts as lost, and its callers get `disconnected`. If `commit` was sent on it, this session
 * cannot tell whether the commit was made.
 */
export class PostgresConnection implements Connection {
  readonly dialect = "postgres";
  readonly client: Client;
  readonly #clock: Pick<Clock, "sleep">;
  readonly #watch: AnswerWatch;
  readonly #names = new Map<string, string>();
  #prepared = 0;
  #process: ServerProcess | undefined;
  #lost = false;
  #silent = false;

  /** Must be created before the client connects. An error of a client without a listener would end the process. */
  constructor(client: Client, clock: Pick<Clock, "sleep"> = systemClock) {
    this.client = client;
    this.#clock = clock;
    this.#watch = new AnswerWatch({
      clock,
      arrived: () => this.#arrivedBytes(),
      silent: () => {
        this.#silent = true;
        this.#dropConnection();
      },
    });
    for (const event of ["error", "end"] as const) {
      client.on(event, () => {
        this.#lost = true;
        this.#watch.stop();
      });
    }
  }

  async open(): Promise<void> {
    try {
      await this.#watch.during(this.client.connect());
      const { rows } = await this.execute<ServerProcess>(PROCESS, []);
      this.#process = rows[0];
    } catch (error) {
      this.#dropConnection();
      throw this.#silent ? silent(error) : error;
    }
  }

  get lost(): boolean {
    return this.#lost;
  }

  /** The server's process of this session, so that another session can query its state. */
  get process(): ServerProcess {
    invariant(this.#process !== undefined, "the session is open");
    return this.#process;
  }

  /**
   * From now on, `look` decides about statements that get no answer, because they may take long. Without `look`, the
   * usual time limit applies.
   */
  judgeBy(look: Look | undefined): void {
    this.#watch.judgeBy(look);
  }

  /** Whether a statement has been waiting for its answer for longer than usual. */
  get isLate(): boolean {
    return this.#watch.isLate;
  }

  /** Whether the server answers on this session. The caller must limit the time. */
  async answers(): Promise<boolean> {
    if (this.#watch.isWaiting) return !this.isLate;
    // An error is an answer too, for example inside of a failed transaction.
    await this.execute("select 1", []).catch(() => undefined);
    return !this.#lost;
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
          : { text: sql, values: [...values], name: this.#nameOf(sql) };
      const { rows, rowCount } = await this.#watch.during(this.client.query(query));
      return { rows: rows as O[], changes: rowCount ?? 0 };
    } catch (error) {
      this.#lost ||= endsSession(error);
      if (this.#silent) throw silent(error);
      if (errorCode(error) === READ_ONLY) throw readOnly(error);
      throw this.#lost ? disconnected(error) : translated(error);
    }
  }

  /** Makes each statement be prepared again, under a new name, at its next use. */
  readonly tablesChanged = (): void => this.#names.clear();

  #nameOf(sql: string): string {
    const known = this.#names.get(sql);
    if (known !== undefined) return known;
    const name = `s${this.#prepared}`;
    this.#prepared += 1;
    this.#names.set(sql, name);
    return name;
  }

  #arrivedBytes(): number {
    const { stream } = this.client.connection;
    return stream instanceof Socket ? stream.bytesRead : 0;
  }

  #dropConnection(): void {
    this.#lost = true;
    this.#watch.stop();
    this.client.connection.stream.destroy();
  }

  async close(): Promise<void> {
    if (this.#lost) return this.#watch.stop();
    const late = new AbortController();
    const ended = this.client.end().finally(() => late.abort());
    await Promise.race([ended, this.#clock.sleep(GOODBYE_MS, late.signal)]);
    // A silent network never confirms the end, so do not wait for it.
    this.#dropConnection();
  }
}

const PROCESS = `
  select pid, extract(epoch from backend_start)::text as started
  from pg_stat_activity where pid = pg_backend_pid()`;
