import type { Instant } from "../../src/base/clock.ts";
import { differences, type Issue, type Issues } from "./issues.ts";
import { isMatch, parseQuery } from "./query.ts";
import { relationsOf } from "./relations.ts";

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

export interface RowsInput {
  readonly issues: Issues;
  /** Issues that a write is under way for, as they are without it: they stay on the board until it is answered. */
  readonly truth: ReadonlyMap<string, Issue>;
  readonly query: string;
  readonly flat: boolean;
  readonly order: Order;
  readonly folded: ReadonlySet<string>;
  readonly now: Instant;
}

/** The board's lines, nested below their parents or flat; computed anew only when something they come from changed. */
export function rowsOf(input: RowsInput): readonly Row[] {
  const known = last?.input;
  // A scheduled day begins at most a minute late.
  const same =
    known !== undefined &&
    known.issues === input.issues &&
    known.truth === input.truth &&
    known.query === input.query &&
    known.flat === input.flat &&
    known.order === input.order &&
    known.folded === input.folded &&
    known.now.slice(0, 16) === input.now.slice(0, 16);
  if (last === undefined || !same) last = { input, rows: compute(input) };
  return last.rows;
}

let last: { readonly input: RowsInput; readonly rows: readonly Row[] } | undefined;

function compute(input: RowsInput): readonly Row[] {
  const { issues, flat, order, folded } = input;
  const matches = withPending(relationsOf(input).found(input.query), input);
  const all = sortedIssues(order, issues);
  if (flat) {
    return all
      .filter((issue) => matches.has(issue))
      .map((issue) => ({ issue, depth: 0, context: false, fold: "leaf" }));
  }
  return nested(issues, all, matches, folded);
}

/** A row that a write takes off the board stays until it is answered, so that the person sees what becomes of it. */
function withPending(
  found: ReadonlySet<Issue>,
  { issues, truth, query: text }: RowsInput,
): ReadonlySet<Issue> {
  if (truth.size === 0) return found;
  const query = parseQuery(text);
  const { status } = query;
  const wanted = status === "all" || status === "closed" ? "open" : status;
  const all = new Set(found);
  for (const [uid, real] of truth) {
    const shown = issues.get(uid);
    const isThere = isMatch(real, query, real.status === "open" ? wanted : "closed");
    if (shown !== undefined && isThere) all.add(shown);
  }
  return all;
}

interface Sorted {
  readonly order: Order;
  readonly issues: Issues;
  readonly all: readonly Issue[];
}

let lastSorted: Sorted | undefined;

/** All issues in that order. What did not change keeps its place, and what changed is put between. */
export function sortedIssues(order: Order, issues: Issues): readonly Issue[] {
  const known = lastSorted;
  if (known?.order === order && known.issues === issues) return known.all;
  const compare = comparator(order, issues);
  // Among blockers a change of one issue may move others.
  const isKept = known?.order === order && order !== "blockers";
  const all = isKept ? resorted(known, issues, compare) : [...issues.values()].sort(compare);
  lastSorted = { order, issues, all };
  return all;
}

function resorted(known: Sorted, issues: Issues, compare: Compare): readonly Issue[] {
  const { gone, come } = differences(known.issues, issues);
  const left = new Set(gone);
  const stayed = known.all.filter((issue) => !left.has(issue));
  const added = [...come].sort(compare);
  const all: Issue[] = [];
  let at = 0;
  for (const issue of stayed) {
    for (let next = added[at]; next !== undefined && compare(next, issue) < 0; next = added[at]) {
      all.push(next);
      at += 1;
    }
    all.push(issue);
  }
  return [...all, ...added.slice(at)];
}

/** What matches, and the ancestors that lead to it, so that each stands below its parent. */
function nested(
  issues: Issues,
  all: readonly Issue[],
  matches: ReadonlySet<Issue>,
  folded: ReadonlySet<string>,
): readonly Row[] {
  const shown = new Set<Issue>();
  for (const match of matches) {
    let issue: Issue | undefined = match;
    while (issue !== undefined && !shown.has(issue)) {
      shown.add(issue);
      issue = issue.parent === undefined ? undefined : issues.get(issue.parent);
    }
  }
  const roots: Issue[] = [];
  const childrenOf = new Map<string, Issue[]>();
  for (const issue of all) {
    if (!shown.has(issue)) continue;
    const { parent } = issue;
    const siblings = parent === undefined ? roots : childrenOf.get(parent);
    if (siblings !== undefined) siblings.push(issue);
    else if (parent !== undefined && issues.has(parent)) childrenOf.set(parent, [issue]);
    else roots.push(issue);
  }
  const rows: Row[] = [];
  const add = (issue: Issue, depth: number): void => {
    const children = childrenOf.get(issue.uid) ?? [];
    const isFolded = folded.has(issue.uid);
    const fold = children.length === 0 ? "leaf" : isFolded ? "folded" : "open";
    rows.push({ issue, depth, context: !matches.has(issue), fold });
    if (!isFolded) for (const child of children) add(child, depth + 1);
  };
  for (const root of roots) add(root, 0);
  return rows;
}

type Compare = (a: Issue, b: Issue) => number;

function comparator(order: Order, issues: Issues): Compare {
  const byId: Compare = (a, b) => (a.uid < b.uid ? -1 : 1);
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
