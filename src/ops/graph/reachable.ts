import { SvcError } from "../../contract/errors.ts";
import type { reachableIssueGraph as contract } from "../../contract/graph.ts";
import type { ReadOp } from "../deps.ts";
import { requireIssue } from "../find.ts";
import { isHidden, issueCore } from "../out/issues.ts";
import { edgesOf, unresolvedOf, walk } from "./walk.ts";

/**
 * Finds the issues that are connected to one issue by links in either direction, across projects
 * (docs/contract/http-api.md#610-graph-and-critical-path).
 */
export const reachableIssueGraph: ReadOp<typeof contract, "store" | "smallWorkOnly"> = async (
  deps,
  _who,
  { params, query },
) => {
  const depth = depthOf(query.depth);
  const hide_done = query.hide_done === true;
  return await deps.store.read(async (reader) => {
    const { issue: source } = await requireIssue(reader, params);
    const walked = await walk(reader, [source], {
      depth,
      smallWorkOnly: deps.smallWorkOnly === true,
      shows: (issue) => !isHidden(issue) && !(hide_done && issue.status === "closed"),
    });
    return {
      source_uid: source.uid,
      depth: depth === Number.POSITIVE_INFINITY ? "full" : depth,
      hide_done,
      nodes: [...walked.nodes.values()].map(issueCore),
      edges: edgesOf(walked),
      unresolved_refs: unresolvedOf(walked),
    };
  });
};

function depthOf(text: string | undefined): number {
  if (text === undefined || text === "full") return Number.POSITIVE_INFINITY;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const message = "depth must be full or a non-negative integer";
  throw new SvcError("validation", { field: "depth" }, { message });
}
