import { WAKING_KINDS, wakesBridge } from "../../domain/bridges/waking.ts";
import type { Reader } from "../../store/types/store.ts";

/** A part of the log has at most this many events of `WAKING_KINDS`, and this much payload. */
const MOST_EVENTS = 500;
const MOST_BYTES = 1 << 20;

/** The issues with bridges that are to be run soon, by what the log has after the event `after`; a bounded part of it. */
export async function wokenIssues({ events, bridges }: Reader, after: number) {
  const filter = { types: WAKING_KINDS };
  const part = await events.matching(filter, after, MOST_EVENTS, MOST_BYTES);
  const named = part.events.flatMap(({ issue_uid }) => issue_uid ?? []);
  const bound = await bridges.enabledOf([...new Set(named)]);
  const instances = new Map(bound.map((one) => [one.issue_uid, one.connector_instance]));
  const waking = part.events.filter((event) => {
    const instance = instances.get(event.issue_uid ?? "");
    return instance !== undefined && wakesBridge(event, instance);
  });
  const uids = waking.flatMap(({ issue_uid }) => issue_uid ?? []);
  return { uids, upTo: part.upTo, last: part.last };
}
