import type { StoredEvent } from "../../contract/events.ts";
import { MAX_OVERWRITTEN_SHOWN } from "../../contract/limits.ts";
import { writerOf } from "../../domain/federation/bound-actor.ts";
import { overwritten } from "../../domain/federation/overwritten.ts";
import { ALL_EVENTS } from "../../store/types/events.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { envelopesOut } from "../out/events.ts";

/**
 * At most this many changes of an issue are compared, the first ones. If a page ends after these changes, only the
 * events of the page are compared with each other.
 */
const MAX_COMPARED = 1000;
/** At most this many changes of an issue, the last ones, are compared when the issue is shown. */
const MAX_COMPARED_SHOWN = 200;

/** Maps the id of each event that lost a value to the event that overwrote the value. */
export type Winners = ReadonlyMap<number, StoredEvent>;

/**
 * Returns the winners for a page of the issue's events (`domain/federation/overwritten.ts`). There are none if the
 * project was never federated. `isWhole` says that the page has all events of the issue; otherwise events outside the
 * page are read too.
 */
export async function winnersFor(
  reader: Reader,
  issue: StoredIssue,
  page: readonly StoredEvent[],
  isWhole: boolean,
): Promise<Winners> {
  const [last] = page.slice(-1);
  if (last === undefined) return NONE;
  const order = await reader.past.order(ALL_EVENTS);
  if (!order.hasBaseline(issue.project_uid)) return NONE;
  if (isWhole) return overwritten(page, order);
  const all = await reader.events.settingsOf(issue.uid, "first", MAX_COMPARED);
  const isInside = all.length < MAX_COMPARED || last.id <= (all.at(-1)?.id ?? 0);
  return overwritten(isInside ? all : page, order);
}

const NONE: Winners = new Map();

/**
 * Returns the envelopes of the events of a page. If an event lost a value, its envelope names the event that overwrote
 * the value.
 */
export async function envelopesWithWinners(
  reader: Reader,
  page: readonly StoredEvent[],
  winners: Winners,
) {
  const events = await envelopesOut(reader, page);
  return events.map((event) => ({ ...event, ...overwrittenOut(winners.get(event.event_id)) }));
}

function overwrittenOut(winner: StoredEvent | undefined) {
  if (winner === undefined) return {};
  const { uid: event_uid, created_at: at } = winner;
  return { overwritten_by: { event_uid, actor: writerOf(winner), at } };
}

/**
 * Returns the field `overwritten`: the newest events of the issue that lost a value, the oldest of them first. Returns
 * an empty object if there are none.
 */
export async function overwrittenOf(reader: Reader, issue: StoredIssue) {
  const order = await reader.past.order(ALL_EVENTS);
  if (!order.hasBaseline(issue.project_uid)) return {};
  const events = await reader.events.settingsOf(issue.uid, "last", MAX_COMPARED_SHOWN);
  const winners = overwritten(events, order);
  const lost = order
    .sorted(events.filter(({ id }) => winners.has(id)))
    .slice(-MAX_OVERWRITTEN_SHOWN);
  return lost.length === 0
    ? {}
    : { overwritten: await envelopesWithWinners(reader, lost, winners) };
}
