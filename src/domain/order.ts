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

/**
 * The counter of a daemon that counts correctly never exceeds this number
 * (docs/contract/events.md#13-the-hybrid-clock).
 */
export const MAX_COUNTER = 2 ** 31;
/** The last millisecond of the year 9999, and so the latest one that the text of an instant can express. */
export const MAX_PHYSICAL_MS = 253_402_300_799_999;

const SNAPSHOTS: ReadonlySet<Place["type"]> = new Set([
  "issue.snapshot",
  "cron.job.snapshot",
  "cron.workflow.snapshot",
  "cron.run.snapshot",
]);

/**
 * The order in which the events of a database are folded (docs/contract/federation.md#81-order). All code that folds,
 * replays or verifies events uses it. Feeds (stream, poll, digest, audit) use the order of arrival instead, which is
 * the order of `id`.
 *
 * A database without a federated project folds events as they arrive. In a database with a federated project, events of
 * other daemons may arrive late. So the events are folded by clock, in the same order on every daemon:
 * 1. `project.created` comes first. A copy writes its own such event, later than many events that it gets from the hub.
 * 2. The others are in the order of their effective clock. This is the event's own clock or, if it is later, the clock
 *    of the last baseline that the hub wrote before it had the event. So an event that was written offline does not
 *    undo what a later baseline says. An event that concerns this daemon alone has only its own clock.
 * 3. If effective clocks are equal: the first event of a baseline, its snapshots, then other events by clock, daemon
 *    and uid.
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

  /** Like `compare` in a database with a federated project: compares by clock, even if there is no baseline. */
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
   * Returns the numbers of a place, which are compared one after the other. If all of them are equal, the origins are
   * compared, then the uids. The result always has `PLACE_NUMBERS` numbers.
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
   * Returns the clock of the event or, if it is later, the clock of the last baseline that the hub wrote before the hub
   * had the event. An event that concerns this daemon alone keeps its own clock.
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
 * Whether the hub wrote the baseline before it had the event. A baseline without `hub_event_id` was written by this
 * database, which is then the hub. An event that the hub does not have yet comes after every known baseline.
 */
function isBefore(baseline: Place, event: Place): boolean {
  if (baseline.hub_event_id === undefined) return baseline.id < event.id;
  return event.hub_event_id === undefined || baseline.hub_event_id < event.hub_event_id;
}

/** How many numbers `FoldOrder.numbersOf` returns. */
export const PLACE_NUMBERS = 6;

/** The rank of the kind among events with the same effective clock. */
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
