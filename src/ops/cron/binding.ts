import { instantToMs } from "../../base/clock.ts";
import { invalidField } from "../../contract/errors.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { firstProgress, progressJson, progressKey } from "../../domain/cron/progress.ts";
import { decideMetadata } from "../../domain/issues.ts";
import type { CronJobRow } from "../../domain/state.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";

/** The parent of the child issues that a native job creates. */
export interface Binding {
  readonly parent_uid: string;
  /** The stored parent. Set only if the current write gives the job its first parent. */
  readonly parent?: StoredIssue;
}

/**
 * Throws if the change would give the job another parent. A job stays bound to its first parent, even if the job was
 * deleted since then (docs/contract/cron-and-inbox.md#28-native-jobs).
 */
export function checkBinding(
  known: Partial<Pick<CronJobRow, "parent_uid">>,
  binding: Binding | undefined,
): void {
  const bound = known.parent_uid ?? null;
  if (bound === null || bound === binding?.parent_uid) return;
  const field = "definition.issue.parent_uid";
  const reason =
    binding === undefined
      ? "a recurring job cannot become another kind of job"
      : `the job is bound to its parent ${bound}`;
  throw invalidField(field, reason, "create another job, and delete or disable this one");
}

/**
 * Stores the first checkpoint of a job in the metadata of its parent; a checkpoint records the job's progress. This
 * happens in the transaction that makes the job native (docs/contract/cron-and-inbox.md#83-the-first-binding). An
 * existing checkpoint is not changed.
 */
export async function firstBinding(
  tx: Tx,
  {
    uid,
    binding,
    actor,
  }: { readonly uid: string; readonly binding: Binding; readonly actor: string },
): Promise<StoredEvent | undefined> {
  const key = progressKey(uid);
  const { parent } = binding;
  // `parent` is absent if the job had this parent before this write. If the checkpoint of such a job was lost, the
  // write does not create another one (docs/contract/cron-and-inbox.md#82-progress-and-origin).
  if (parent === undefined) return undefined;
  if (Object.hasOwn(parent.metadata, key)) return undefined;
  const progress = progressJson(firstProgress(instantToMs(tx.now)));
  const event = decideMetadata(parent, { [key]: progress }, { actor, now: tx.now });
  return event === "unchanged" ? undefined : await tx.append(event);
}
