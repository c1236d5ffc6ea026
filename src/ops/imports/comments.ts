import { sha256Hex } from "../../base/hash.ts";
import { issueCommented } from "../../domain/drafts/issues.ts";
import { commentKey, type ImportItem } from "./batch.ts";
import { instant, type Where } from "./fields.ts";

export async function importComments(
  { tx, ids, project, actor, source, batch }: Where,
  issueUid: string,
  item: ImportItem,
): Promise<number> {
  const issue = { uid: issueUid, project_uid: project.uid };
  const added = new Set<string>();
  for (const comment of item.comments ?? []) {
    const key = commentKey(source, comment);
    if (added.has(key) || batch.hasComment(issueUid, key)) continue;
    const { author, body, created_at } = comment;
    const mark = { key, fingerprint: sha256Hex(body) };
    const act = { actor, now: instant(created_at) };
    await tx.append(issueCommented(issue, { uid: ids.ulid(), author, body, mark }, act));
    added.add(key);
  }
  return added.size;
}
