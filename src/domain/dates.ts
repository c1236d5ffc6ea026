import { type Instant, instantToMs, msToInstant, parseInstant } from "../base/clock.ts";
import { wallFormat } from "../base/zone.ts";
import { ZONE_ALIASES } from "./zone-aliases.ts";

/** A planning date as written: a wall time in some zone, or an instant of its own (facts cron-and-inbox 11). */
export type PlanningDate =
  | { readonly kind: "wall"; readonly wallMs: number }
  | { readonly kind: "instant"; readonly instant: Instant };

const WALL = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}))?)?$/;
const DAY_MS = 86_400_000;

/** `YYYY-MM-DD`, `YYYY-MM-DDTHH:MM[:SS]` or an RFC 3339 instant ending in `Z`; numeric offsets and impossible dates are refused. */
export function parsePlanningDate(value: string): PlanningDate | undefined {
  if (value.endsWith("Z")) {
    const instant = value.includes("t") ? undefined : parseInstant(value);
    return instant === undefined ? undefined : { kind: "instant", instant };
  }
  const parts = WALL.exec(value);
  if (parts === null) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1).map((part) => Number(part ?? 0));
  const asUtc = `${value.slice(0, 10)}T${two(hour)}:${two(minute)}:${two(second)}Z`;
  const instant =
    year === undefined || month === undefined || day === undefined
      ? undefined
      : parseInstant(asUtc);
  return instant === undefined ? undefined : { kind: "wall", wallMs: instantToMs(instant) };
}

/** The zone a date is read in: its own when it ends in `Z`, else the issue's, else the daemon's (doc 2, planning dates). */
export function zoneOf(value: string, issueZone: unknown, daemonZone: string): string {
  if (value.endsWith("Z")) return "UTC";
  return typeof issueZone === "string" && isIanaZone(issueZone) ? issueZone : daemonZone;
}

/**
 * The instant a planning date means in a zone; `undefined` when the value is not one. A date alone means 00:00. A wall
 * time that comes twice means the first; one that is skipped means the first instant after the gap.
 */
export function resolvePlanningDate(value: string, zone: string): Instant | undefined {
  const date = parsePlanningDate(value);
  if (date === undefined) return undefined;
  if (date.kind === "instant") return date.instant;
  const ms = wallToMs(date.wallMs, zone);
  return msToInstant(Math.min(Math.max(ms, FIRST_MS), LAST_MS));
}

/** An instant of a year before or after these has a sign before it and would not sort as text. */
const FIRST_MS = instantToMs("0000-01-01T00:00:00.000Z");
const LAST_MS = instantToMs("9999-12-31T23:59:59.999Z");

/** `wallMs` is the wall time read as if it were UTC. Zones change their offset at most once in two days. */
function wallToMs(wallMs: number, zone: string): number {
  const [before, after] = [offsetMs(wallMs - DAY_MS, zone), offsetMs(wallMs + DAY_MS, zone)];
  const found = [wallMs - before, wallMs - after].filter(
    (ms) => ms + offsetMs(ms, zone) === wallMs,
  );
  if (found.length > 0) return Math.min(...found);
  return firstOfOffset(wallMs - Math.max(before, after), wallMs - Math.min(before, after), zone);
}

/** The first millisecond at which the offset is what it is at `high`, where it changes once since `low`. */
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

/** Until then every place has its own time, which does not change; `Date.UTC` reads years below 100 as others. */
const BEFORE_ZONES_MS = instantToMs("1800-01-01T00:00:00.000Z");

/** How far the zone's clocks are ahead of UTC at an instant. */
export function offsetMs(ms: number, zone: string): number {
  if (zone === "UTC") return 0;
  const at = Math.max(ms, BEFORE_ZONES_MS);
  const wall: Record<string, number> = {};
  for (const { type, value } of wallFormat(zone).formatToParts(at)) wall[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = wall;
  const whole = Math.floor(at / 1000) * 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
}

/** `+02:00` */
export function offsetText(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / 60_000);
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/**
 * A zone of the IANA list in its own spelling. `Intl` also takes fixed offsets and any letter case (facts
 * cron-and-inbox 2.3).
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

/** A day of the calendar by its number, counted from 1970-01-01. Months count from 1, days of the week from Sunday, 0. */
export function wallDay(day: number) {
  const date = new Date(day * DAY_MS);
  return {
    month: date.getUTCMonth() + 1,
    dayOfMonth: date.getUTCDate(),
    weekday: date.getUTCDay(),
  };
}

function two(part: number | undefined): string {
  return String(part ?? 0).padStart(2, "0");
}
