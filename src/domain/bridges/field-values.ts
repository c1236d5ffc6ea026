import { parseInstant } from "../../base/clock.ts";
import { isIanaZone, parsePlanningDate } from "../dates.ts";
import type { FieldValue } from "./values.ts";

/**
 * Checks a field's value of a connector and returns its canonical form, in which equal values have equal texts. Returns
 * `undefined` for anything else. The kinds are `null`; `date`, YYYY-MM-DD; `local_datetime`, YYYY-MM-DDTHH:MM:SS with
 * the name of an IANA time zone; `instant`, in UTC with `Z` and at most milliseconds.
 */
export function canonicalValue(given: unknown): FieldValue | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const { kind, value, timezone } = given as Readonly<Record<string, unknown>>;
  if (kind === "null") return value === undefined && timezone === undefined ? { kind } : undefined;
  if (typeof value !== "string" || parsePlanningDate(value) === undefined) return undefined;
  if (kind === "local_datetime")
    return LOCAL.test(value) && typeof timezone === "string" && isIanaZone(timezone)
      ? { kind, value, timezone }
      : undefined;
  if (timezone !== undefined) return undefined;
  if (kind === "date") return DATE.test(value) ? { kind, value } : undefined;
  const instant = kind === "instant" && INSTANT.test(value) ? parseInstant(value) : undefined;
  return instant === undefined ? undefined : { kind: "instant", value: instant };
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;

export function sameValue(left: FieldValue, right: FieldValue): boolean {
  const [first, second] = [left, right].map((value) => [
    value.kind,
    value.kind === "null" ? "" : value.value,
    value.kind === "local_datetime" ? value.timezone : "",
  ]);
  return String(first) === String(second);
}
