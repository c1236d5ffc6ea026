import { takeRank } from "../../contract/take-order.ts";
import type { Memo } from "../memo.ts";
import { differences, type Issue, type Issues, NO_ISSUES } from "./issues.ts";

export const ORDERS = ["updated", "created", "priority", "blockers"] as const;
export type Order = (typeof ORDERS)[number];

export interface Row {
  readonly issue: Issue;
  readonly depth: number;
  /** Whether the row is shown only because an issue below it matches. */
  readonly context: boolean;
  readonly fold: "leaf" | "open" | "folded";
}

/** The node of an issue in the sorted list. A changed issue stays in its node, so that rows need no look-up. */
export interface Place {
  /** `undefined` for a parent that is not loaded. */
  issue: Issue | undefined;
  parent: Place | undefined;
  /** The number of the last computation of rows that showed this place. */
  reading: number;
  /** The number of the last computation of rows in which the issue of this place matched. */
  matching: number;
  /** The first and last child and the next sibling of this place among the rows of computation `reading`. */
  first: Place | undefined;
  last: Place | undefined;
  next: Place | undefined;
  row: Row | undefined;
}

/** All issues in the order `order`. The list is valid until another table is sorted. */
export function sorted(memo: Memo, order: Order, issues: Issues): readonly Place[] {
  return memo.own(newPlaces).sorted(order, issues);
}

/** Numbers a new computation of rows, so that the marks of earlier ones do not count and need not be cleared. */
export function nextReading(memo: Memo): number {
  return memo.own(newPlaces).nextReading();
}

function newPlaces(): Places {
  return new Places();
}

/** Up to this many changes are inserted one by one; with more changes the whole list is sorted again. */
const FEW = 64;

/** Keeps the order from one table to the next and moves only what changed. */
class Places {
  #issues = NO_ISSUES;
  #order: Order = "updated";
  #sorted: readonly Place[] = [];
  #reading = 0;
  readonly #byUid = new Map<string, Place>();

  nextReading(): number {
    return (this.#reading += 1);
  }

  sorted(order: Order, issues: Issues): readonly Place[] {
    if (order === this.#order && issues === this.#issues) return this.#sorted;
    const { gone, come } = differences(this.#issues, issues);
    const compare = comparator(order, issues);
    // In the order of blockers one change can move other issues, so everything is sorted again.
    const isKept = order === this.#order && order !== "blockers";
    this.#sorted =
      isKept && gone.length + come.length <= FEW
        ? this.#changed(gone, come, compare)
        : this.#anew(gone, come, compare);
    this.#order = order;
    this.#issues = issues;
    return this.#sorted;
  }

  #changed(gone: readonly Issue[], come: readonly Issue[], compare: Compare): readonly Place[] {
    const all = [...this.#sorted];
    for (const { uid } of gone) {
      const place = this.#at(uid);
      all.splice(indexOf(all, place, compare), 1);
      place.issue = undefined;
    }
    for (const issue of come) {
      const place = this.#put(issue);
      all.splice(indexOf(all, place, compare), 0, place);
    }
    return all;
  }

  #anew(gone: readonly Issue[], come: readonly Issue[], compare: Compare): readonly Place[] {
    if (gone.length === this.#issues.size) this.#byUid.clear();
    for (const { uid } of gone) this.#at(uid).issue = undefined;
    const stayed =
      gone.length === this.#issues.size
        ? []
        : this.#sorted.filter(({ issue }) => issue !== undefined);
    return [...stayed, ...come.map((issue) => this.#put(issue))].sort(compare);
  }

  #put(issue: Issue): Place {
    const place = this.#at(issue.uid);
    place.issue = issue;
    place.parent = issue.parent === undefined ? undefined : this.#at(issue.parent);
    return place;
  }

  #at(uid: string): Place {
    let place = this.#byUid.get(uid);
    if (place === undefined) {
      place = { ...NOWHERE };
      this.#byUid.set(uid, place);
    }
    return place;
  }
}

const NOWHERE: Readonly<Place> = {
  issue: undefined,
  parent: undefined,
  reading: 0,
  matching: 0,
  first: undefined,
  last: undefined,
  next: undefined,
  row: undefined,
};

type Compare = (a: Place, b: Place) => number;

/** The index of the place in the sorted list, or the index at which it belongs. */
function indexOf(all: readonly Place[], place: Place, compare: Compare): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = all[middle];
    if (at !== undefined && at !== place && compare(at, place) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function comparator(order: Order, issues: Issues): Compare {
  const compare = comparatorOf(order, issues);
  return ({ issue: a }, { issue: b }) => (a === undefined || b === undefined ? 0 : compare(a, b));
}

function comparatorOf(order: Order, issues: Issues): (a: Issue, b: Issue) => number {
  const byId = (a: Issue, b: Issue): number => (a.uid < b.uid ? -1 : 1);
  switch (order) {
    case "updated":
      return (a, b) => descending(a.updated_at, b.updated_at) || byId(a, b);
    case "created":
      return (a, b) => descending(a.created_at, b.created_at) || byId(a, b);
    case "priority":
      return (a, b) =>
        takeRank(a) - takeRank(b) || descending(a.updated_at, b.updated_at) || byId(a, b);
    case "blockers": {
      const depths = blockerDepths(issues);
      const depth = ({ uid }: Issue): number => depths.get(uid) ?? 0;
      return (a, b) => depth(a) - depth(b) || takeRank(a) - takeRank(b) || byId(a, b);
    }
  }
}

function descending(a: string, b: string): number {
  if (a === b) return 0;
  return a > b ? -1 : 1;
}

/**
 * For each issue the length of its longest chain of open blockers. Circles are cut. The function keeps its own stack,
 * since a chain may be longer than calls can nest.
 */
function blockerDepths(issues: Issues): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  const openBlockers = (uid: string): readonly string[] =>
    (issues.get(uid)?.blocked_by ?? []).filter((one) => issues.get(one)?.status === "open");
  for (const start of issues.keys()) {
    const stack = [start];
    for (let uid = stack.at(-1); uid !== undefined; uid = stack.at(-1)) {
      const blockers = openBlockers(uid);
      const unknown = depths.has(uid) ? [] : blockers.filter((one) => !depths.has(one));
      if (unknown.length === 0) {
        stack.pop();
        depths.set(uid, Math.max(0, ...blockers.map((one) => (depths.get(one) ?? 0) + 1)));
      } else {
        depths.set(uid, 0);
        stack.push(...unknown);
      }
    }
  }
  return depths;
}
