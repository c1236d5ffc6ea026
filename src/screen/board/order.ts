import { differences, type Issue, type Issues, NO_ISSUES } from "../issues/issues.ts";
import { comparatorOf, orderOf, type Sort } from "../issues/sort.ts";
import type { Memo } from "../memo.ts";

export interface Row {
  readonly issue: Issue;
  readonly depth: number;
  /** Whether the row is shown only because an issue below it matches. */
  readonly context: boolean;
  readonly fold: "leaf" | "open" | "folded";
  /** Set if a search found the issue by its meaning only, not by its words. */
  readonly meant?: true;
}

/**
 * An issue's entry in the sorted list. The object stays the same when the issue changes, so that `parent` leads to the
 * parent's entry without a look-up by uid.
 */
export interface Place {
  /**
   * The issue of this entry; `undefined` if the issue is not loaded and the entry exists only as the parent of another
   * issue.
   */
  issue: Issue | undefined;
  parent: Place | undefined;
  /** The number (from `nextReading`) of the last computation of rows that visited this place. */
  reading: number;
  /** The number (from `nextReading`) of the last computation of rows in which the issue of this place matched. */
  matching: number;
  /**
   * The entry's first child, last child and next sibling, as set by the last computation of rows that visited the
   * entry.
   */
  first: Place | undefined;
  last: Place | undefined;
  next: Place | undefined;
  row: Row | undefined;
}

/** All issues in the order of `sort`. The list is valid until the next call with other issues or another order. */
export function sortedPlaces(memo: Memo, sort: Sort, issues: Issues): readonly Place[] {
  return memo.own(newPlaces).sorted(sort, issues);
}

/**
 * Returns a number for a new computation of rows. The computation writes this number into the places that it visits.
 * Numbers of earlier computations are ignored, so they need not be cleared.
 */
export function nextReading(memo: Memo): number {
  return memo.own(newPlaces).nextReading();
}

function newPlaces(): Places {
  return new Places();
}

/** Up to this many changes are inserted one by one; with more changes the whole list is sorted again. */
const MAX_INSERTED = 64;

/** Keeps the sorted issues, so that after a change only the changed issues are moved. */
class Places {
  #issues = NO_ISSUES;
  #sort: Sort = "updated";
  #sorted: readonly Place[] = [];
  #reading = 0;
  readonly #byUid = new Map<string, Place>();

  nextReading(): number {
    return (this.#reading += 1);
  }

  sorted(sort: Sort, issues: Issues): readonly Place[] {
    if (sort === this.#sort && issues === this.#issues) return this.#sorted;
    const { gone, come } = differences(this.#issues, issues);
    const compare = comparator(sort, issues);
    // In the order `blockers`, a change of one issue can also move others, because it changes the length of their
    // chains of blockers. So all issues are sorted again.
    const isKept = sort === this.#sort && orderOf(sort) !== "blockers";
    this.#sorted =
      isKept && gone.length + come.length <= MAX_INSERTED
        ? this.#changed(gone, come, compare)
        : this.#anew(gone, come, compare);
    this.#sort = sort;
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

function comparator(sort: Sort, issues: Issues): Compare {
  const compare = comparatorOf(sort, issues);
  return ({ issue: a }, { issue: b }) => (a === undefined || b === undefined ? 0 : compare(a, b));
}
