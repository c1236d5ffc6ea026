import { componentsOf } from "./components.ts";

export interface Edge {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds edges that a drawing can leave out, because a longer path connects the same two issues in the same direction
 * (docs/contract/http-api.md#610-graph-and-critical-path, `layout`). Without these edges everything that was connected
 * stays connected, circles included.
 */
export function redundantEdges<E extends Edge>(edges: readonly E[]): ReadonlySet<E> {
  const { successors, numberOf } = numbered(edges);
  const component = componentsOf(successors);
  const incoming = new Int32Array(successors.length);
  for (const list of successors) for (const to of list) incoming[to] = (incoming[to] ?? 0) + 1;
  const redundant = new Set<E>();
  const dropped = new Set<string>();
  for (const edge of edges) {
    const [from, to] = [numberOf(edge.from), numberOf(edge.to)];
    // Another path needs a second edge out of `from` and a second edge into `to`.
    if ((successors[from]?.length ?? 0) < 2 || (incoming[to] ?? 0) < 2) continue;
    if (!joinedOtherwise(successors, component, dropped, from, to)) continue;
    dropped.add(`${from} ${to}`);
    redundant.add(edge);
  }
  return redundant;
}

/**
 * Whether another path leads from `from` to `to`, without the edge between them and without dropped edges. No edge
 * leads to a larger component number, so components with a smaller number than that of `to` are not visited.
 */
function joinedOtherwise(
  successors: readonly (readonly number[])[],
  component: Int32Array,
  dropped: ReadonlySet<string>,
  from: number,
  to: number,
): boolean {
  const least = component[to] ?? 0;
  const seen = new Set([from]);
  const left = [from];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    for (const next of successors[node] ?? []) {
      if (node === from && next === to) continue;
      if (dropped.has(`${node} ${next}`)) continue;
      if (next === to) return true;
      if (seen.has(next) || (component[next] ?? 0) < least) continue;
      seen.add(next);
      left.push(next);
    }
  }
  return false;
}

/** Numbers the names in sorted order, so that equal graphs give equal answers. */
export function numbered(edges: readonly Edge[]): {
  readonly names: readonly string[];
  readonly successors: readonly (readonly number[])[];
  readonly numberOf: (name: string) => number;
} {
  const names = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].sort();
  const numbers = new Map(names.map((name, at) => [name, at]));
  const numberOf = (name: string): number => numbers.get(name) ?? -1;
  const successors = names.map((): number[] => []);
  for (const { from, to } of edges) successors[numberOf(from)]?.push(numberOf(to));
  return { names, successors, numberOf };
}
