import { evolve } from "../../domain/evolve/evolve.ts";
import { MemoryState } from "../../domain/memory.ts";
import type { Store } from "../../store/types.ts";

interface Folded {
  readonly event_id: number;
  /** A purge since takes what it purged out of the past too. */
  readonly reset: number;
  readonly state: WeakRef<MemoryState>;
}

/**
 * Everything as it was: the log folded from its beginning, in slices between which other work gets its turn. The last
 * one is kept for as long as memory is not wanted for something else, so a second list of the same moment is quick;
 * one is made at a time.
 */
export class PastFolds {
  readonly #store: Store;
  #last: Folded | undefined;
  #making: Promise<unknown> = Promise.resolve();

  constructor(store: Store) {
    this.#store = store;
  }

  async through(event_id: number): Promise<MemoryState> {
    const made = this.#making.then(async () => await this.#fold(event_id));
    this.#making = made.catch(() => undefined);
    return await made;
  }

  async #fold(event_id: number): Promise<MemoryState> {
    const reset = await this.#store.read(async ({ events }) => await events.resetAfter());
    const last = this.#last;
    const kept =
      last?.event_id === event_id && last.reset === reset ? last.state.deref() : undefined;
    if (kept !== undefined) return kept;
    const state = await this.#read(event_id);
    this.#last = { event_id, reset, state: new WeakRef(state) };
    return state;
  }

  async #read(event_id: number): Promise<MemoryState> {
    const state = new MemoryState();
    const snapshot = await this.#store.openSnapshot();
    try {
      for await (const event of snapshot.rows("event")) {
        if (event.id > event_id) break;
        state.apply(evolve(state, event));
      }
    } finally {
      await snapshot.close();
    }
    return state;
  }
}
