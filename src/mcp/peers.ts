import { showIssue } from "../contract/issues.ts";
import type { NamedProject } from "../shared/project-choice.ts";
import type { ToolContext } from "./tool.ts";

/** The other issue of a link, by its uid, and its project. */
export interface Peer {
  readonly uid: string;
  readonly project: NamedProject;
}

/** Finds the issue that a ref names. Fails if the server does not reach its project (facts mcp 6). */
export async function peerOf(ref: string, { scope, call }: ToolContext): Promise<Peer> {
  const { project, params } = await scope.issue(ref);
  const { issue } = await call(showIssue, { params, query: { max_bytes: 1 } });
  return { uid: issue.uid, project };
}

export async function peersOf(
  refs: readonly string[] = [],
  context: ToolContext,
): Promise<readonly Peer[]> {
  const peers: Peer[] = [];
  for (const ref of refs) peers.push(await peerOf(ref, context));
  return peers;
}
