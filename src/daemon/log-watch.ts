import type { Clock } from "../base/clock.ts";
import { yieldToLoop } from "../base/yield-to-loop.ts";
import type { Reader, Store } from "../store/types/store.ts";

/** What a part of the log has that an engine must know of. */
export interface LogPart {
  readonly uids: readonly string[];
  /** The part ends with this id. */
  readonly upTo: number;
  /** False if the log has further events. */
  readonly last: boolean;
}

interface Needs {
  readonly store: Pick<Store, "onCommit" | "read">;
  readonly clock: Pick<Clock, "sleep">;
  /** Returns how long to wait after a commit, in ms. Commits in that time are handled together with it. */
  waitMs(): number;
  /** Reads a bounded part of the log after this id. */
  read(reader: Reader, after: number): Promise<LogPart>;
  /** Gets the uids that were read, without repetitions. Not called if there are none. */
  found(uids: readonly string[]): void;
}

/** Finds in the log what an engine must know of soon. Looks at each new event once, and only while it is on. */
export class LogWatch {
  readonly #needs: Needs;
  #unsubscribe: (() => void) | undefined;
  /** `undefined` until the end of the log was read. */
  #seenUpTo: number | undefined;
  #lastHeard = 0;
  #isWaiting = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Begins or ends the watch. Ignores events that are in the log when it begins: the caller looks for them itself. */
  async set(isOn: boolean): Promise<void> {
    if (!isOn) return this.#end();
    if (this.#unsubscribe !== undefined) return;
    this.#unsubscribe = this.#needs.store.onCommit((lastId) => this.#committed(lastId));
    try {
      this.#seenUpTo = await this.#needs.store.read(async ({ events }) => await events.lastId());
    } catch (error) {
      this.#end();
      throw error;
    }
    this.#committed(this.#lastHeard);
  }

  #end(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#seenUpTo = undefined;
  }

  #committed(lastId: number): void {
    this.#lastHeard = lastId;
    if (this.#isWaiting || this.#seenUpTo === undefined || lastId <= this.#seenUpTo) return;
    this.#isWaiting = true;
    // This fails if the store has been closed. Then nobody needs the result.
    void this.#look().catch(() => (this.#isWaiting = false));
  }

  async #look(): Promise<void> {
    const { store, clock, read, found, waitMs } = this.#needs;
    await clock.sleep(waitMs());
    this.#isWaiting = false;
    const uids = new Set<string>();
    try {
      for (;;) {
        const after = this.#seenUpTo;
        if (after === undefined) return;
        const part = await store.read(async (reader) => await read(reader, after));
        // The watch may have been begun again meanwhile, and then has seen more.
        if (this.#seenUpTo !== undefined) this.#seenUpTo = Math.max(this.#seenUpTo, part.upTo);
        for (const uid of part.uids) uids.add(uid);
        if (part.last) break;
        await yieldToLoop();
      }
    } finally {
      // Also if a later part could not be read, since the parts before it are not read again.
      if (uids.size > 0) found([...uids]);
    }
  }
}
