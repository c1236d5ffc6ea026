import { SvcError } from "../contract/errors.ts";
import { showIssue } from "../contract/issues.ts";
import type { NamedProject } from "../shared/project-choice.ts";
import type { ToolContext } from "./tool.ts";

/** The other issue of a link, by its uid, and its project. */
export interface Peer {
  readonly uid: string;
  readonly project: NamedProject;
}

/**
 * Finds the issue that a ref in this argument names. If its project is out of reach, fails with an error that names the
 * argument (docs/contract/tools.md#6-scope).
 */
export async function peerOf(
  argument: string,
  ref: string,
  { scope, call }: ToolContext,
): Promise<Peer> {
  const { project, params } = await scope.issue(ref, argument);
  try {
    const { issue } = await call(showIssue, { params, query: { max_bytes: 1 } });
    return { uid: issue.uid, project };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const message = `${argument}: ${error.message}`;
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    throw new SvcError(error.code, error.data, { message, ...hint, cause: error });
  }
}

export async function peersOf(
  argument: string,
  refs: readonly string[] = [],
  context: ToolContext,
): Promise<readonly Peer[]> {
  const peers: Peer[] = [];
  for (const ref of refs) peers.push(await peerOf(argument, ref, context));
  return peers;
}
