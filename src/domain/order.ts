import type { StoredEvent } from "../contract/events.ts";
import { isLocal } from "./federation/gate.ts";

/** The fields of an event that decide its place in the order. */
export type Place = Pick<
  StoredEvent,
  | "id"
  | "uid"
  | "type"
  | "project_uid"
  | "origin_instance_uid"
  | "hlc_physical_ms"
  | "hlc_counter"
  | "hub_event_id"
>;

/** The clock of an event: milliseconds, then a counter. */
export type HybridClock = Pick<Place, "hlc_physical_ms" | "hlc_counter">;

/** No daemon that counts as it should comes to a greater counter (facts federation, section 0). */
export const MAX_COUNTER = 2 ** 31;
/** The last millisecond of the year 9999, which is the last that an instant can say. */
export const MAX_PHYSICAL_MS = 253_402_300_799_999;

const SNAPSHOTS: ReadonlySet<Place["type"]> = new Set([
  "issue.snapshot",
  "cron.job.snapshot",
  "cron.workflow.snapshot",
  "cron.run.snapshot",
]);

/**
 * The order in which the events of a database are folded (facts federation, section 0). All code that folds, replays or
 * verifies events uses it. Feeds (stream, poll, digest, audit) use the order of arrival instead, which is the order of
 * `id`.
 *
 * A database without a federated project folds events as they arrive. With one, events of other daemons arrive late. So
 * the order is by clock, and is the same on every daemon:
 * 1. `project.created`, since a copy of a project is created after the events that it gets.
 * 2. By effective clock: that of the event or of the last baseline that its hub wrote before it, whichever is later. So
 *    an event that was written offline does not undo what a later baseline says. Of an event that concerns this daemon
 *    alone it is the event's own.
 * 3. At one effective clock: the first event of a baseline, its snapshots, then by clock, daemon and uid.
 *
 * The order is total even for events of different projects, because a link may connect two projects.
 */
export class FoldOrder {
  readonly #baselines: ReadonlyMap<string, readonly Place[]>;

  /** `baselines` are the `project.federation_enabled` events of the database. */
  constructor(baselines: readonly Place[]) {
    this.#baselines = Map.groupBy(baselines, ({ project_uid }) => project_uid);
  }

  get isOfArrival(): boolean {
    return this.#baselines.size === 0;
  }

  /** Whether the project is federated, or was. */
  hasBaseline(project_uid: string): boolean {
    return this.#baselines.has(project_uid);
  }

  /** Whether the daemon that wrote the event has written a baseline of the project. */
  isByHub({ project_uid, origin_instance_uid }: Place): boolean {
    const baselines = this.#baselines.get(project_uid) ?? [];
    return baselines.some((baseline) => baseline.origin_instance_uid === origin_instance_uid);
  }

  /** Whether the hub wrote a baseline after it had the event. */
  hasBaselineAfter({
    project_uid,
    hub_event_id = 0,
  }: Pick<Place, "project_uid" | "hub_event_id">): boolean {
    const baselines = this.#baselines.get(project_uid) ?? [];
    return baselines.some((baseline) => (baseline.hub_event_id ?? 0) > hub_event_id);
  }

  /** Whether the project was federated when the event happened: it has a baseline that is folded before the event. */
  isFederatedBefore(project_uid: string, event: Place): boolean {
    const baselines = this.#baselines.get(project_uid) ?? [];
    return baselines.some((baseline) => this.compare(baseline, event) < 0);
  }

  /** Negative if `left` is folded before `right`. */
  compare(left: Place, right: Place): number {
    return this.isOfArrival ? left.id - right.id : this.compareByClock(left, right);
  }

  /** Like `compare`, as if there were a baseline that does not concern the two events. */
  compareByClock(left: Place, right: Place): number {
    const others = this.numbersOf(right);
    for (const [at, number] of this.numbersOf(left).entries()) {
      const difference = number - (others[at] ?? 0);
      if (difference !== 0) return difference;
    }
    return (
      compareTexts(left.origin_instance_uid, right.origin_instance_uid) ||
      compareTexts(left.uid, right.uid)
    );
  }

  /**
   * The numbers of a place, which are compared one after the other. Where all are equal, the origins are compared, then
   * the uids. There are always `PLACE_NUMBERS`.
   */
  numbersOf(place: Place): readonly number[] {
    const effective = this.effectiveClock(place);
    return [
      place.type === "project.created" ? 0 : 1,
      effective.hlc_physical_ms,
      effective.hlc_counter,
      rankOf(place),
      place.hlc_physical_ms,
      place.hlc_counter,
    ];
  }

  /** Returns each of the events once, in the order in which they are folded. */
  sorted<E extends Place>(events: Iterable<E>): readonly E[] {
    const once = new Map<string, E>();
    for (const event of events) once.set(event.uid, event);
    return [...once.values()].sort((left, right) => this.compare(left, right));
  }

  /**
   * The clock of the event, or of the last baseline that its hub wrote before it, whichever is later. Baselines say nothing
   * about what concerns this daemon alone.
   */
  effectiveClock(event: Place): HybridClock {
    if (isLocal(event.type)) return event;
    let clock: HybridClock = event;
    for (const baseline of this.#baselines.get(event.project_uid) ?? [])
      if (isBefore(baseline, event) && compareClocks(baseline, clock) > 0) clock = baseline;
    return clock;
  }
}

/**
 * Whether the hub wrote the baseline before it had the event. The hub of a baseline is this database if the baseline has
 * no `hub_event_id`. An event that the hub does not have yet comes after every baseline that is known.
 */
function isBefore(baseline: Place, event: Place): boolean {
  if (baseline.hub_event_id === undefined) return baseline.id < event.id;
  return event.hub_event_id === undefined || baseline.hub_event_id < event.hub_event_id;
}

/** How many numbers `FoldOrder.numbersOf` returns. */
export const PLACE_NUMBERS = 6;

/** The place of the kind among events of one effective clock. */
function rankOf({ type }: Pick<Place, "type">): number {
  if (type === "project.federation_enabled") return 0;
  return SNAPSHOTS.has(type) ? 1 : 2;
}

export function compareClocks(left: HybridClock, right: HybridClock): number {
  return left.hlc_physical_ms - right.hlc_physical_ms || left.hlc_counter - right.hlc_counter;
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
