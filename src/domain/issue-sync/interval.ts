import { parseDuration } from "../../base/durations.ts";
import { invalidField } from "../../contract/errors.ts";
import { MAX_SYNC_INTERVAL_SECONDS } from "../../contract/limits.ts";

const DEFAULT_SECONDS = 300; // docs/contract/issue-sync.md#3-routes

/** The two forms in which a request may state the time between two runs. */
export interface StatedInterval {
  /** A duration such as `5m`, or whole seconds. */
  readonly interval?: string | number | undefined;
  readonly interval_seconds?: number | undefined;
}

/** The time between two runs in seconds; throws for a time that is out of bounds, and if both forms are given. */
export function intervalSeconds({ interval, interval_seconds }: StatedInterval): number {
  if (interval !== undefined && interval_seconds !== undefined)
    throw invalidField("interval_seconds", "must not be given beside interval");
  if (interval_seconds !== undefined) return bounded("interval_seconds", interval_seconds);
  if (interval === undefined) return DEFAULT_SECONDS;
  return bounded("interval", typeof interval === "number" ? interval : secondsOf(interval));
}

function secondsOf(text: string): number | undefined {
  const stated = text.trim();
  if (/^-?\d+$/.test(stated)) return Number(stated);
  const ms = parseDuration(stated);
  return ms === undefined ? undefined : ms / 1000;
}

function bounded(field: string, seconds: number | undefined): number {
  if (seconds === undefined || !Number.isInteger(seconds))
    throw invalidField(field, "must be a duration of whole seconds, such as 5m, or seconds");
  if (seconds < 1 || seconds > MAX_SYNC_INTERVAL_SECONDS)
    throw invalidField(field, `must be 1 to ${MAX_SYNC_INTERVAL_SECONDS} seconds`);
  return seconds;
}
