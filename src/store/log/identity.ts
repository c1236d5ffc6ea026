import type { Connection } from "../connection.ts";
import { statement } from "../rows/statement.ts";
import type { LogHead } from "../types/events.ts";
import { newEpoch } from "./epoch.ts";

export type LogEnd = Pick<LogHead, "last_event_id" | "chain" | "epoch">;

/** Keeps the end of the log outside of the database, so that the next start can look for it. */
export interface EndRecord {
  /** Undefined if no end of this database is recorded. The log may then have gone back unnoticed. */
  read(): LogEnd | undefined;
  write(end: LogEnd): void;
  close(): void;
}

/**
 * Knows the end of the log that this store last committed, and looks for it where the log may have gone back meanwhile:
 * at the start, and on each new session. If that end is gone, the log gets a new epoch, so that its readers start anew.
 */
export class LogIdentity {
  readonly #record: EndRecord | undefined;
  #end: LogEnd | undefined;
  #session: Connection | undefined;

  constructor(record?: EndRecord) {
    this.#record = record;
    this.#end = record?.read();
  }

  /** Returns the head of a log that is about to be written, with a new epoch if committed events are gone. */
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
    // A store with a record is the only writer of its database. If its record has no end, the log may have gone back
    // unnoticed, so committed events count as gone.
    if (end === undefined) return this.#record !== undefined;
    // The log already has another epoch. Without a record, another daemon has found that events are gone, and has
    // changed the epoch. With a record there is no other daemon, so the events still count as gone.
    if (end.epoch !== head.epoch) return this.#record !== undefined;
    if (head.last_event_id <= end.last_event_id)
      return head.last_event_id < end.last_event_id || head.chain !== end.chain;
    const event = await chainAt.one(session, { id: end.last_event_id });
    // There is no event if a purge reserved the id or removed the event.
    return event !== undefined && event.chain !== end.chain;
  }
}

const chainAt = statement((db, p: { id: number }) =>
  db.selectFrom("event").select("chain").where("id", "=", p.id),
);
