import { instantToMs } from "../../src/base/clock.ts";
import { hasStatus, isMatch, parseQuery, STATUSES } from "./query.ts";
import type { State } from "./state.ts";

export interface Counts {
  readonly statuses: Readonly<Record<string, number>>;
  readonly labels: readonly (readonly [string, number])[];
  readonly owners: readonly (readonly [string, number])[];
}

let last: { readonly state: State; readonly counts: Counts } | undefined;

/** Counting takes as long as drawing many screens, so while issues change it is not done more often than this. */
const COUNT_MS = 1000;

/** How many issues of each kind are loaded. In a burst of changes this may be a second old. */
export function countsOf(state: State): Counts {
  if (last !== undefined && isFresh(last.state, state)) return last.counts;
  const counts = count(state);
  last = { state, counts };
  return counts;
}

let matched: { readonly state: State; readonly counts: Map<string, number> } | undefined;

/** How many of the loaded issues each of the filters asks for, as fresh as the other counts. */
export function matchCounts(state: State, queries: readonly string[]): ReadonlyMap<string, number> {
  if (matched === undefined || !isFresh(matched.state, state))
    matched = { state, counts: new Map() };
  const { counts } = matched;
  const { issues, now } = state;
  for (const text of queries) {
    if (counts.has(text)) continue;
    const query = parseQuery(text);
    let count = 0;
    for (const issue of issues.values()) if (isMatch(issue, query, issues, now)) count += 1;
    counts.set(text, count);
  }
  return counts;
}

function isFresh(counted: State, state: State): boolean {
  if (counted.issues === state.issues) return true;
  if (counted.scopeSerial !== state.scopeSerial || counted.loading !== state.loading) return false;
  const age = instantToMs(state.now) - instantToMs(counted.now);
  return state.changed.size > 0 && age >= 0 && age < COUNT_MS;
}

function count({ issues, now }: State): Counts {
  const statuses: Record<string, number> = {};
  const labels = new Map<string, number>();
  const owners = new Map<string, number>();
  const add = (map: Map<string, number>, key: string): void =>
    void map.set(key, (map.get(key) ?? 0) + 1);
  for (const issue of issues.values()) {
    for (const status of STATUSES) {
      if (hasStatus(issue, status, issues, now)) statuses[status] = (statuses[status] ?? 0) + 1;
    }
    if (issue.status !== "open") continue;
    for (const label of issue.labels) add(labels, label);
    add(owners, issue.owner ?? "(none)");
  }
  const sorted = (map: Map<string, number>): readonly (readonly [string, number])[] =>
    [...map].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return { statuses, labels: sorted(labels), owners: sorted(owners) };
}
