import type { Instant } from "../../src/base/clock.ts";
import { type Issue, type Issues, relationsOf } from "./issues.ts";
import { isMatch, parseQuery, type Query } from "./query.ts";

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
    known.query === input.query &&
    known.flat === input.flat &&
    known.order === input.order &&
    known.folded === input.folded &&
    known.now.slice(0, 16) === input.now.slice(0, 16);
  if (last === undefined || !same) last = { input, rows: compute(input) };
  return last.rows;
}

let last: { readonly input: RowsInput; readonly rows: readonly Row[] } | undefined;

function compute({ issues, query: text, flat, order, folded, now }: RowsInput): readonly Row[] {
  const query = parseQuery(text);
  const matches = matching(issues, query, now);
  const compare = comparator(order, issues);
  if (flat) {
    return [...matches]
      .sort(compare)
      .map((issue) => ({ issue, depth: 0, context: false, fold: "leaf" }));
  }
  return nested(issues, matches, compare, folded);
}

function matching(issues: Issues, query: Query, now: Instant): ReadonlySet<Issue> {
  const found = new Set<Issue>();
  for (const issue of issues.values()) if (isMatch(issue, query, issues, now)) found.add(issue);
  return found;
}

/** What matches, and the ancestors that lead to it, so that each stands below its parent. */
function nested(
  issues: Issues,
  matches: ReadonlySet<Issue>,
  compare: (a: Issue, b: Issue) => number,
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
  const { childrenOf } = relationsOf(issues);
  const rows: Row[] = [];
  const add = (issue: Issue, depth: number): void => {
    const children = (childrenOf.get(issue.uid) ?? []).filter((child) => shown.has(child));
    const isFolded = folded.has(issue.uid);
    const fold = children.length === 0 ? "leaf" : isFolded ? "folded" : "open";
    rows.push({ issue, depth, context: !matches.has(issue), fold });
    if (!isFolded) for (const child of children.sort(compare)) add(child, depth + 1);
  };
  const roots = [...shown].filter(({ parent }) => parent === undefined || !issues.has(parent));
  for (const root of roots.sort(compare)) add(root, 0);
  return rows;
}

export function comparator(order: Order, issues: Issues): (a: Issue, b: Issue) => number {
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
