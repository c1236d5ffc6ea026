import { isPlainObject } from "../base/json.ts";
import { call } from "../client/call.ts";
import type { Client } from "../client/client.ts";
import { SvcError } from "../contract/errors.ts";
import { patchIssueMetadata, showIssueByUID } from "../contract/issues.ts";
import { slotOf } from "../domain/inbox/slot.ts";

export interface Taking {
  /** The address that several workers read. */
  readonly shared: string;
  /** Where the request waits from then on, for one of them. */
  readonly own: string;
  readonly actor: string;
}

interface Request {
  readonly issue_uid: string;
  readonly revision: number;
}

/**
 * Moves a request from a shared address to one worker's own, in one write that names the revision it was read at: of
 * several workers one succeeds. It then waits there until it is cleared, so a worker that is killed finds it again.
 * Answers false when the request was taken, replaced or cleared
 * meanwhile, or when the worker has one of its own at that issue.
 */
export async function takeRequest(
  client: Client,
  { issue_uid, revision }: Request,
  { shared, own, actor }: Taking,
): Promise<boolean> {
  try {
    const { issue } = await call(client, showIssueByUID, { params: { uid: issue_uid } });
    const value = (issue.metadata as Readonly<Record<string, unknown>>)[slotOf(shared)];
    if (issue.revision !== revision || !isPlainObject(value as never)) return false;
    // Somebody asked this worker about the same issue meanwhile: that request comes first and is not replaced.
    if (slotOf(own) in issue.metadata) return false;
    // A member more than the daemon's own requests have: these it would take back from any address but the owner's.
    const taken = { ...(value as object), taken_from: shared };
    await call(client, patchIssueMetadata, {
      params: { project_id: issue.project_id, ref: issue_uid },
      headers: { "if-match": `"rev-${revision}"` },
      body: { patch: { [slotOf(shared)]: null, [slotOf(own)]: taken }, actor },
    });
    return true;
  } catch (error) {
    if (error instanceof SvcError && GONE.has(error.code)) return false;
    throw error;
  }
}

const GONE: ReadonlySet<string> = new Set([
  "revision_conflict",
  "issue_not_found",
  "project_not_found",
]);
