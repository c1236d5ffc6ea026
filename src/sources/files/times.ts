import { type Instant, msToInstant, parseInstant } from "../../base/clock.ts";
import type { JsonValue } from "../../base/json.ts";

const COMPACT = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;
const SECONDS = /^\d{9,11}$/;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const SPACED =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2}|UTC)?$/i;

/**
 * Converts a time to svc's form. Returns `undefined` if its form is none of these:
 *
 * - RFC 3339, also with a space instead of the `T`, without seconds, or without a zone (then it is in UTC)
 * - `20260102T030405Z`
 * - seconds since 1970
 * - a day, which means its first moment in UTC
 */
export function readTime(value: JsonValue | undefined): Instant | undefined {
  if (typeof value === "number") return readTime(String(value));
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  const exact = parseInstant(text);
  if (exact !== undefined) return exact;
  if (DAY.test(text)) return parseInstant(`${text}T00:00:00Z`);
  if (SECONDS.test(text)) return msToInstant(Number(text) * 1000);
  const compact = COMPACT.exec(text);
  if (compact !== null) {
    const [, year, month, day, hour, minute, second] = compact;
    return parseInstant(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  }
  const spaced = SPACED.exec(text);
  if (spaced === null) return undefined;
  const [, day, time, seconds = ":00", zone = "Z"] = spaced;
  return parseInstant(`${day}T${time}${seconds}${isoOffset(zone)}`);
}

export function isDay(value: JsonValue | undefined): value is string {
  return typeof value === "string" && DAY.test(value.trim()) && readTime(value) !== undefined;
}

function isoOffset(zone: string): string {
  if (/^(z|utc)$/i.test(zone)) return "Z";
  return zone.includes(":") ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
}
