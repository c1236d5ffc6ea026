/**
 * The days of a recurrence rule, found in the plainest way there is: walk every day of every period and ask of each
 * whether the rule means it. Written apart from the library and from `src/`, to be compared with them.
 */
export interface WalkRule {
  readonly freq: "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY";
  readonly interval?: number;
  readonly count?: number;
  readonly byDay?: readonly string[];
  readonly byMonthDay?: readonly number[];
  readonly byMonth?: readonly number[];
  readonly bySetPos?: readonly number[];
  readonly wkst?: string;
}

const DAY = 86_400_000;
const NAMES = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/** From the first day of the rule on or after `dtstart` to `end`, both `YYYY-MM-DD`. */
export function walkDays(rule: WalkRule, dtstart: string, end: string): readonly string[] {
  const start = Date.parse(`${dtstart}T00:00:00Z`);
  const last = Date.parse(`${end}T00:00:00Z`);
  const found: string[] = [];
  for (let period = 0; ; period += rule.interval ?? 1) {
    const [from, to] = periodOf(rule, start, period);
    if (from > last) return found;
    const days: number[] = [];
    for (let day = from; day < to; day += DAY) if (isMeant(rule, day, start)) days.push(day);
    for (const day of positioned(rule, days)) {
      if (day < start) continue;
      if (day > last || found.length === rule.count) return found;
      found.push(new Date(day).toISOString().slice(0, 10));
    }
  }
}

function periodOf({ freq, wkst = "MO" }: WalkRule, start: number, n: number): [number, number] {
  const first = new Date(start);
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()];
  switch (freq) {
    case "DAILY":
      return [start + n * DAY, start + (n + 1) * DAY];
    case "WEEKLY": {
      const back = (weekday(start) - NAMES.indexOf(wkst) + 7) % 7;
      return [start + (7 * n - back) * DAY, start + (7 * n - back + 7) * DAY];
    }
    case "MONTHLY":
      return [Date.UTC(year, month + n, 1), Date.UTC(year, month + n + 1, 1)];
    case "YEARLY":
      return [Date.UTC(year + n, 0, 1), Date.UTC(year + n + 1, 0, 1)];
  }
}

function positioned({ bySetPos }: WalkRule, days: readonly number[]): readonly number[] {
  if (bySetPos === undefined) return days;
  return days.filter((_, at) => bySetPos.includes(at + 1) || bySetPos.includes(at - days.length));
}

function isMeant(rule: WalkRule, day: number, start: number): boolean {
  const { freq, byDay, byMonthDay, byMonth } = rule;
  const [date, first] = [new Date(day), new Date(start)];
  const [month, ofMonth] = [date.getUTCMonth(), date.getUTCDate()];
  const length = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  if (byMonth !== undefined && !byMonth.includes(month + 1)) return false;
  if (byMonthDay !== undefined) {
    if (!byMonthDay.includes(ofMonth) && !byMonthDay.includes(ofMonth - length - 1)) return false;
  }
  if (byDay !== undefined && !byDay.some((wanted) => isNumbered(rule, day, wanted))) return false;
  if (byDay !== undefined || byMonthDay !== undefined || freq === "DAILY") return true;
  // What the rule does not say is taken from the day it begins with.
  if (freq === "WEEKLY") return weekday(day) === weekday(start);
  if (ofMonth !== first.getUTCDate()) return false;
  return freq === "MONTHLY" || byMonth !== undefined || month === first.getUTCMonth();
}

function isNumbered({ freq, byMonth }: WalkRule, day: number, wanted: string): boolean {
  if (NAMES[weekday(day)] !== wanted.slice(-2)) return false;
  if (wanted.length === 2) return true;
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const [from, to] =
    freq === "MONTHLY" || byMonth !== undefined
      ? [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)]
      : [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)];
  const fromStart = Math.floor((day - from) / DAY / 7) + 1;
  const fromEnd = -(Math.floor((to - DAY - day) / DAY / 7) + 1);
  const number = Number(wanted.slice(0, -2));
  return number === fromStart || number === fromEnd;
}

function weekday(day: number): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}
