import { issueDeleted, issueImported } from "../../domain/drafts/issues.ts";
import { isOf } from "../../domain/imports/fields.ts";
import { differences, type FieldConflict } from "../../domain/imports/merge.ts";
import type { ImportContext } from "./fields.ts";
import { type KnownIssue, readKnown } from "./known.ts";
import { leaseRefusal } from "./leased.ts";
import { DELETED, type MergeDecisions, makeDecider } from "./plan-merge.ts";

export interface RemovedItem {
  readonly external_id: string;
  readonly issue: KnownIssue["issue"];
  readonly status: "deleted" | "unchanged";
  readonly reason?: string;
  readonly conflicts: readonly FieldConflict[];
}

/** How many issues are handled at a time, to limit the use of memory. */
const SLICE_ISSUES = 500;

/**
 * Deletes issues that their source no longer has. `svc restore` can bring them back. An issue that was changed in svc
 * after its last import is a conflict, and is not deleted without a decision.
 */
export async function removeIssues(
  context: ImportContext,
  deciding: MergeDecisions,
  gone: ReadonlyMap<string, string>,
): Promise<readonly RemovedItem[]> {
  const removed: RemovedItem[] = [];
  const all = [...gone];
  for (let at = 0; at < all.length; at += SLICE_ISSUES) {
    const slice = all.slice(at, at + SLICE_ISSUES);
    const known = await readKnown(
      context.tx,
      context.source,
      slice.map(([, uid]) => uid),
    );
    for (const [external_id, uid] of slice) {
      const one = known.get(uid);
      if (one !== undefined && one.issue.deleted_at === null)
        removed.push(await removeIssue(context, deciding, external_id, one));
    }
  }
  return removed;
}

async function removeIssue(
  context: ImportContext,
  deciding: MergeDecisions,
  external_id: string,
  known: KnownIssue,
): Promise<RemovedItem> {
  const { tx, actor, source, batch_uid } = context;
  const { issue, imported } = known;
  const kept = { external_id, issue, status: "unchanged" as const };
  if (imported.base.get(DELETED) === true) return { ...kept, conflicts: [] };
  const isChanged = [...differences(imported.base, known.local).keys()].some(
    (field) => !isOf("links", field),
  );
  const decided = isChanged ? makeDecider(deciding, known, { external_id })(DELETED) : "upstream";
  const conflicts = isChanged
    ? [{ field: DELETED, base: false, local: false, upstream: true, decided }]
    : [];
  if (decided === undefined) return { ...kept, conflicts };
  if (decided === "local") {
    // Record that the source deleted the issue, so that the next import does not report this conflict again.
    const act = { actor, now: imported.updated_at, import: batch_uid };
    const read = { fields: { [DELETED]: true } };
    await tx.append(issueImported(issue, { source, external_id }, read, act));
    return { ...kept, conflicts };
  }
  const reason = await leaseRefusal(context, issue);
  if (reason !== undefined) return { ...kept, reason, conflicts: [] };
  const act = { actor, now: tx.now, import: batch_uid };
  await tx.append(issueDeleted(issue, { reason: `deleted in ${source}`, deleted_at: tx.now }, act));
  return { external_id, issue, status: "deleted", conflicts };
}
