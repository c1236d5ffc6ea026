import { SNAPSHOT_GRAPH_ISSUES } from "../../contract/limits.ts";
import type { Reader } from "../../store/types/store.ts";
import { edgesOf, unresolvedOf, type WalkResult, walk } from "../graph/walk.ts";
import { isHidden } from "../out/issues.ts";
import { uiIssuesOut, uiLinkOut } from "./out.ts";

/**
 * The graph that a browser page shows. With a selected issue, it has everything that is connected to this issue.
 * Otherwise it has the issues that the page lists and the issues at the other ends of their links. The graph of an
 * issue that does not exist is empty.
 */
export async function graphOut(
  reader: Reader,
  uids: readonly string[],
  depth: number,
  smallWorkOnly: boolean | undefined,
) {
  const issues = await reader.issues.many(uids);
  const sources = uids.flatMap((uid) => issues.get(uid) ?? []).filter((issue) => !isHidden(issue));
  const walked = await walk(reader, sources, {
    depth,
    most: SNAPSHOT_GRAPH_ISSUES,
    smallWorkOnly: smallWorkOnly === true,
    shows: (issue) => !isHidden(issue),
  });
  return {
    issues: await uiIssuesOut(reader, [...walked.nodes.values()]),
    links: linksBetween(walked),
    edges: edgesOf(walked),
    unresolved_refs: unresolvedOf(walked),
    ...(walked.cut ? { truncated: true } : {}),
  };
}

function linksBetween({ links, nodes }: WalkResult) {
  return links.flatMap((link) => {
    const [from, to] = [nodes.get(link.from_uid), nodes.get(link.to_uid)];
    return from === undefined || to === undefined ? [] : [uiLinkOut(link, from, to)];
  });
}
