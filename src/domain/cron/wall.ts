import { msToInstant } from "../../base/clock.ts";
import { offsetMs, offsetText } from "../dates.ts";
import { toSecond } from "./progress.ts";
import type { Schedule } from "./schedule.ts";

export interface WallTime {
  readonly at: string;
  readonly local: string;
  /** Offset from UTC, such as `+02:00`. */
  readonly offset: string;
  /** True if the offset changed since the previous occurrence or, for the first occurrence, since now. */
  readonly offset_changed: boolean;
}

export function wallTimesAfter(
  schedule: Schedule,
  afterMs: number,
  count: number,
): readonly WallTime[] {
  const found: WallTime[] = [];
  let before = offsetMs(afterMs, schedule.zone);
  for (const ms of schedule.after(afterMs)) {
    const offset = offsetMs(ms, schedule.zone);
    found.push({
      at: toSecond(ms),
      local: msToInstant(ms + offset).slice(0, 19),
      offset: offsetText(offset),
      offset_changed: offset !== before,
    });
    before = offset;
    if (found.length === count) break;
  }
  return found;
}
