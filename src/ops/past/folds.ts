import { yieldToLoop } from "../../base/yield-to-loop.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { WholeFold } from "../../domain/whole-fold.ts";
import type { Events } from "../../store/types/events.ts";
import type { Store } from "../../store/types/store.ts";
import { type Past, pastOf } from "./past.ts";

interface FoldedState {
  readonly event_id: number;
  /** Id of the last purge at the time of folding; a later purge makes the fold invalid. */
  readonly reset: number;
  readonly past: Past;
}

const SLICE = 1000;

/**
 * Folds the events that had arrived up to an event. Keeps the last fold, so that a second list of the same moment is
 * quick. Makes only one fold at a time, since a fold holds the content of all projects in memory.
 */
export class PastFolds {
  #last: FoldedState | undefined;
  #making: Promise<unknown> = Promise.resolve();

  async through(store: Pick<Store, "read">, event_id: number): Promise<Past> {
    const fold = this.#making.then(async () => await this.#fold(store, event_id));
    this.#making = fold.catch(() => undefined);
    return await fold;
  }

  async #fold(store: Pick<Store, "read">, event_id: number): Promise<Past> {
    return await store.read(async ({ events }) => {
      const reset = await events.resetAfter();
      const last = this.#last;
      if (last?.event_id === event_id && last.reset === reset) return last.past;
      this.#last = undefined;
      const fold = new WholeFold();
      for await (const event of eventsThrough(events, event_id)) fold.add(event);
      const state = await fold.end({
        places: async (add) => {
          for await (const event of eventsThrough(events, event_id)) add(event);
        },
        events: async (ids) => await events.withIds(ids),
      });
      const past = pastOf(state);
      this.#last = { event_id, reset, past };
      return past;
    });
  }
}

async function* eventsThrough(
  events: Pick<Events, "after">,
  event_id: number,
): AsyncGenerator<StoredEvent, void, void> {
  for (let after = 0; after < event_id; ) {
    const slice = await events.after(after, SLICE);
    yield* slice.filter(({ id }) => id <= event_id);
    after = slice.length < SLICE ? event_id : (slice.at(-1)?.id ?? event_id);
    await yieldToLoop();
  }
}
