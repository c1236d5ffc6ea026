import type { StoredEvent } from "../../contract/events.ts";
import { touches } from "../../domain/evolve/evolve.ts";
import { compareClocks, type FoldOrder, type HybridClock, type Place } from "../../domain/order.ts";
import type { Connection } from "../connection.ts";
import { rowsByKeys } from "../load/statements.ts";
import { projectLevelRowOf } from "../refold/project-level-rows.ts";
import { latePlaces } from "../repos/late-events.ts";

/**
 * Returns the events that are late: in the order of the fold they come before an event that is already in the log and
 * concerns the same issue or row. `before` has, for each project, the newest clock in the log before this page. An
 * event with a newer clock can only be late because of another event of this page. For each of the other (old) events,
 * the places of all events about its issues and rows are read. An old event that changes the row of a stored project
 * always counts as late.
 */
export async function lateEvents(
  connection: Connection,
  order: FoldOrder,
  events: readonly StoredEvent[],
  before: ReadonlyMap<string, HybridClock>,
): Promise<readonly StoredEvent[]> {
  if (order.isOfArrival) return [];
  const old = new Set(
    events.filter((event) => {
      const head = before.get(event.project_uid);
      return head === undefined || compareClocks(head, event) >= 0;
    }),
  );
  const last = await lastPlaces(connection, order, [...old], events[0]?.id ?? 0);
  const projects = await storedProjects(connection, [...old]);
  const late: StoredEvent[] = [];
  for (const event of events) {
    const subjects = subjectsOf(event);
    const isLate = subjects.some((subject) => {
      if (projects.has(subject) && old.has(event)) return true;
      const known = last.get(subject);
      return known !== undefined && order.compare(known, event) > 0;
    });
    if (isLate) late.push(event);
    else for (const subject of subjects) last.set(subject, event);
  }
  return late;
}

/**
 * Returns, for each subject of the old events, the place of the last event before this page that is about the subject
 * or names it.
 */
async function lastPlaces(
  connection: Connection,
  order: FoldOrder,
  old: readonly StoredEvent[],
  before: number,
): Promise<Map<string, Place>> {
  const uids = [...new Set(old.flatMap(subjectsOf))];
  const last = new Map<string, Place>();
  if (uids.length === 0) return last;
  for (const { about, place } of await latePlaces(connection, uids, before)) {
    const known = last.get(about);
    if (known === undefined || order.compare(known, place) < 0) last.set(about, place);
  }
  return last;
}

/** Returns the stored projects whose own rows these events change. */
async function storedProjects(
  connection: Connection,
  old: readonly StoredEvent[],
): Promise<ReadonlySet<string>> {
  const uids = old.flatMap((event) => {
    const row = projectLevelRowOf(event);
    return row?.table === "project" ? row.uid : [];
  });
  const stored = await rowsByKeys(connection, "project", [...new Set(uids)]);
  return new Set(stored.map(({ uid }) => uid));
}

/** The uids of the issues that the event touches, or of the row that it changes. */
function subjectsOf(event: StoredEvent): readonly string[] {
  const row = projectLevelRowOf(event);
  if (row !== undefined) return [row.uid];
  const own = event.issue_uid === undefined ? [] : [event.issue_uid];
  return [...new Set([...own, ...(touches(event).issues ?? [])])];
}
