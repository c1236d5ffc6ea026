import type { Clock } from "../../base/clock.ts";
import type { Fields, Log } from "../../base/log.ts";
import { Poller } from "../poller.ts";

const COUNT_MS = 10_000;
/** The maximum number of different entries that are remembered. Further entries are counted by event and code only. */
const MAX_ENTRIES = 100;

interface Entry {
  readonly event: string;
  readonly fields: Fields;
  /** How many times the entry occurred again since it was last written. */
  repeated: number;
}

/**
 * The log of mistakes of clients, such as refused requests. Anybody who can reach the daemon can cause any number of
 * such entries. A new entry is written at once. If the same entry occurs again, it is only counted. After `COUNT_MS`
 * one line with the number (`repeated`) is written.
 */
export class RefusalLog {
  readonly #log: Log;
  readonly #counts: Poller;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock, log: Log) {
    this.#log = log;
    this.#counts = new Poller(clock, COUNT_MS, () => this.#writeCounts());
  }

  info(event: string, fields: Fields = {}): void {
    const entry = this.#knownEntry(event, fields);
    if (entry !== undefined) {
      entry.repeated++;
      return;
    }
    this.#log.info(event, fields);
    this.#counts.begin();
  }

  /** Writes the counts that have not been written yet. */
  stop(): void {
    this.#counts.stop();
    this.#writeCounts();
  }

  /** Returns the entry if it was written before. Remembers a new entry and returns `undefined`. */
  #knownEntry(event: string, fields: Fields): Entry | undefined {
    const key = JSON.stringify([event, fields]);
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    if (this.#entries.size < MAX_ENTRIES) {
      this.#entries.set(key, { event, fields, repeated: 0 });
      return undefined;
    }
    const { code } = fields;
    const others = JSON.stringify([event, code]);
    const counted = this.#entries.get(others) ?? {
      event,
      repeated: 0,
      fields: { ...(code === undefined ? {} : { code }), others: true },
    };
    this.#entries.set(others, counted);
    return counted;
  }

  /** Writes the counts, and forgets entries that did not occur again. Returns `false` if no entry is left. */
  #writeCounts(): boolean {
    for (const [key, entry] of this.#entries) {
      const { event, fields, repeated } = entry;
      if (repeated === 0) this.#entries.delete(key);
      else this.#log.info(event, { ...fields, repeated });
      entry.repeated = 0;
    }
    return this.#entries.size > 0;
  }
}
