/**
 * Computes what a beads export says about its issues, straight from its lines. It shares no code with the program, and
 * prefers short code to fast code.
 */

interface Line {
  readonly id: string;
  readonly status: string;
  readonly issue_type: string;
  readonly ephemeral?: boolean;
  readonly dependencies?: readonly { readonly depends_on_id: string; readonly type: string }[];
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly kind: "parent" | "blocks" | "related";
}

type Graph = ReadonlyMap<string, readonly string[]>;

export function plainTracker(text: string) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const live = new Map<string, Line>();
  for (const line of lines) {
    const issue: Line = JSON.parse(line);
    if (issue.status !== "tombstone") live.set(issue.id, issue);
  }
  const isOpen = (id: string): boolean => live.get(id)?.status !== "closed";
  const open = [...live.keys()].filter(isOpen);
  const edges = edgesOf(live);
  const blocks = edges.filter(({ kind }) => kind === "blocks");
  const openBlocks = blocks.filter(({ from, to }) => isOpen(from) && isOpen(to));
  const blockers = neighbours(openBlocks.map(({ from, to }) => [to, from]));
  const waiting = neighbours(openBlocks.map(({ from, to }) => [from, to]));
  const parents = new Map(
    edges.filter(({ kind }) => kind === "parent").map(({ from, to }) => [to, from]),
  );
  const children = neighbours(
    [...parents].filter(([child]) => isOpen(child)).map(([child, parent]) => [parent, child]),
  );
  const offered = offeredByBeads(live);
  /**
   * Parked issues: beads does not offer them, although nothing blocks them. One with open children is not parked.
   */
  const isParked = (id: string): boolean => {
    const issue = live.get(id);
    return issue !== undefined && isNoWork(issue) && isOpen(id) && of(children, id).length === 0;
  };
  const around = neighbours(edges.flatMap(({ from, to }) => [[from, to] as const, [to, from]]));

  /** Returns the open parent that is blocked or parked, or is itself below such a parent. */
  function holder(id: string): string | undefined {
    const parent = parents.get(id);
    if (parent === undefined || !isOpen(parent)) return undefined;
    const holds = of(blockers, parent).length > 0 || isParked(parent);
    return holds || holder(parent) !== undefined ? parent : undefined;
  }

  /** Returns every open blocker of the issue, direct or not. */
  function inTheWay(id: string, seen = new Set<string>(), found = new Set<string>()) {
    if (seen.has(id)) return found;
    seen.add(id);
    for (const blocker of of(blockers, id)) {
      found.add(blocker);
      inTheWay(blocker, seen, found);
    }
    const parent = holder(id);
    if (parent !== undefined) inTheWay(parent, seen, found);
    return found;
  }

  const longest = new Map<string, number>();
  /** Returns the number of issues in the longest chain of blockers that ends in the issue. */
  function chainTo(id: string): number {
    const known = longest.get(id);
    if (known !== undefined) return known;
    const length = 1 + Math.max(0, ...of(blockers, id).map(chainTo));
    longest.set(id, length);
    return length;
  }

  return {
    live: [...live.keys()],
    open,
    edges,
    reasons: (id: string) => ({
      blocked: [...of(blockers, id)].sort(),
      open_children: [...of(children, id)].sort(),
      held: holder(id),
      parked: isParked(id),
    }),
    ready: open.filter(
      (id) =>
        of(blockers, id).length === 0 &&
        of(children, id).length === 0 &&
        holder(id) === undefined &&
        !isParked(id),
    ),
    /** The issues that `bd ready` offers, and those of them that have open children. */
    offered,
    offeredParents: offered.filter((id) => of(children, id).length > 0),
    inTheWay: (id: string) => [...inTheWay(id)].sort(),
    isPair: (from: string, to: string) => of(blockers, to).includes(from),
    longestChain: Math.max(...open.filter((id) => of(blockers, id).length > 0).map(chainTo)),
    /** For each issue that blocks others, how many issues wait for it. */
    waiting: Object.fromEntries(
      open
        .filter((id) => of(waiting, id).length > 0)
        .map((id) => [id, reach(waiting, id, () => true).size - 1]),
    ),
    reachable: (id: string, { hideDone = false } = {}) =>
      [...reach(around, id, (other) => !hideDone || isOpen(other))].sort(),
    /** Returns the blocks links whose two issues are also connected by a longer chain. */
    shortcuts: (ids: ReadonlySet<string>) => {
      const inside = blocks.filter(({ from, to }) => ids.has(from) && ids.has(to));
      const next = neighbours(inside.map(({ from, to }) => [from, to]));
      return inside
        .filter(({ from, to }) =>
          of(next, from).some((other) => other !== to && reach(next, other, () => true).has(to)),
        )
        .map(edgeText)
        .sort();
    },
  };
}

