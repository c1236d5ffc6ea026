import { sha256Hex } from "../../base/hash.ts";
import { commentKey, type ImportItem } from "./batch.ts";
import { instant, type Where } from "./fields.ts";

/** Adds the comments that are not there yet and says how many. */
export async function importComments(
  { tx, ids, project, actor, source, batch }: Where,
  issueUid: string,
  item: ImportItem,
): Promise<number> {
  const added = new Set<string>();
  for (const comment of item.comments ?? []) {
    const key = commentKey(source, comment);
    if (added.has(key) || batch.hasComment(issueUid, key)) continue;
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
    added.add(key);
  }
  return added.size;
}
