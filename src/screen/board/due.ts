import { instantToMs, msToInstant } from "../../base/clock.ts";
import { localZone } from "../../base/zone.ts";
import { offsetMs, parsePlanningDate, resolvePlanningDate, zoneOf } from "../../domain/dates.ts";
import { minuteOf } from "../minute.ts";
import type { State } from "../state.ts";
import type { Issue } from "./issues.ts";
import { deadlineOf } from "./sort.ts";

export interface Due {
  /**
   * The deadline in a few characters: `-3d` if it was three days ago, `late` if its time has passed earlier today,
   * `today`, the weekday if it is within a week, otherwise month and day (`11-30`), or only the year if it is in
   * another year.
   */
  readonly text: string;
  readonly when: "overdue" | "today" | "later";
}

const DAY_MS = 86_400_000;
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

/** When an issue is due; `undefined` if it is closed or has no valid deadline. */
export function dueOf({ memo, now }: Pick<State, "memo" | "now">, issue: Issue): Due | undefined {
  if (issue.status === "closed" || deadlineOf(issue) === undefined) return undefined;
  const known = memo.own(newDues);
  const minute = minuteOf(now);
  const found = known.get(issue);
  if (found?.minute === minute) return found.due;
  const due = computed(issue, instantToMs(now));
  known.set(issue, { minute, due });
  return due;
}

function newDues(): WeakMap<Issue, { readonly minute: string; readonly due: Due | undefined }> {
  return new WeakMap();
}

/**
 * A deadline that is only a day passes at the end of that day; a deadline with a time passes at that time. Days are
 * counted in the zone of the deadline.
 */
function computed(issue: Issue, nowMs: number): Due | undefined {
  const value = deadlineOf(issue) ?? "";
  const date = parsePlanningDate(value);
  const zone = zoneOf(value, issue.metadata["timezone"], localZone());
  const instant = resolvePlanningDate(value, zone);
  if (date === undefined || instant === undefined) return undefined;
  const ms = instantToMs(instant);
  const [today, day] = [dayIn(nowMs, zone), dayIn(ms, zone)];
  const days = day - today;
  const isOver = value.length > "2026-11-30".length ? ms <= nowMs : days < 0;
  if (isOver) return { text: days === 0 ? "late" : `${days}d`, when: "overdue" };
  if (days === 0) return { text: "today", when: "today" };
  const at = msToInstant(day * DAY_MS);
  if (days < WEEKDAYS.length)
    return { text: WEEKDAYS[(((day + 4) % 7) + 7) % 7] ?? "", when: "later" };
  const isThisYear = at.slice(0, 4) === msToInstant(today * DAY_MS).slice(0, 4);
  return { text: isThisYear ? at.slice(5, 10) : at.slice(0, 4), when: "later" };
}

/** The number of the local day at this time in the zone. Day 0 is 1970-01-01, a Thursday. */
function dayIn(ms: number, zone: string): number {
  return Math.floor((ms + offsetMs(ms, zone)) / DAY_MS);
}
