import { instantToMs, msToInstant } from "../../base/clock.ts";
import { offsetMs, parsePlanningDate, resolvePlanningDate, zoneOf } from "../../domain/dates.ts";
import { minuteOf } from "../minute.ts";
import type { State } from "../state.ts";
import type { Issue } from "./issues.ts";
import { deadlineOf } from "./sort.ts";

export interface Due {
  /**
   * The deadline in a few characters:
   *
   * - `-3d`: it was three days ago
   * - `late`: its time was earlier today
   * - `today`: it is today and has not passed
   * - a weekday, such as `mon`: it is within a week
   * - month and day, such as `11-30`: it is this year, in a week or later
   * - a year: it is in another year, in a week or later
   */
  readonly text: string;
  readonly when: "overdue" | "today" | "later";
}

const DAY_MS = 86_400_000;
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

export function dueOf(
  { memo, now, preferences }: Pick<State, "memo" | "now" | "preferences">,
  issue: Issue,
): Due | undefined {
  if (issue.status === "closed" || deadlineOf(issue) === undefined) return undefined;
  const known = memo.own(newDues);
  const minute = minuteOf(now);
  const found = known.get(issue);
  if (found?.minute === minute) return found.due;
  const due = dueAt(issue, instantToMs(now), preferences.zone);
  known.set(issue, { minute, due });
  return due;
}

function newDues(): WeakMap<Issue, { readonly minute: string; readonly due: Due | undefined }> {
  return new WeakMap();
}

type Dated = Pick<Issue, "status"> & { readonly metadata: Readonly<Record<string, unknown>> };

/**
 * The deadline of an open issue at the time `nowMs`, for a person in the zone `here`; `undefined` if it has none. A
 * deadline that is only a day passes at the end of that day; a deadline with a time passes at that time. Days are
 * counted in the zone of the deadline.
 */
export function dueAt(issue: Dated, nowMs: number, here: string): Due | undefined {
  const value = issue.metadata["deadline_on"];
  if (issue.status === "closed" || typeof value !== "string") return undefined;
  const date = parsePlanningDate(value);
  const zone = zoneOf(value, issue.metadata["timezone"], here);
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
