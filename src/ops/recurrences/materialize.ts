import { invariant } from "../../base/invariant.ts";
import { issueCreated, issueReopened, issueRestored } from "../../domain/drafts/issues.ts";
import {
  materializationSkipped,
  recurrenceMaterialized,
  recurrenceUpdated,
} from "../../domain/drafts/recurrences.ts";
import { qualifiedId } from "../../domain/refs.ts";
import { undoMarkOf } from "../../domain/undo/plan.ts";
import type { StoredIssue, StoredRecurrence } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import type { Deps } from "../deps.ts";
import { freeShortId } from "../short-id.ts";
import { occurrences } from "./occurrences.ts";

interface ClosedIssue {
  readonly issue: StoredIssue;
  readonly actor: string;
}

/**
 * Creates or restores the next issue of a series in the transaction that closes the current one
 * (docs/contract/cron-and-inbox.md#123-the-next-issue). Returns the next issue; `undefined` if none was created or
 * restored. A day gets only one issue, even if the current issue is closed several times.
 */
export async function materializeNext(tx: Tx, { ids }: Pick<Deps, "ids">, closed: ClosedIssue) {
  const { recurrence_uid, occurrence_key } = closed.issue;
  if (recurrence_uid === null || occurrence_key === null) return undefined;
  const recurrence = await tx.recurrences.find(recurrence_uid);
  if (recurrence === undefined || recurrence.deleted_at !== null) return undefined;
  const key = occurrences().keyAfter(recurrence, occurrence_key);
  if (key === undefined) {
    await endSeries(tx, recurrence, closed);
    return undefined;
  }
  const existing = await tx.recurrences.occurrence(recurrence_uid, key);
  if (existing !== undefined && (await wasTakenBack(tx, existing)))
    return await bringBack(tx, recurrence, closed, { key, existing });
  if (existing !== undefined) {
    await skipDay(tx, recurrence, closed, { key, existing });
    return undefined;
  }
  return await makeIssue(tx, recurrence, closed, { key, uid: ids.ulid() });
}

async function makeIssue(
  tx: Tx,
  recurrence: StoredRecurrence,
  { issue: { project_uid }, actor }: ClosedIssue,
  { key, uid }: { readonly key: string; readonly uid: string },
) {
  const { template_title: title, template_body: body, timezone, ...template } = recurrence;
  const { template_owner: owner, template_priority: priority, template_labels: labels } = template;
  const issue = {
    uid,
    project_uid,
    title,
    body,
    author: actor,
    owner,
    priority,
    labels,
    short_id: await freeShortId(tx, project_uid, uid),
    metadata: { ...template.template_metadata, scheduled_on: key, timezone },
    recurrence_uid: recurrence.uid,
    occurrence_key: key,
  };
  await tx.append(issueCreated(issue, { actor, now: tx.now }));
  return await appendMaterialized(tx, recurrence, { project_uid, actor }, { key, uid });
}

/** True if the issue was deleted by an undo of the close that had created it, so nobody meant to delete the issue. */
async function wasTakenBack(tx: Tx, { uid, deleted_at }: StoredIssue): Promise<boolean> {
  if (deleted_at === null) return false;
  const [deletion] = await tx.events.latestOf([uid], "issue.soft_deleted");
  return deletion !== undefined && undoMarkOf(deletion) !== undefined;
}

/**
 * Restores an issue that an undo deleted, and reopens it if it was closed. No other issue is created for its day,
 * because each day has only one.
 */
async function bringBack(
  tx: Tx,
  recurrence: StoredRecurrence,
  { issue: { project_uid }, actor }: ClosedIssue,
  { key, existing }: { readonly key: string; readonly existing: StoredIssue },
) {
  const { uid, status } = existing;
  const act = { actor, now: tx.now };
  await tx.append(issueRestored({ uid, project_uid }, act));
  if (status === "closed") await tx.append(issueReopened({ uid, project_uid }, act));
  return await appendMaterialized(tx, recurrence, { project_uid, actor }, { key, uid });
}

/** Makes the issue the current one of the series, and moves the series to its next day. */
async function appendMaterialized(
  tx: Tx,
  recurrence: StoredRecurrence,
  { project_uid, actor }: { readonly project_uid: string; readonly actor: string },
  { key, uid }: { readonly key: string; readonly uid: string },
) {
  const next = occurrences().keyAfter(recurrence, key);
  const occurrence = { recurrence_uid: recurrence.uid, project_uid, key, issue_uid: uid, next };
  await tx.append(recurrenceMaterialized(occurrence, { actor, now: tx.now }));
  const issue = await tx.issues.find(uid);
  invariant(issue !== undefined, "an issue is there once its creation is in the log");
  const { short_id, title, project_name } = issue;
  return {
    uid,
    short_id,
    qualified_id: qualifiedId(project_name, short_id),
    title,
    occurrence_key: key,
  };
}

/** Moves the series past a day that already has an issue, live or deleted. */
async function skipDay(
  tx: Tx,
  recurrence: StoredRecurrence,
  { issue: { project_uid }, actor }: ClosedIssue,
  { key, existing }: { readonly key: string; readonly existing: StoredIssue },
): Promise<void> {
  const { next_occurrence_key: cursor } = recurrence;
  const passes = cursor !== null && cursor <= key;
  const next = passes ? (occurrences().keyAfter(recurrence, key) ?? null) : undefined;
  const { uid: issue_uid } = existing;
  const skipped = { recurrence_uid: recurrence.uid, project_uid, key, issue_uid, next };
  await tx.append(materializationSkipped(skipped, { actor, now: tx.now }));
}

async function endSeries(
  tx: Tx,
  recurrence: StoredRecurrence,
  { issue: { project_uid }, actor }: ClosedIssue,
): Promise<void> {
  const { next_occurrence_key: from } = recurrence;
  if (from === null) return;
  const diff = { next_occurrence_key: { from } };
  await tx.append(recurrenceUpdated({ ...recurrence, project_uid }, diff, { actor, now: tx.now }));
}
