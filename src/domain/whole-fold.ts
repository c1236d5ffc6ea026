import type { StoredEvent } from "../contract/events.ts";
import { evolve } from "./evolve/evolve.ts";
import { IN_MEMORY, type Maps } from "./maps.ts";
import { MemoryState } from "./memory.ts";
import { FoldOrder, type Place } from "./order.ts";
import { PlaceList } from "./place-list.ts";

/** A log that can be read a second time, in another order. */
export interface SortableLog {
  /** Adds the places of all events that were added to the fold. */
  places(add: (place: Place) => void): Promise<void>;
  /** Returns the events with these ids, in the order of the ids in the list. */
  events(ids: readonly number[]): Promise<readonly StoredEvent[]>;
}

/** How many events of a sorted log are read at a time. */
const BATCH = 500;

/**
 * Folds a whole log that is read in the order of arrival, and keeps the rows in `maps`. Each event is folded when it is
 * added. If an event belongs before an event that was already added, the fold starts again with sorted events (`end`).
 */
export class WholeFold {
  readonly #maps: Maps;
  readonly #evolve: typeof evolve;
  readonly #state: MemoryState;
  readonly #baselines: Place[] = [];
  readonly #projects = new Set<string>();
  #order = new FoldOrder([]);
  #last: Place | undefined;
  /** Whether the order of arrival has been the order by clock too. */
  #isByClock = true;

  /** `evolved` is `evolve`, or a function that calls it and handles its errors. */
  constructor(maps: Maps = IN_MEMORY, evolved: typeof evolve = evolve) {
    this.#maps = maps;
    this.#evolve = evolved;
    this.#state = new MemoryState(maps);
  }

  add(event: StoredEvent): void {
    const place = placeOf(event);
    if (event.type === "project.federation_enabled") {
      this.#baselines.push(place);
      this.#order = new FoldOrder(this.#baselines);
      this.#state.order = this.#order;
      // Events that the hub of this baseline does not have yet come after it.
      if (event.hub_event_id !== undefined) this.#isByClock = false;
    }
    this.#isByClock &&= this.#isNext(place);
    this.#projects.add(event.project_uid);
    if (this.#isInOrder) this.#state.fold(event, this.#evolve);
  }

  /** Returns the rows. If the events must be sorted, reads them again from the log, in the order of the fold. */
  async end(log: SortableLog): Promise<MemoryState> {
    if (this.#isInOrder) return this.#state;
    const places = new PlaceList(this.#order);
    await log.places((place) => places.add(place));
    const state = new MemoryState(this.#maps);
    state.order = this.#order;
    for (const ids of batches(places.sortedIds(), BATCH))
      for (const event of await log.events(ids)) state.fold(event, this.#evolve);
    return state;
  }

  get #isInOrder(): boolean {
    return this.#isByClock || this.#order.isOfArrival;
  }

  /** Whether the event comes, by clock, after all events that were added. */
  #isNext(place: Place): boolean {
    if (place.type === "project.created") return !this.#projects.has(place.project_uid);
    const last = this.#last;
    this.#last = place;
    return last === undefined || this.#order.compareByClock(last, place) < 0;
  }
}

/** Returns only the fields of an event that decide its place in the order. */
export function placeOf(event: StoredEvent): Place {
  const { id, uid, type, project_uid, origin_instance_uid, hlc_physical_ms, hlc_counter } = event;
  const place = { id, uid, type, project_uid, origin_instance_uid, hlc_physical_ms, hlc_counter };
  return event.hub_event_id === undefined ? place : { ...place, hub_event_id: event.hub_event_id };
}

function* batches<T>(values: Iterable<T>, size: number): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const value of values) {
    batch.push(value);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
