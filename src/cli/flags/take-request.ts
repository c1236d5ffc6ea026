import { call } from "../../client/call.ts";
import type { Client } from "../../client/client.ts";
import { SvcError } from "../../contract/errors.ts";
import type { listInbox } from "../../contract/inbox.ts";
import { patchIssueMetadata, showIssueByUID } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
import { takePatch } from "../../shared/requests.ts";
import { ifMatch } from "../../shared/revision.ts";

export interface RequestMove {
  readonly shared: string;
  /** The agent's own address, to which the request is moved. */
  readonly own: string;
  readonly actor: string;
}

type Request = Pick<Output<typeof listInbox>["requests"][number], "issue_uid" | "revision">;

/**
 * Moves an attention request from a shared address to an agent's own address. The write is guarded by the revision of
 * the issue, so only one of several agents succeeds. The request stays at the agent's address until it is cleared, so
 * that the agent finds it again after a restart. Returns false if the request has changed, if its issue or project is
 * gone, or if the agent already has a request on the same issue.
 */
export async function takeRequest(
  client: Client,
  { issue_uid, revision }: Request,
  taking: RequestMove,
): Promise<boolean> {
  try {
    const { issue } = await call(client, showIssueByUID, { params: { uid: issue_uid } });
    const patch = takePatch(issue.metadata, taking);
    if (issue.revision !== revision || patch === undefined) return false;
    await call(client, patchIssueMetadata, {
      params: { project_id: issue.project_id, ref: issue_uid },
      headers: ifMatch(revision),
      body: { patch, actor: taking.actor },
    });
    return true;
  } catch (error) {
    if (error instanceof SvcError && GONE_CODES.has(error.code)) return false;
    throw error;
  }
}

const GONE_CODES: ReadonlySet<string> = new Set([
  "revision_conflict",
  "issue_not_found",
  "project_not_found",
]);
