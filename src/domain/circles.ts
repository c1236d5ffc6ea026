import { addTo } from "../base/lists.ts";
import { componentsOf } from "./components.ts";
import type { LinkRow } from "./state.ts";

type Ends = Pick<LinkRow, "from_uid" | "to_uid">;

/** Links between open issues. A `parents` link leads from the child to its parent. */
export interface OpenLinks {
  readonly blocks: readonly Ends[];
  readonly parents: readonly Ends[];
}

/** A circle of issues that wait for each other, so that none of them can become ready. */
export interface Circle {
  /** Each issue waits for the next one, and the last one for the first. */
  readonly uids: readonly string[];
  /** One link of the circle. Removing it breaks the circle. */
  readonly link: { readonly blocker: string; readonly blocked: string };
}

/**
 * Finds the circles in which issues wait for each other (docs/architecture/issues.md, Readiness): an issue waits for
 * its blockers and for its children, and a child waits for the blockers of its ancestors. Issues that form several
 * overlapping circles are reported as one of the shortest circles. The circle contains `start` if `start` is one of
 * these issues.
 */
export function circlesIn(links: OpenLinks, start?: string): readonly Circle[] {
  const next = waitsOf(links);
  const names = [...next.keys()].sort();
  const numbers = new Map(names.map((name, at) => [name, at]));
  const successors = names.map((name) =>
    (next.get(name) ?? []).flatMap((other) => numbers.get(other) ?? []),
  );
  const component = componentsOf(successors);
  const members = Map.groupBy(names, (_, at) => component[at]);
  const blocks = new Set(links.blocks.map(({ from_uid, to_uid }) => `${from_uid} ${to_uid}`));
  return [...members.values()].flatMap((group) => {
    if (group.length < 2) return [];
    const first = group.find((name) => name === start) ?? group[0] ?? "";
    const inside = new Set(group);
    const path = shortestCircle(first, (name) =>
      (next.get(name) ?? []).filter((other) => inside.has(other)),
    );
    return circleOf(path, blocks);
  });
}

const HELD = "held ";

/**
 * The name of an additional node of the graph, for the blockers of an issue and of its ancestors. Children wait for
 * this node and not for the issue itself, because the issue waits for its children.
 */
function heldName(uid: string): string {
  return `${HELD}${uid}`;
}

function issueOf(name: string): string {
  return name.startsWith(HELD) ? name.slice(HELD.length) : name;
}

function waitsOf({ blocks, parents }: OpenLinks): ReadonlyMap<string, readonly string[]> {
  const next = new Map<string, string[]>();
  const add = (from: string, to: string): void => {
    addTo(next, from, to);
    if (!next.has(to)) next.set(to, []);
  };
  for (const { from_uid: blocker, to_uid: blocked } of blocks) {
    add(blocked, blocker);
    add(heldName(blocked), blocker);
  }
  for (const { from_uid: child, to_uid: parent } of parents) {
    add(parent, child);
    add(child, heldName(parent));
    add(heldName(child), heldName(parent));
  }
  return next;
}

function shortestCircle(
  first: string,
  next: (name: string) => readonly string[],
): readonly string[] {
  const before = new Map<string, string>();
  const queue = [first];
  for (const name of queue) {
    for (const other of next(name)) {
      if (other === first) return pathTo(name, before);
      if (before.has(other)) continue;
      before.set(other, name);
      queue.push(other);
    }
  }
  return [];
}

function pathTo(last: string, before: ReadonlyMap<string, string>): readonly string[] {
  const path: string[] = [];
  for (let at: string | undefined = last; at !== undefined; at = before.get(at)) path.unshift(at);
  return path;
}

function circleOf(path: readonly string[], blocks: ReadonlySet<string>): readonly Circle[] {
  const uids = path.map(issueOf).filter((uid, at, all) => uid !== all.at(at - 1) || all.length < 2);
  const steps = uids.map((blocked, at) => ({
    blocked,
    blocker: uids[(at + 1) % uids.length] ?? "",
  }));
  const link = steps.find(({ blocker, blocked }) => blocks.has(`${blocker} ${blocked}`));
  return link === undefined ? [] : [{ uids, link }];
}
