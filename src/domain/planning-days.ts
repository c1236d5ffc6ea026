import { type Instant, instantToMs, msToInstant } from "../base/clock.ts";
import type { JsonObject } from "../base/json.ts";
import { offsetMs, parsePlanningDate, resolvePlanningDate, zoneOf } from "./dates.ts";

/** The day and the zone of the person who looks at a view of planning dates. */
export interface Today {
  readonly local_date: string;
  readonly time_zone: string;
}

export const DATED_VIEWS = ["today", "upcoming", "deadlines"] as const;
export type DatedView = (typeof DATED_VIEWS)[number];

export function todayAt(now: Instant, time_zone: string): Today {
  return { local_date: dayIn(now, time_zone), time_zone };
}

/** Whether an issue with this metadata belongs to the view (docs/contract/network-and-access.md#4-the-snapshot). */
export function isInView(
  view: DatedView,
  metadata: JsonObject,
  { local_date, time_zone }: Today,
): boolean {
  const { scheduled_on, deadline_on, timezone } = metadata;
  const dayOf = (value: unknown) => planningDay(value, timezone, time_zone);
  const [scheduled, deadline] = [dayOf(scheduled_on), dayOf(deadline_on)];
  const isDue = (day: string | undefined) => day !== undefined && day <= local_date;
  if (view === "today") return isDue(scheduled) || isDue(deadline);
  if (view === "upcoming") return scheduled !== undefined && scheduled > local_date;
  return deadline !== undefined;
}

/**
 * The day of a planning date for a reader in `zone`. A date without a zone of its own keeps its day. Any other date is
 * an instant, whose day in the reader's zone is returned. `undefined` for an invalid date.
 */
export function planningDay(value: unknown, ownZone: unknown, zone: string): string | undefined {
  if (typeof value !== "string") return undefined;
  const date = parsePlanningDate(value);
  if (date === undefined) return undefined;
  const own = zoneOf(value, ownZone, zone);
  if (date.kind === "wall" && own === zone) return value.slice(0, 10);
  const instant = resolvePlanningDate(value, own);
  return instant === undefined ? undefined : dayIn(instant, zone);
}

function dayIn(instant: Instant, zone: string): string {
  const ms = instantToMs(instant);
  return dayText(ms + offsetMs(ms, zone));
}

/**
 * Returns the day as `YYYY-MM-DD`, so that days sort as text. A year outside 0 to 9999 has no such text: returns `~`,
 * which sorts after all days, or the empty text, which sorts before all days.
 */
function dayText(ms: number): string {
  const text = msToInstant(ms);
  if (text.startsWith("+")) return "~";
  return text.startsWith("-") ? "" : text.slice(0, 10);
}

/**
 * The metadata keys that hold the dates of a view, and the range of date texts that can be in the view (`before` is
 * exclusive). The range only preselects issues and is wider than the view. The day in a text and the reader's day
 * differ by at most two days, because zones are at most 26 hours apart.
 */
export function writtenBounds(
  view: DatedView,
  { local_date }: Today,
): {
  readonly keys: readonly string[];
  readonly from?: string;
  readonly before?: string;
} {
  if (view === "today")
    return { keys: ["scheduled_on", "deadline_on"], before: daysFrom(local_date, 3) };
  if (view === "upcoming") return { keys: ["scheduled_on"], from: daysFrom(local_date, -2) };
  return { keys: ["deadline_on"] };
}

const DAY_MS = 86_400_000;

function daysFrom(day: string, days: number): string {
  return dayText(instantToMs(`${day}T00:00:00.000Z`) + days * DAY_MS);
}

/** Whether the text is a day of the calendar, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return text.length === 10 && parsePlanningDate(text) !== undefined;
}
