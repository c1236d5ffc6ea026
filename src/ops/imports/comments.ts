import { sha256Hex } from "../../base/hash.ts";
import { type ImportItem, instant, type Where } from "./fields.ts";

/**
 * Adds the comments that are not there yet and says how many. An imported comment is known by the idempotency key
 * that it carries: no caller's key can be taken for it, since a header holds no control characters.
 */
export async function importComments(
  { tx, ids, project, actor, source }: Where,
  issueUid: string,
  item: ImportItem,
): Promise<number> {
  let added = 0;
  for (const comment of item.comments ?? []) {
    const key = `${source}\u0001${comment.external_id}`;
    if ((await tx.findIdempotency(issueUid, "comment", key)) !== undefined) continue;
    await tx.append({
      type: "issue.commented",
      actor,
      project_uid: project.uid,
      issue_uid: issueUid,
      payload: {
        comment_uid: ids.ulid(),
        author: comment.author,
        body: comment.body,
        created_at: instant(comment.created_at),
        idempotency_key: key,
        idempotency_fingerprint: sha256Hex(comment.body),
      },
    });
    added += 1;
  }
  return added;
}
