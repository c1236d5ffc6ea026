import type { Clock } from "../../base/clock.ts";
import type { Fields, Log } from "../../base/log.ts";
import { Poller } from "../poller.ts";

const COUNT_MS = 10_000;
/** At most this many different entries are remembered at a time. Further ones are counted by event and code. */
const MAX_ENTRIES = 100;

interface Entry {
  readonly event: string;
  readonly fields: Fields;
  /** How often the entry came again since it was last written. */
  repeated: number;
}

/**
 * The log of what clients do wrong, such as requests that are refused. Anybody who reaches the daemon can cause such
 * entries, in any number. An entry is written at once when it is new. When it comes again, it is only counted, and one
 * line with the number (`repeated`) follows after `COUNT_MS`.
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
    const entry = this.#known(event, fields);
    if (entry !== undefined) {
      entry.repeated++;
      return;
    }
    this.#log.info(event, fields);
    this.#counts.begin();
  }

  /** Writes what was counted since the last time. */
  stop(): void {
    this.#counts.stop();
    this.#writeCounts();
  }

  /** Returns the entry if it was written already. A new entry is remembered. */
  #known(event: string, fields: Fields): Entry | undefined {
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

  /** Forgets entries that did not come again. Returns `false` if no entry is left. */
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
