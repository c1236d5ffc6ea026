import type { StoredEvent } from "../contract/events.ts";
import { evolve } from "./evolve/evolve.ts";
import { IN_MEMORY, type Maps } from "./maps.ts";
import { MemoryState } from "./memory.ts";
import { compareEvents, type Place } from "./order.ts";

/**
 * Folds a whole log that is read in the order of arrival, and keeps the rows in `maps`. Each event is folded when it is
 * added. If an event belongs before an event that was already added, the fold starts again with sorted events (`end`).
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

  /** Returns the rows. If the events must be sorted, calls `again` once, which must add all of them a second time. */
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

/** Returns only the fields of an event that decide its place in the order. */
export function placeOf(event: StoredEvent): Place {
  const { id, uid, type, project_uid, origin_instance_uid, hlc_physical_ms, hlc_counter } = event;
  return { id, uid, type, project_uid, origin_instance_uid, hlc_physical_ms, hlc_counter };
}
