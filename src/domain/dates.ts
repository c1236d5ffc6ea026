import { type Instant, instantToMs, msToInstant, parseInstant } from "../base/clock.ts";
import { wallFormat } from "../base/zone.ts";
import { ZONE_ALIASES } from "./zone-aliases.ts";

/**
 * A parsed planning date: a wall time without a zone, or an instant
 * (docs/contract/cron-and-inbox.md#11-planning-dates).
 */
export type PlanningDate =
  | { readonly kind: "wall"; readonly wallMs: number }
  | { readonly kind: "instant"; readonly instant: Instant };

const WALL = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}))?)?$/;
const DAY_MS = 86_400_000;

/**
 * Parses `YYYY-MM-DD`, `YYYY-MM-DDTHH:MM[:SS]` or an RFC 3339 instant that ends in `Z`. Returns `undefined` for
 * anything else, also for numeric offsets and impossible dates.
 */
export function parsePlanningDate(value: string): PlanningDate | undefined {
  if (value.endsWith("Z")) {
    const instant = value.includes("t") ? undefined : parseInstant(value);
    return instant === undefined ? undefined : { kind: "instant", instant };
  }
  const parts = WALL.exec(value);
  if (parts === null) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1).map((part) => Number(part ?? 0));
  const asUtc = `${value.slice(0, 10)}T${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}Z`;
  const instant =
    year === undefined || month === undefined || day === undefined
      ? undefined
      : parseInstant(asUtc);
  return instant === undefined ? undefined : { kind: "wall", wallMs: instantToMs(instant) };
}

/**
 * The zone in which a date is read: UTC if it ends in `Z`, otherwise the issue's, otherwise the daemon's
 * (docs/contract/cron-and-inbox.md#11-planning-dates).
 */
export function zoneOf(value: string, issueZone: unknown, daemonZone: string): string {
  if (value.endsWith("Z")) return "UTC";
  return typeof issueZone === "string" && isIanaZone(issueZone) ? issueZone : daemonZone;
}

/**
 * Resolves a planning date in a zone; `undefined` for an invalid value. A date alone means 00:00. A repeated wall time
 * means the first one; a skipped wall time means the first instant after the gap.
 */
export function resolvePlanningDate(value: string, zone: string): Instant | undefined {
  const date = parsePlanningDate(value);
  if (date === undefined) return undefined;
  if (date.kind === "instant") return date.instant;
  const ms = wallToMs(date.wallMs, zone);
  return msToInstant(Math.min(Math.max(ms, FIRST_MS), LAST_MS));
}

/** The first and the last instant whose text sorts by time. Years outside this range are written with a sign. */
const FIRST_MS = instantToMs("0000-01-01T00:00:00.000Z");
const LAST_MS = instantToMs("9999-12-31T23:59:59.999Z");

/**
 * Returns the first instant at which clocks in the zone show the wall time. If they skip it, returns the first instant
 * after the gap. `wallMs` is the wall time as if it were UTC. The search relies on a zone changing its offset at most
 * once in two days.
 */
function wallToMs(wallMs: number, zone: string): number {
  const [before, after] = [offsetMs(wallMs - DAY_MS, zone), offsetMs(wallMs + DAY_MS, zone)];
  const found = [wallMs - before, wallMs - after].filter(
    (ms) => ms + offsetMs(ms, zone) === wallMs,
  );
  if (found.length > 0) return Math.min(...found);
  return firstOfOffset(wallMs - Math.max(before, after), wallMs - Math.min(before, after), zone);
}

/** The first millisecond with the offset that holds at `high`; between `low` and `high` the offset changes once. */
export function firstOfOffset(low: number, high: number, zone: string): number {
  const target = offsetMs(high, zone);
  let [last, first] = [low, high];
  while (first - last > 1) {
    const middle = Math.floor((first + last) / 2);
    if (offsetMs(middle, zone) === target) first = middle;
    else last = middle;
  }
  return first;
}

/**
 * Instants before this one get the offset of 1800, because no zone changed its offset before 1800 and `Date.UTC`
 * misreads years below 100.
 */
const BEFORE_ZONES_MS = instantToMs("1800-01-01T00:00:00.000Z");

export function offsetMs(ms: number, zone: string): number {
  if (zone === "UTC") return 0;
  const at = Math.max(ms, BEFORE_ZONES_MS);
  const wall: Record<string, number> = {};
  for (const { type, value } of wallFormat(zone).formatToParts(at)) wall[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = wall;
  const whole = Math.floor(at / 1000) * 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
}

export function offsetText(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / 60_000);
  return `${offset < 0 ? "-" : "+"}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/**
 * True for an IANA zone name in its own spelling; `Intl` also accepts fixed offsets and any letter case
 * (docs/contract/cron-and-inbox.md#23-triggers).
 */
export function isIanaZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    return wallFormat(name).resolvedOptions().timeZone === name || ZONE_ALIASES.has(name);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * Returns the calendar day of a day number that counts from 1970-01-01. Months count from 1, days of the week from 0
 * (Sunday).
 */
export function wallDay(day: number) {
  const date = new Date(day * DAY_MS);
  return {
    month: date.getUTCMonth() + 1,
    dayOfMonth: date.getUTCDate(),
    weekday: date.getUTCDay(),
  };
}

function twoDigits(part: number | undefined): string {
  return String(part ?? 0).padStart(2, "0");
}
