import { calendarAfter } from "./calendar.ts";
import { parseCron } from "./expression.ts";
import type { Trigger } from "./trigger.ts";

/** The due times of a job, in milliseconds since 1970; all are whole seconds. */
export interface Schedule {
  /** The zone of the schedule; intervals do not depend on it. */
  readonly zone: string;
  after(ms: number): Iterable<number>;
  /**
   * Returns the newest due time up to `nowMs`. Not set if the schedule could find this time only by going through all
   * due times.
   */
  readonly newest?: (nowMs: number) => number | undefined;
}

/**
 * Returns the schedule of a trigger; `undefined` if the trigger does not depend on the clock alone. Intervals and
 * `@every` count from the anchor: the time when a native job was first bound to its parent, or when any other job was
 * created.
 */
export function scheduleOf(trigger: Trigger, anchorMs: number): Schedule | undefined {
  if (trigger.kind === "interval")
    return intervalSchedule(trigger.interval_seconds * 1000, anchorMs, trigger.timezone ?? "UTC");
  if (trigger.kind !== "cron") return undefined;
  const expression = parseCron(trigger.cron);
  if (expression === undefined) return undefined;
  const zone = expression.zone ?? trigger.timezone ?? "UTC";
  if (expression.kind === "every") return intervalSchedule(expression.everyMs, anchorMs, zone);
  const { calendar } = expression;
  return { zone, after: (ms) => calendarAfter(calendar, zone, ms) };
}

/** The first due time is one interval after the anchor (docs/contract/cron-and-inbox.md#84-the-sweep). */
function intervalSchedule(everyMs: number, anchorMs: number, zone: string): Schedule {
  return {
    zone,
    newest: (nowMs) => {
      const passed = Math.floor((nowMs - anchorMs) / everyMs);
      return passed < 1 ? undefined : anchorMs + passed * everyMs;
    },
    *after(ms) {
      let count = Math.max(1, Math.floor((ms - anchorMs) / everyMs) + 1);
      for (; ; count++) yield anchorMs + count * everyMs;
    },
  };
}
