import type { StoredEvent } from "../../contract/events.ts";
import { touches } from "../../domain/evolve/evolve.ts";
import type { UndoHistory } from "../../domain/undo/facets.ts";
import { undoMarkOf } from "../../domain/undo/plan.ts";
import { ALL_EVENTS } from "../../store/types/events.ts";
import type { Reader } from "../../store/types/store.ts";

/** Loads all events of the issues that the chosen events touch, and all events about whole projects. */
export async function historyOf(
  reader: Reader,
  chosen: readonly StoredEvent[],
): Promise<UndoHistory> {
  const subjects = new Set(namedIn(chosen));
  for (const uid of await linkedTo(reader, chosen)) subjects.add(uid);
  const series = new Set(chosen.flatMap((event) => touches(event).rows?.recurrence ?? []));
  const order = await reader.past.order(ALL_EVENTS);
  const found = [
    ...(await reader.past.ofIssues([...subjects], ALL_EVENTS)),
    ...(await undoneElsewhere(reader, [...subjects])),
    ...(await reader.past.ofSeries([...series], ALL_EVENTS)),
    ...(await reader.past.ofProjects(ALL_EVENTS)),
  ];
  const events = order.sorted(found.filter(({ skipped_at }) => skipped_at === undefined));
  const others = [...new Set(namedIn(events))].filter((uid) => !subjects.has(uid));
  return { events, known: [...(await reader.issues.many(others)).values()], order };
}

/**
 * Finds the undo events of other issues that name one of these issues. When an undo removes a link, the event of the
 * undo may belong to the issue at the link's other end. Without that event, a fold would still contain the link.
 */
async function undoneElsewhere(
  reader: Reader,
  uids: readonly string[],
): Promise<readonly StoredEvent[]> {
  const events = await reader.past.mentioning(uids, ALL_EVENTS);
  return events.filter((event) => undoMarkOf(event) !== undefined);
}

function namedIn(events: readonly StoredEvent[]): readonly string[] {
  return events.flatMap((event) => touches(event).issues ?? []);
}

/**
 * Returns the uids of the issues at both ends of the links of created issues. The events of all these issues are needed
 * to find the author of a link, since the event that added the link may belong to either of its issues.
 */
async function linkedTo(
  reader: Reader,
  chosen: readonly StoredEvent[],
): Promise<readonly string[]> {
  const created = chosen.flatMap((event) =>
    event.type === "issue.created" ? [event.payload.uid] : [],
  );
  if (created.length === 0) return [];
  const links = await reader.links.touching(created);
  return links.flatMap(({ from_uid, to_uid }) => [from_uid, to_uid]);
}
