import { randomBytes } from "node:crypto";
import type { Clock } from "../../base/clock.ts";
import { type Connection, quoted } from "../connection.ts";
import { daemonLockName, LOCKS } from "../write-lock/locks.ts";
import type { PostgresConnection } from "./connection.ts";

interface SessionOptions {
  readonly schema: string;
  readonly clock: Clock;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5000;
const ROW_WAIT = "1s";

/**
 * A permanent session in addition to those that read and write. It receives notifications of other daemons' commits,
 * renews this daemon's terms, and shows by a shared lock that the database is in use. A lost session is reopened; then
 * the listener is called once, since notifications may have been missed.
 */
export class PostgresSession {
  readonly #options: SessionOptions;
  readonly #connect: () => Promise<PostgresConnection>;
  readonly #self = randomBytes(8).toString("hex");
  readonly #stopped = new AbortController();
  /** The event id in the last announcement of this daemon. */
  #announced: number | undefined;
  /** The event id of this daemon's last announced commit, if the outcome of this commit is unknown. */
  #late: number | undefined;
  #listener: ((lastEventId: number) => void) | undefined;
  #opening: Promise<PostgresConnection> | undefined;
  #session: PostgresConnection | undefined;

  constructor(options: SessionOptions, connect: () => Promise<PostgresConnection>) {
    this.#options = options;
    this.#connect = connect;
  }

  get #channel(): string {
    return `svc_${this.#options.schema}`;
  }

  async announce(connection: Connection, lastEventId: number): Promise<void> {
    this.#announced = lastEventId;
    await connection.execute("select pg_notify($1, $2)", [
      this.#channel,
      `${this.#self} ${lastEventId}`,
    ]);
  }

  /**
   * If the last announced commit turns out to be made, its notification will call the listener. Usually the
   * notification of an own commit is ignored, because the daemon already knows of the commit.
   */
  expectLate(): void {
    this.#late = this.#announced;
  }

  async listen(listener: (lastEventId: number) => void): Promise<void> {
    this.#listener = listener;
    await this.open();
  }

  /** A random text that identifies this daemon, so that it can ignore its own notifications. */
  get mark(): string {
    return this.#self;
  }

  async answers(): Promise<boolean> {
    try {
      await this.ask(async (session) => await session.execute("select 1", []));
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Runs a query on the session. If the session was lost, repeats the query once on a new session, because a loss is
   * often noticed only at the next use.
   */
  async ask<T>(question: (session: Connection) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      let session: PostgresConnection | undefined;
      try {
        session = await this.open();
        return await question(session);
      } catch (error) {
        if (session?.lost !== true || attempt === 2) throw error;
        this.#forget(session);
      }
    }
  }

  async open(): Promise<PostgresConnection> {
    this.#opening ??= this.#open();
    const opening = this.#opening;
    try {
      const session = await opening;
      this.#session = session;
      return session;
    } catch (error) {
      if (this.#opening === opening) this.#opening = undefined;
      throw error;
    }
  }

  #forget(session: PostgresConnection): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#opening = undefined;
  }

  async #open(): Promise<PostgresConnection> {
    const session = await this.#connect();
    session.client.on("notification", ({ payload = "" }) => {
      const [from, id] = payload.split(" ");
      if (from !== this.#self || Number(id) === this.#late) this.#listener?.(Number(id));
    });
    session.client.on("end", () => {
      this.#forget(session);
      void this.#reopen();
    });
    await session.execute(`listen ${quoted(this.#channel)}`, []);
    // Waits while a command upgrades the tables: the command holds this lock exclusively.
    await session.execute("select pg_advisory_lock_shared($1, hashtext($2))", [
      LOCKS,
      daemonLockName(this.#options.schema),
    ]);
    // A daemon that hangs in a write keeps its row in `election` locked, so limit the wait for that row.
    await session.execute("select set_config('lock_timeout', $1, false)", [ROW_WAIT]);
    return session;
  }

  async #reopen(): Promise<void> {
    let wait = FIRST_RETRY_MS;
    while (!this.#stopped.signal.aborted) {
      try {
        const session = await this.open();
        if (this.#stopped.signal.aborted) return await session.close();
        const { rows } = await session.execute<{ last: number }>(
          "select last_event_id as last from log_head",
          [],
        );
        this.#listener?.(rows[0]?.last ?? 0);
        return;
      } catch {
        await this.#options.clock.sleep(wait, this.#stopped.signal);
        wait = Math.min(2 * wait, LAST_RETRY_MS);
      }
    }
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    const session = await this.#opening?.catch(() => undefined);
    await session?.close();
  }
}