/** The types that `bd ready` leaves out (`readyWorkExcludeTypes` of beads). */
const NO_WORK_TYPES = ["merge-request", "gate", "molecule", "message", "agent", "role", "rig"];

/** Whether `bd ready` never offers the issue, whatever its dependencies are. */
function isNoWork({ id, status, issue_type, ephemeral = false }: Line): boolean {
  return (
    !["open", "in_progress"].includes(status) ||
    ephemeral ||
    id.includes("-wisp-") ||
    NO_WORK_TYPES.includes(issue_type)
  );
}

/**
 * Returns what `bd ready` prints, by the statements of beads (internal/storage/issueops: `ready_work.go` and
 * `blocked_state.go`; `ready.go` of its SQLite storage for ids of wisps). The file has no edges of other kinds that
 * block, and no issue that is deferred, pinned or a template.
 */
function offeredByBeads(live: ReadonlyMap<string, Line>): readonly string[] {
  const ends = (id: string, kind: string): readonly string[] =>
    (live.get(id)?.dependencies ?? [])
      .filter(({ type, depends_on_id: other }) => type === kind && live.has(other))
      .map(({ depends_on_id: other }) => other);
  const isClosed = (id: string): boolean => live.get(id)?.status === "closed";
  const blocked = new Set(
    [...live.keys()].filter((id) => ends(id, "blocks").some((other) => !isClosed(other))),
  );
  for (let size = -1; size !== blocked.size; ) {
    size = blocked.size;
    for (const id of live.keys())
      if (ends(id, "parent-child").some((parent) => blocked.has(parent) && !isClosed(parent)))
        blocked.add(id);
  }
  return [...live.values()]
    .filter((issue) => !isNoWork(issue) && !blocked.has(issue.id))
    .map(({ id }) => id);
}

export function edgeText({ from, to, kind }: Edge): string {
  return kind === "related" ? `related ${[from, to].sort().join(" ")}` : `${kind} ${from} ${to}`;
}

/** Returns the links from parent to child and from blocker to blocked, each once, and one parent for each child. */
function edgesOf(live: ReadonlyMap<string, Line>): readonly Edge[] {
  const edges = new Map<string, Edge>();
  const withParent = new Set<string>();
  for (const { id, dependencies = [] } of live.values()) {
    for (const { depends_on_id: other, type } of dependencies) {
      if (!live.has(other) || other === id) continue;
      if (type === "parent-child" && withParent.has(id)) continue;
      if (type === "parent-child") withParent.add(id);
      const kind = type === "parent-child" ? "parent" : type === "blocks" ? "blocks" : "related";
      const edge: Edge = { from: other, to: id, kind };
      edges.set(edgeText(edge), edge);
    }
  }
  return [...edges.values()];
}

function neighbours(pairs: readonly (readonly [string, string])[]): Graph {
  const found = new Map<string, string[]>();
  for (const [from, to] of pairs) found.set(from, [...(found.get(from) ?? []), to]);
  return found;
}

function of(graph: Graph, id: string): readonly string[] {
  return graph.get(id) ?? [];
}

function reach(graph: Graph, start: string, enters: (id: string) => boolean): ReadonlySet<string> {
  const seen = new Set([start]);
  for (const id of seen) for (const next of of(graph, id)) if (enters(next)) seen.add(next);
  return seen;
}
