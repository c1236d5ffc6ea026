import { z } from "zod";
import { reachableIssueGraph } from "../../../contract/graph.ts";
import type { Output } from "../../../contract/route.ts";
import { firstRows, roomFor } from "../../budget.ts";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { READS, tool } from "../../tool.ts";

const Node = z.strictObject({
  uid: z.string(),
  qualified_ref: z.string(),
  title: z.string(),
  status: z.string(),
  owner: z.string().optional(),
  priority: z.int().optional(),
});

const Edge = z.strictObject({ from_uid: z.string(), to_uid: z.string(), kind: z.string() });

export const graph = tool({
  name: "svc.graph",
  title: "Graph of links",
  description:
    "The issues that links lead to from one issue, nearest first, and the links between them. An edge leads from the parent or the blocker. If truncated, give a limit or start at another issue.",
  annotations: READS,
  input: z.strictObject({
    ref: inputs.ref,
    depth: z
      .union([z.literal("full"), z.int().min(0)])
      .default("full")
      .describe("how many links away at most, or full (default)"),
    hide_done: z.boolean().default(false).describe("leave closed issues out"),
    limit: inputs.limit.describe("most issues, default as many as fit into 8 KB"),
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    source_uid: z.string(),
    depth: z.union([z.literal("full"), z.int()]),
    hide_done: z.boolean(),
    nodes: z.array(Node),
    edges: z.array(Edge),
    unresolved_refs: z
      .array(
        z.strictObject({
          uid: z.string(),
          side: z.string(),
          kind: z.string(),
          other_uid: z.string(),
        }),
      )
      .optional(),
    truncated: z.boolean(),
  }),
  async run({ ref, depth, hide_done, limit }, { scope, call }) {
    const { project, params } = await scope.issue(ref);
    const query = { depth: String(depth), hide_done };
    const answer = await call(reachableIssueGraph, { params, query });
    const members = scope.isLimited
      ? new Set((await scope.projects()).map(({ id }) => id))
      : undefined;
    const inReach = answer.nodes.filter(({ project_id }) => members?.has(project_id) ?? true);
    const linked = linkedTo(answer.source_uid, inReach, answer.edges);
    const all = inReach.filter(({ uid }) => linked.has(uid)).map(nodeOf);
    // Issues and links each get half of the room, so that the links between the shown issues fit too.
    const room = roomFor(limit, project);
    const half = { rows: limit ?? all.length, bytes: room.bytes / 2 };
    const nodes = firstRows(all, half);
    const shown = new Set(nodes.map(({ uid }) => uid));
    const inside = answer.edges.filter(
      ({ from_uid, to_uid }) => shown.has(from_uid) && shown.has(to_uid),
    );
    const edges = firstRows(inside.map(edgeOf), { ...half, rows: inside.length });
    const unresolved = scope.isLimited
      ? []
      : answer.unresolved_refs.filter(({ uid }) => shown.has(uid)).slice(0, MAX_UNRESOLVED);
    return {
      project,
      source_uid: answer.source_uid,
      depth: answer.depth,
      hide_done: answer.hide_done,
      nodes: [...nodes],
      edges: [...edges],
      ...(unresolved.length === 0 ? {} : { unresolved_refs: unresolved.map(unresolvedOf) }),
      truncated: nodes.length < all.length || edges.length < inside.length,
    };
  },
});

/**
 * Returns the uids of the issues that are linked with the source through visible issues only. An issue that is linked
 * only through a hidden issue is left out, because it would reveal that the hidden issue exists.
 */
function linkedTo(
  source: string,
  nodes: readonly { readonly uid: string }[],
  edges: IssueGraph["edges"],
): ReadonlySet<string> {
  const shown = new Set(nodes.map(({ uid }) => uid));
  const neighbours = new Map<string, string[]>();
  for (const { from_uid, to_uid } of edges) {
    if (!shown.has(from_uid) || !shown.has(to_uid)) continue;
    neighbours.set(from_uid, [...(neighbours.get(from_uid) ?? []), to_uid]);
    neighbours.set(to_uid, [...(neighbours.get(to_uid) ?? []), from_uid]);
  }
  const reached = new Set([source]);
  for (const uid of reached) for (const next of neighbours.get(uid) ?? []) reached.add(next);
  return reached;
}

/** A graph may have links to issues that this daemon does not have. They are rare, and at most this many are listed. */
const MAX_UNRESOLVED = 5;

type IssueGraph = Output<typeof reachableIssueGraph>;

function nodeOf({
  uid,
  qualified_id,
  title,
  status,
  owner,
  priority,
}: IssueGraph["nodes"][number]) {
  return {
    uid,
    qualified_ref: qualified_id,
    title,
    status,
    ...(owner === undefined ? {} : { owner }),
    ...(priority === undefined ? {} : { priority }),
  };
}

function edgeOf({ from_uid, to_uid, kind }: IssueGraph["edges"][number]) {
  return { from_uid, to_uid, kind };
}

function unresolvedOf({ uid, side, kind, other_uid }: IssueGraph["unresolved_refs"][number]) {
  return { uid, side, kind, other_uid };
}
