import type { StoredEvent } from "../contract/events.ts";
import { evolve } from "./evolve/evolve.ts";
import { IN_MEMORY, type Maps } from "./maps.ts";
import { MemoryState } from "./memory.ts";
import { compareEvents, type Place } from "./order.ts";

/**
 * Folds a whole log that is read in the order of arrival, keeping the rows in `maps`. Each event is folded when it is
 * added, as long as it comes after the one before it. From the first event that does not, the fold has to start again
 * with sorted events (`end`).
 */
export class WholeFold {
  readonly #maps: Maps;
  readonly #state: MemoryState;
  #last: Place | undefined;
  #isInOrder = true;

  constructor(maps: Maps = IN_MEMORY) {
    this.#maps = maps;
    this.#state = new MemoryState(maps);
  }

  add(event: StoredEvent): void {
    this.#isInOrder &&= this.#last === undefined || compareEvents(this.#last, event) < 0;
    this.#last = event;
    if (this.#isInOrder) this.#state.apply(evolve(this.#state, event));
  }

  /** Returns the rows. If the events have to be sorted, `again` is called once and must add all of them once more. */
  async end(again: (add: (event: StoredEvent) => void) => Promise<void>): Promise<MemoryState> {
    if (this.#isInOrder) return this.#state;
    const kept = this.#maps.map<StoredEvent>();
    const places: Place[] = [];
    await again((event) => {
      kept.set(event.uid, event);
      places.push(placeOf(event));
    });
    const state = new MemoryState(this.#maps);
    for (const { uid } of places.sort(compareEvents)) {
      const event = kept.get(uid);
      if (event !== undefined) state.apply(evolve(state, event));
    }
    return state;
  }
}

/** Returns what the order is decided by, without the rest of the event. */
export function placeOf(event: StoredEvent): Place {
  const { id, uid, type, project_uid, origin_instance_uid, hlc_physical_ms, hlc_counter } = event;
  return { id, uid, type, project_uid, origin_instance_uid, hlc_physical_ms, hlc_counter };
}
