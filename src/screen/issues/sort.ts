import { takeRank } from "../../contract/take-order.ts";
import type { Issue, Issues } from "./issues.ts";

/** The orders of the list. A key switches between the first five; the palette offers all of them. */
export const ORDERS = [
  ...(["updated", "created", "priority", "blockers", "due"] as const),
  ...(["title", "owner", "author", "labels", "id"] as const),
];
export type Order = (typeof ORDERS)[number];
export const USUAL_ORDERS: readonly Order[] = ORDERS.slice(0, 5);

/** An order, reversed if it begins with `-`. */
export type Sort = Order | `-${Order}`;

export const SORTS: readonly Sort[] = [...ORDERS, ...ORDERS.map((order) => `-${order}` as const)];

export function orderOf(sort: Sort): Order {
  return ORDERS.find((order) => sort === order || sort === `-${order}`) ?? "updated";
}

export function reverseSort(sort: Sort): Sort {
  const order = orderOf(sort);
  return sort === order ? `-${order}` : order;
}

type Compare = (a: Issue, b: Issue) => number;

/**
 * Returns the function that compares two issues by this order. Issues without a value come last, even if the order is
 * reversed.
 */
export function comparatorOf(sort: Sort, issues: Issues): Compare {
  const order = orderOf(sort);
  const sign = sort === order ? 1 : -1;
  const compare = valueOrder(order, sign, issues);
  return (a, b) => compare(a, b) || (a.uid < b.uid ? -1 : 1);
}

function valueOrder(order: Order, sign: 1 | -1, issues: Issues): Compare {
  switch (order) {
    case "updated":
      return (a, b) => sign * text(b.updated_at, a.updated_at);
    case "created":
      return (a, b) => sign * text(b.created_at, a.created_at);
    case "priority":
      return (a, b) =>
        missingLast(a.priority, b.priority) ??
        (sign * (takeRank(a) - takeRank(b)) || text(b.updated_at, a.updated_at));
    case "blockers": {
      const depths = blockerDepths(issues);
      const depth = ({ uid }: Issue): number => depths.get(uid) ?? 0;
      return (a, b) => sign * (depth(a) - depth(b) || takeRank(a) - takeRank(b));
    }
    case "due":
      return byValue(deadlineOf, sign);
    case "title":
      return byValue(({ title }) => title.toLowerCase(), sign);
    case "owner":
      return byValue(({ owner }) => owner?.toLowerCase(), sign);
    case "author":
      return byValue(({ author }) => author.toLowerCase(), sign);
    case "labels":
      return byValue(({ labels }) => labels[0]?.toLowerCase(), sign);
    case "id":
      return byValue(({ qualified_id }) => qualified_id, sign);
  }
}

export function deadlineOf({ metadata }: Pick<Issue, "metadata">): string | undefined {
  const { deadline_on: day } = metadata;
  return typeof day === "string" ? day : undefined;
}

/** Orders issues by a value. Of issues with the same value, the last changed issue comes first. */
function byValue(valueOf: (issue: Issue) => string | undefined, sign: 1 | -1): Compare {
  return (a, b) => {
    const [one, other] = [valueOf(a), valueOf(b)];
    const order = missingLast(one, other) ?? sign * text(one ?? "", other ?? "");
    return order || text(b.updated_at, a.updated_at);
  };
}

function missingLast(a: unknown, b: unknown): number | undefined {
  if ((a === undefined) === (b === undefined)) return undefined;
  return a === undefined ? 1 : -1;
}

function text(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * For each issue, the length of its longest chain of open blockers; a cycle is cut at one of its issues. The function
 * keeps its own stack, because recursion along a long chain could overflow the call stack.
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
