import { addTo } from "../../base/lists.ts";
import type { reachableIssueGraph } from "../../contract/graph.ts";
import type { Output } from "../../contract/route.ts";
import { fieldText, header } from "../../shared/agent.ts";
import { projectOf } from "../../shared/ref.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import type { Paint } from "./palette.ts";

type Graph = Output<typeof reachableIssueGraph>;
type Node = Graph["nodes"][number];
type Edge = Graph["edges"][number];

export const graphView: View<Graph> = {
  human: (graph, { paint }) => {
    const refOf = refsOf(graph);
    const lost = graph.unresolved_refs.map(
      ({ uid, side, kind, other_uid }) =>
        `${paint("error", "missing")} the ${side} end of ${kind} ${refOf(uid)}: ${other_uid}`,
    );
    return [...treeLines(graph, paint), ...lost].join("\n");
  },
  agent: (graph) => {
    const { source_uid, nodes, edges, unresolved_refs } = graph;
    const refOf = refsOf(graph);
    return [
      header("graph", { issue: refOf(source_uid), nodes: nodes.length, edges: edges.length }),
      ...nodes.map(
        ({ uid, status, title }) => `- node ${fieldText({ issue: refOf(uid), status, title })}`,
      ),
      ...edges.map(({ from_uid, to_uid, kind, layout }) => {
        const fields = { from: refOf(from_uid), to: refOf(to_uid), kind };
        return `- edge ${fieldText(layout ? fields : { ...fields, layout })}`;
      }),
      ...unresolved_refs.map(
        ({ uid, side, kind, other_uid }) =>
          `- unresolved ${fieldText({ issue: refOf(uid), side, kind, other: other_uid })}`,
      ),
    ].join("\n");
  },
  refs: ({ nodes }) => nodes,
};

/**
 * Returns a function that gives the id of an issue, with the project if it is not the project of the issue whose graph
 * is shown.
 */
function refsOf({ source_uid, nodes }: Graph): (uid: string) => string {
  const byUid = new Map(nodes.map((node) => [node.uid, node]));
  const source = byUid.get(source_uid);
  const home = source === undefined ? "" : projectOf(source.qualified_id);
  return (uid) => {
    const node = byUid.get(uid);
    if (node === undefined) return uid;
    return oneLine(projectOf(node.qualified_id) === home ? node.short_id : node.qualified_id);
  };
}

/**
 * An edge as seen from one of its two issues. `other` is the uid of the other issue; `word` says how the two are
 * linked.
 */
interface SeenEdge {
  readonly edge: Edge;
  readonly word: string;
  readonly other: string;
}

const ORDER = ["parent", "child", "blocked by", "blocks", "related"];

function seenFrom(uid: string, edge: Edge): SeenEdge {
  const outgoing = edge.from_uid === uid;
  const other = outgoing ? edge.to_uid : edge.from_uid;
  if (edge.kind === "parent") return { edge, word: outgoing ? "child" : "parent", other };
  if (edge.kind === "blocks") return { edge, word: outgoing ? "blocks" : "blocked by", other };
  return { edge, word: edge.kind, other };
}

/**
 * Shows each issue once, at its shortest distance from the issue whose graph is shown. A link that is not part of this
 * tree is shown as an arrow below the issue from which it leads.
 */
function treeLines(graph: Graph, paint: Paint): readonly string[] {
  const around = aroundOf(graph.edges.filter(({ layout }) => layout));
  const [branches, inTree] = branchesOf(graph.source_uid, around);
  const byUid = new Map(graph.nodes.map((node) => [node.uid, node]));
  const refOf = refsOf(graph);
  const lines: string[] = [];
  // A stack of the issues to show, whose last element is shown next.
  const left: {
    readonly seen: SeenEdge | undefined;
    readonly uid: string;
    readonly depth: number;
  }[] = [{ seen: undefined, uid: graph.source_uid, depth: 0 }];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    const { seen, uid, depth } = at;
    const node = byUid.get(uid);
    if (node === undefined) continue;
    lines.push(
      `${"  ".repeat(depth)}${relationText(seen, paint)}${nodeText(node, refOf(uid), paint)}`,
    );
    for (const { edge, word, other } of around.get(uid) ?? []) {
      if (inTree.has(edge) || edge.from_uid !== uid) continue;
      lines.push(`${"  ".repeat(depth + 1)}${word} → ${paint("id", refOf(other))}`);
    }
    for (const branch of [...(branches.get(uid) ?? [])].reverse())
      left.push({ seen: branch, uid: branch.other, depth: depth + 1 });
  }
  return lines;
}

function relationText(seen: SeenEdge | undefined, paint: Paint): string {
  if (seen === undefined) return "";
  const word = seen.word === "blocked by" ? paint("blocked", seen.word) : seen.word;
  return seen.edge.kind === "parent" ? `${word} ` : `${word} → `;
}

function nodeText({ title, status }: Node, ref: string, paint: Paint): string {
  const shown = status === "closed" ? paint("closed", "[closed]") : `[${oneLine(status)}]`;
  return `${paint("id", ref)} ${oneLine(title)} ${shown}`;
}

type EdgesByIssue = ReadonlyMap<string, readonly SeenEdge[]>;

function aroundOf(edges: readonly Edge[]): EdgesByIssue {
  const around = new Map<string, SeenEdge[]>();
  for (const edge of edges) {
    for (const uid of new Set([edge.from_uid, edge.to_uid])) {
      addTo(around, uid, seenFrom(uid, edge));
    }
  }
  for (const list of around.values())
    list.sort((a, b) => ORDER.indexOf(a.word) - ORDER.indexOf(b.word));
  return around;
}

function branchesOf(
  source: string,
  around: EdgesByIssue,
): readonly [branches: EdgesByIssue, inTree: ReadonlySet<Edge>] {
  const branches = new Map<string, SeenEdge[]>();
  const inTree = new Set<Edge>();
  const known = new Set([source]);
  for (const uid of known) {
    const own: SeenEdge[] = [];
    for (const seen of around.get(uid) ?? []) {
      if (known.has(seen.other)) continue;
      known.add(seen.other);
      inTree.add(seen.edge);
      own.push(seen);
    }
    branches.set(uid, own);
  }
  return [branches, inTree];
}
