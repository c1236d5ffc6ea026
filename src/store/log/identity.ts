import type { Connection } from "../connection.ts";
import { statement } from "../rows/statement.ts";
import type { LogHead } from "../types/events.ts";
import { newEpoch } from "./epoch.ts";

export type LogEnd = Pick<LogHead, "last_event_id" | "chain" | "epoch">;

/** Stores the end of the log outside of the database, so that the next start can compare it with the log. */
export interface EndRecord {
  /**
   * Returns the stored end; `undefined` if there is none for this database. Then it is unknown whether the log went
   * back.
   */
  read(): LogEnd | undefined;
  write(end: LogEnd): void;
  close(): void;
}

/**
 * Remembers the end of the log after the last commit of this store. Compares it with the log whenever an older log may
 * have replaced the log: at the start, and on each new session. If that end is missing in the log, gives the log a new
 * epoch, so that its readers start again.
 */
export class LogIdentity {
  readonly #record: EndRecord | undefined;
  #end: LogEnd | undefined;
  #session: Connection | undefined;

  constructor(record?: EndRecord) {
    this.#record = record;
    this.#end = record?.read();
  }

  /**
   * Returns the head of a log that is about to be written. If committed events are missing, the head has a new epoch.
   */
  async checked(session: Connection, head: LogHead): Promise<LogHead> {
    if (session === this.#session) return head;
    const isGone = await this.#isGone(session, head);
    return isGone ? { ...head, epoch: newEpoch() } : head;
  }

  committed(session: Connection, end: LogEnd): void {
    this.#session = session;
    this.#end = end;
    this.#record?.write(end);
  }

  close(): void {
    this.#record?.close();
  }

  async #isGone(session: Connection, head: LogHead): Promise<boolean> {
    const end = this.#end;
    // A store with an `EndRecord` is the only writer of its database. If no end of the log was recorded for this
    // database, the log may have been replaced without a trace, so committed events count as missing.
    if (end === undefined) return this.#record !== undefined;
    // The log has another epoch already. Without a record, another daemon has found that events are missing and has
    // changed the epoch. With a record there is no other daemon, so the events still count as missing.
    if (end.epoch !== head.epoch) return this.#record !== undefined;
    if (head.last_event_id <= end.last_event_id)
      return head.last_event_id < end.last_event_id || head.chain !== end.chain;
    const event = await chainAt.one(session, { id: end.last_event_id });
    // If there is no event with this id, a purge has reserved the id or removed the event.
    return event !== undefined && event.chain !== end.chain;
  }
}

const chainAt = statement((db, p: { id: number }) =>
  db.selectFrom("event").select("chain").where("id", "=", p.id),
);
