import { differences, type Issue, type Issues, NO_ISSUES } from "./issues.ts";

export const ORDERS = ["updated", "created", "priority", "blockers"] as const;
export type Order = (typeof ORDERS)[number];

/** Where an issue stands among the others. It stays the same one while its issue changes, so that lines need no look-up. */
export interface Place {
  /** Nothing where the issue is not known, though others name it as their parent. */
  issue: Issue | undefined;
  parent: Place | undefined;
  /** For whoever makes rows of it: the last reading that shows it, and what is below it then. */
  reading: number;
  children: Place[];
}

/** All issues in that order, right until another table is asked about. */
export function sorted(order: Order, issues: Issues): readonly Place[] {
  return places.sorted(order, issues);
}

/** What did not change keeps its place from one table to the next, and what changed is put between. */
class Places {
  #issues = NO_ISSUES;
  #order: Order = "updated";
  #sorted: readonly Place[] = [];
  readonly #byUid = new Map<string, Place>();

  sorted(order: Order, issues: Issues): readonly Place[] {
    if (order === this.#order && issues === this.#issues) return this.#sorted;
    const { gone, come } = differences(this.#issues, issues);
    const stayed = this.#without(gone);
    const added = come.map((issue) => this.#put(issue));
    const compare = comparator(order, issues);
    // Among blockers a change of one issue may move others.
    this.#sorted =
      order === this.#order && order !== "blockers"
        ? merged(stayed, added.sort(compare), compare)
        : [...stayed, ...added].sort(compare);
    this.#order = order;
    this.#issues = issues;
    return this.#sorted;
  }

  #without(gone: readonly Issue[]): readonly Place[] {
    // Nothing is known any more, not even as somebody's parent.
    if (gone.length === this.#issues.size) this.#byUid.clear();
    for (const { uid } of gone) {
      const place = this.#byUid.get(uid);
      if (place !== undefined) place.issue = undefined;
    }
    return gone.length === this.#issues.size
      ? []
      : this.#sorted.filter(({ issue }) => issue !== undefined);
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
      place = { issue: undefined, parent: undefined, reading: 0, children: [] };
      this.#byUid.set(uid, place);
    }
    return place;
  }
}

const places = new Places();

type Compare = (a: Place, b: Place) => number;

function merged(
  stayed: readonly Place[],
  added: readonly Place[],
  compare: Compare,
): readonly Place[] {
  const all: Place[] = [];
  let at = 0;
  for (const place of stayed) {
    for (let next = added[at]; next !== undefined && compare(next, place) < 0; next = added[at]) {
      all.push(next);
      at += 1;
    }
    all.push(place);
  }
  return [...all, ...added.slice(at)];
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
      return (a, b) => level(a) - level(b) || descending(a.updated_at, b.updated_at) || byId(a, b);
    case "blockers": {
      const depths = blockerDepths(issues);
      const depth = ({ uid }: Issue): number => depths.get(uid) ?? 0;
      return (a, b) => depth(a) - depth(b) || level(a) - level(b) || byId(a, b);
    }
  }
}

function descending(a: string, b: string): number {
  if (a === b) return 0;
  return a > b ? -1 : 1;
}

/** No priority comes after the lowest. */
function level({ priority }: Issue): number {
  return priority ?? 5;
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
