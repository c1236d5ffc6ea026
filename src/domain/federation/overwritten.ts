import { sameJson } from "../../base/json.ts";
import type { StoredEvent } from "../../contract/events.ts";
import type { FoldOrder } from "../order.ts";
import { type Setting, settingsOf } from "./settings.ts";

/**
 * Finds the values that were lost because two daemons changed the same thing without knowing of each other, and the
 * write that won. Of two changes of one thing, the later one in the order of the fold wins. It has
 * overwritten the earlier change if its writer cannot have known the earlier change. This is so in three cases:
 * - this daemon had the later change before it got the earlier one;
 * - the hub had the later change first;
 * - the later change says that it replaced another value.
 *
 * If the writer of a change knew the earlier change, nothing was overwritten. A daemon does not overwrite its own
 * changes. `events` are the events of one issue. Returns the winner for the id of each event that lost a value.
 */
export function overwritten(
  events: readonly StoredEvent[],
  order: FoldOrder,
): ReadonlyMap<number, StoredEvent> {
  const winners = new Map<number, StoredEvent>();
  for (const writes of writesOf(order.sorted(events)).values()) {
    writes.forEach((write, at) => {
      const winner = winnerOver(write, writes.slice(at + 1));
      const known = winners.get(write.event.id);
      if (winner === undefined) return;
      if (known === undefined || order.compare(known, winner) < 0)
        winners.set(write.event.id, winner);
    });
  }
  return winners;
}

interface Write {
  readonly event: StoredEvent;
  readonly setting: Setting;
}

/** The writes of each thing that several daemons changed, in the order of the fold. */
function writesOf(sorted: readonly StoredEvent[]): ReadonlyMap<string, readonly Write[]> {
  const all = sorted
    .filter(({ skipped_at }) => skipped_at === undefined)
    .flatMap((event) => settingsOf(event).map((setting): Write => ({ event, setting })));
  const byThing = Map.groupBy(all, ({ setting }) => setting.thing);
  return new Map(
    [...byThing].filter(
      ([, writes]) => new Set(writes.map(({ event }) => event.origin_instance_uid)).size > 1,
    ),
  );
}

/**
 * Returns the event that overwrote `write`. The later writes of the same thing count up to the first one whose writer
 * knew `write`; the last of these has won. Returns `undefined` if no write counts, or if the winner set the same value.
 */
function winnerOver(write: Write, later: readonly Write[]): StoredEvent | undefined {
  const replacing = later.filter(({ setting }) => replaces(setting, write.setting));
  const known = replacing.findIndex(
    (one, at) => !isUnaware(one.event, write.event) && !(at === 0 && replacedOther(one, write)),
  );
  const winner = replacing.slice(0, known === -1 ? replacing.length : known).at(-1);
  if (winner === undefined) return undefined;
  return sameJson(winner.setting.value, write.setting.value) ? undefined : winner.event;
}

/** A value of metadata is also replaced when an object that contains it is replaced. */
function replaces({ path }: Setting, { path: within }: Setting): boolean {
  return path.length <= within.length && path.every((key, at) => key === within[at]);
}

function isUnaware(later: StoredEvent, earlier: StoredEvent): boolean {
  if (later.origin_instance_uid === earlier.origin_instance_uid) return false;
  return later.id < earlier.id || hubPlaceOf(later) < hubPlaceOf(earlier);
}

/**
 * Returns the event's place in the hub's log. An event that the hub does not have yet comes after all others. On the
 * hub itself no event has a place, so all places are equal.
 */
function hubPlaceOf({ hub_event_id }: StoredEvent): number {
  return hub_event_id ?? Number.MAX_SAFE_INTEGER;
}

function replacedOther({ event, setting }: Write, before: Write): boolean {
  if (setting.replaced === undefined || setting.path.length !== before.setting.path.length)
    return false;
  if (event.origin_instance_uid === before.event.origin_instance_uid) return false;
  return !sameJson(setting.replaced, before.setting.value);
}
