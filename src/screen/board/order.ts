import { takeRank } from "../../contract/take-order.ts";
import type { Memo } from "../memo.ts";
import { differences, type Issue, type Issues, NO_ISSUES } from "./issues.ts";

export const ORDERS = ["updated", "created", "priority", "blockers"] as const;
export type Order = (typeof ORDERS)[number];

/** A line of the board. */
export interface Row {
  readonly issue: Issue;
  readonly depth: number;
  /** Shown only because something below it matches. */
  readonly context: boolean;
  readonly fold: "leaf" | "open" | "folded";
}

/** Where an issue stands among the others. It stays the same one while its issue changes, so that lines need no look-up. */
export interface Place {
  /** Nothing where the issue is not known, though others name it as their parent. */
  issue: Issue | undefined;
  parent: Place | undefined;
  /** For whoever makes rows of it: the last reading that shows it, and the last that it matches by itself. */
  reading: number;
  matching: number;
  /** What is shown below it then, and behind it below the same parent. */
  first: Place | undefined;
  last: Place | undefined;
  next: Place | undefined;
  /** Its line. */
  row: Row | undefined;
}

/** All issues in that order, right until another table is asked about. */
export function sorted(memo: Memo, order: Order, issues: Issues): readonly Place[] {
  return memo.own(newPlaces).sorted(order, issues);
}

/** Tells what is shown in one reading from what was in those before, without forgetting anything in between. */
export function nextReading(memo: Memo): number {
  return memo.own(newPlaces).nextReading();
}

function newPlaces(): Places {
  return new Places();
}

/** So many changes are put in one by one; where there are more, all is sorted. */
const FEW = 64;

/** What did not change keeps its place from one table to the next, and what changed is put between. */
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
    // Among blockers a change of one issue may move others.
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
    // Nothing is known any more, not even as somebody's parent.
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

/** Where the place is among those in order, or would be. */
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
 * How many open issues must be done one after another before this one; what is in a circle counts what it reached. With
 * a stack of its own: chains of blockers may be longer than calls can nest.
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
