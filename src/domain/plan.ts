import type { applyPlan } from "../contract/plans.ts";
import type { Input } from "../contract/route.ts";

/**
 * A plan is a list of issues that refer to each other by name. This file finds all faults inside a plan, and the order
 * in which to create its issues (docs/plans.md).
 */
export type PlannedIssue = Input<typeof applyPlan>["body"]["issues"][number];

export type PlanNode = Pick<PlannedIssue, "name" | "parent" | "blocks" | "blocked_by" | "related">;

export interface PlanFault {
  /** The path of the field in the plan, such as `issues[3].parent`. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export interface PlanEdge {
  readonly type: "parent" | "blocks" | "related";
  /** Direction as stored: child → parent, blocker → blocked. */
  readonly from: string;
  readonly to: string;
  readonly field: string;
}

export function planEdges(nodes: readonly PlanNode[]): readonly PlanEdge[] {
  const edges = new Map<string, PlanEdge>();
  const add = (type: PlanEdge["type"], from: string, to: string, field: string): void => {
    const ends = type === "related" ? [from, to].sort() : [from, to];
    const key = JSON.stringify([type, ...ends]);
    if (!edges.has(key)) edges.set(key, { type, from, to, field });
  };
  nodes.forEach(({ name, parent, blocks = [], blocked_by = [], related = [] }, at) => {
    const place = `issues[${at}]`;
    if (parent !== undefined) add("parent", name, parent, `${place}.parent`);
    blocks.forEach((to, i) => add("blocks", name, to, `${place}.blocks[${i}]`));
    blocked_by.forEach((from, i) => add("blocks", from, name, `${place}.blocked_by[${i}]`));
    related.forEach((to, i) => add("related", name, to, `${place}.related[${i}]`));
  });
  return [...edges.values()];
}

export function planFaults(
  nodes: readonly PlanNode[],
  edges: readonly PlanEdge[],
): readonly PlanFault[] {
  return [...doubleNames(nodes), ...selfLinks(edges), ...circleFaults(edges)];
}

function doubleNames(nodes: readonly PlanNode[]): readonly PlanFault[] {
  const first = new Map<string, number>();
  return nodes.flatMap(({ name }, at) => {
    const known = first.get(name);
    if (known === undefined) first.set(name, at);
    return known === undefined
      ? []
      : [fault(`issues[${at}].name`, `${name} is the name of issues[${known}] already`)];
  });
}

function selfLinks(edges: readonly PlanEdge[]): readonly PlanFault[] {
  return edges
    .filter(({ from, to }) => from === to)
    .map(({ field, from }) => fault(field, `${from} cannot be linked to itself`));
}

function circleFaults(edges: readonly PlanEdge[]): readonly PlanFault[] {
  return (["parent", "blocks"] as const).flatMap((type) => {
    const sameType = edges.filter((edge) => edge.type === type && edge.from !== edge.to);
    const next = Map.groupBy(sameType, ({ from }) => from);
    return circlesIn(next).map(({ path, field }) => {
      const shown = path.join(" → ");
      const what = type === "parent" ? "parents" : "blockers";
      return fault(field, `would create a circle of ${what}: ${shown}`);
    });
  });
}

/**
 * Reports a circle for each link that leads back to an issue on the current path. Uses no recursion, since chains can
 * be long.
 */
function circlesIn(next: ReadonlyMap<string, readonly PlanEdge[]>) {
  const found: { readonly path: readonly string[]; readonly field: string }[] = [];
  const done = new Set<string>();
  for (const start of next.keys()) {
    if (done.has(start)) continue;
    const path: string[] = [start];
    const onPath = new Set(path);
    const left: PlanEdge[][] = [[...(next.get(start) ?? [])]];
    while (path.length > 0) {
      const edge = left.at(-1)?.shift();
      if (edge === undefined) {
        left.pop();
        const name = path.pop() ?? "";
        onPath.delete(name);
        done.add(name);
      } else if (onPath.has(edge.to)) {
        found.push({ path: [...path.slice(path.indexOf(edge.to)), edge.to], field: edge.field });
      } else if (!done.has(edge.to)) {
        path.push(edge.to);
        onPath.add(edge.to);
        left.push([...(next.get(edge.to) ?? [])]);
      }
    }
  }
  return found;
}

/** Parents come before their children; otherwise the order of the plan stays. The plan has no circle of parents. */
export function creationOrder<T extends PlanNode>(nodes: readonly T[]): readonly T[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const ordered = new Set<T>();
  for (const node of nodes) {
    const line: T[] = [];
    let above: T | undefined = node;
    while (above !== undefined && !ordered.has(above)) {
      line.push(above);
      above = above.parent === undefined ? undefined : byName.get(above.parent);
    }
    for (const each of line.reverse()) ordered.add(each);
  }
  return [...ordered];
}

export function fault(field: string, message: string, code = "validation"): PlanFault {
  return { field, code, message };
}
