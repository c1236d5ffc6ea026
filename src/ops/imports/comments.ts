import { sha256Hex } from "../../base/hash.ts";
import type { EventDraft } from "../../contract/events.ts";
import { issueCommented } from "../../domain/drafts/issues.ts";
import { commentKey } from "../../domain/imports/base.ts";
import type { ImportItem } from "./batch.ts";
import { instant, type Where } from "./fields.ts";

export type ImportComment = NonNullable<ImportItem["comments"]>[number];

export async function importComments(
  where: Where,
  issueUid: string,
  item: ImportItem,
): Promise<number> {
  const issue = { uid: issueUid, project_uid: where.project.uid };
  const added = new Set<string>();
  for (const comment of item.comments ?? []) {
    if (added.has(comment.external_id)) continue;
    await where.tx.append(commented(where, issue, comment));
    added.add(comment.external_id);
  }
  return added.size;
}

/** Returns the event that adds a comment of the source. The comment keeps its author and time from the source. */
export function commented(
  { ids, actor, source, batch_uid }: Where,
  issue: { readonly uid: string; readonly project_uid: string },
  { external_id, author, body, created_at }: ImportComment,
): EventDraft<"issue.commented"> {
  const mark = { key: commentKey(source, external_id), fingerprint: sha256Hex(body) };
  const act = { actor, now: instant(created_at), import: batch_uid };
  return issueCommented(issue, { uid: ids.ulid(), author, body, mark }, act);
}
