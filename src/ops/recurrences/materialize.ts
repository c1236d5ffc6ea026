import { invariant } from "../../base/invariant.ts";
import { qualifiedId } from "../../domain/refs.ts";
import { undoMarkOf } from "../../domain/undo/plan.ts";
import type { StoredIssue, StoredRecurrence, Tx } from "../../store/types.ts";
import type { Deps } from "../deps.ts";
import { freeShortId } from "../issues/short-id.ts";
import { occurrences } from "./occurrences.ts";

/** An issue that was closed as done, and who closed it. */
interface Closed {
  readonly issue: StoredIssue;
  readonly actor: string;
}

/**
 * Makes the next issue of the series, in the transaction that closes the one before it (facts cron-and-inbox 12.3).
 * A day has one issue, however often the one before it is closed. Answers the issue that was made.
 */
export async function materializeNext(tx: Tx, { ids }: Pick<Deps, "ids">, closed: Closed) {
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
  { issue: { project_uid }, actor }: Closed,
  { key, uid }: { readonly key: string; readonly uid: string },
) {
  const {
    template_labels: labels,
    template_owner: owner,
    template_priority: priority,
  } = recurrence;
  await tx.append({
    type: "issue.created",
    actor,
    project_uid,
    issue_uid: uid,
    payload: {
      uid,
      short_id: await freeShortId(tx, project_uid, uid),
      title: recurrence.template_title,
      body: recurrence.template_body,
      author: actor,
      ...(owner === null ? {} : { owner }),
      ...(priority === null ? {} : { priority }),
      status: "open",
      metadata: {
        ...recurrence.template_metadata,
        scheduled_on: key,
        timezone: recurrence.timezone,
      },
      ...(labels.length === 0 ? {} : { labels: [...labels] }),
      created_at: tx.now,
      recurrence_uid: recurrence.uid,
      occurrence_key: key,
    },
  });
  return await materialized(tx, recurrence, { project_uid, actor }, { key, uid });
}

/** An undo took the issue of that day back with the close before it; it was deleted by nobody's own wish. */
async function wasTakenBack(tx: Tx, { uid, deleted_at }: StoredIssue): Promise<boolean> {
  if (deleted_at === null) return false;
  const [deletion] = await tx.events.latestOf([uid], "issue.soft_deleted");
  return deletion !== undefined && undoMarkOf(deletion) !== undefined;
}

/** Each day of a series has one issue: the one that an undo deleted is restored, and reopened if it was closed. */
async function bringBack(
  tx: Tx,
  recurrence: StoredRecurrence,
  { issue: { project_uid }, actor }: Closed,
  { key, existing }: { readonly key: string; readonly existing: StoredIssue },
) {
  const { uid, status } = existing;
  const about = { actor, project_uid, issue_uid: uid };
  const restored = { restored_at: tx.now, updated_at: tx.now };
  await tx.append({ type: "issue.restored", ...about, payload: restored });
  if (status === "closed") {
    const reopened = { reopened_at: tx.now, updated_at: tx.now };
    await tx.append({ type: "issue.reopened", ...about, payload: reopened });
  }
  return await materialized(tx, recurrence, { project_uid, actor }, { key, uid });
}

/** The series goes on to the day after the issue, which is its current one. */
async function materialized(
  tx: Tx,
  recurrence: StoredRecurrence,
  where: { readonly project_uid: string; readonly actor: string },
  { key, uid }: { readonly key: string; readonly uid: string },
) {
  await tx.append({
    type: "recurrence.materialized",
    ...where,
    related_issue_uid: uid,
    payload: {
      recurrence_uid: recurrence.uid,
      occurrence_key: key,
      issue_uid: uid,
      next_occurrence_key: occurrences().keyAfter(recurrence, key) ?? null,
      updated_at: tx.now,
    },
  });
  const made = await tx.issues.find(uid);
  invariant(made !== undefined, "an issue is there once its creation is in the log");
  const { short_id, title, project_name } = made;
  return {
    uid,
    short_id,
    qualified_id: qualifiedId(project_name, short_id),
    title,
    occurrence_key: key,
  };
}

/** The day has its issue, if only a deleted one. Where the series waits at that day it goes on. */
async function skipDay(
  tx: Tx,
  recurrence: StoredRecurrence,
  { issue: { project_uid }, actor }: Closed,
  { key, existing }: { readonly key: string; readonly existing: StoredIssue },
): Promise<void> {
  const { next_occurrence_key: cursor } = recurrence;
  const passes = cursor !== null && cursor <= key;
  await tx.append({
    type: "recurrence.materialization_skipped",
    actor,
    project_uid,
    related_issue_uid: existing.uid,
    payload: {
      recurrence_uid: recurrence.uid,
      occurrence_key: key,
      existing_issue_uid: existing.uid,
      reason: "already_exists",
      ...(passes ? { next_occurrence_key: occurrences().keyAfter(recurrence, key) ?? null } : {}),
      updated_at: tx.now,
    },
  });
}

async function endSeries(
  tx: Tx,
  { uid, next_occurrence_key: from, revision }: StoredRecurrence,
  { issue: { project_uid }, actor }: Closed,
): Promise<void> {
  if (from === null) return;
  await tx.append({
    type: "recurrence.updated",
    actor,
    project_uid,
    payload: {
      recurrence_uid: uid,
      diff: { next_occurrence_key: { from } },
      revision_new: revision + 1,
      updated_at: tx.now,
    },
  });
}
