/** The successors of each node; the index is the node's number. */
export type Successors = readonly (readonly number[])[];

/**
 * Finds strongly connected components by Tarjan's algorithm and returns the component's number for each node. Every
 * edge leads to a component of the same or a smaller number. Uses no recursion, because a chain can contain all issues
 * of a project.
 */
export function componentsOf(successors: Successors): Int32Array {
  const count = successors.length;
  const component = new Int32Array(count).fill(-1);
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const cursor = new Int32Array(count);
  const open: number[] = [];
  let [indices, components] = [0, 0];

  function finish(node: number): void {
    if (low[node] !== index[node]) return;
    for (;;) {
      const member = open.pop() ?? node;
      component[member] = components;
      if (member === node) break;
    }
    components++;
  }

  for (let start = 0; start < count; start++) {
    if (index[start] !== -1) continue;
    const path = [start];
    while (path.length > 0) {
      const node = path.at(-1) ?? start;
      if (index[node] === -1) {
        index[node] = low[node] = indices++;
        open.push(node);
      }
      const next = successors[node]?.[cursor[node] ?? 0];
      if (next === undefined) {
        finish(node);
        path.pop();
        const above = path.at(-1);
        if (above !== undefined) low[above] = Math.min(low[above] ?? 0, low[node] ?? 0);
      } else {
        cursor[node] = (cursor[node] ?? 0) + 1;
        if (index[next] === -1) path.push(next);
        else if (component[next] === -1) low[node] = Math.min(low[node] ?? 0, index[next] ?? 0);
      }
    }
  }
  return component;
}
