import { instantToMs } from "../../base/clock.ts";
import { SvcError } from "../../contract/errors.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { firstProgress, progressJson, progressKey } from "../../domain/cron/progress.ts";
import { decideMetadata } from "../../domain/issues.ts";
import type { CronJobRow } from "../../domain/state.ts";
import type { StoredIssue, Tx } from "../../store/types.ts";

/** The issue that a native recurring job makes children of. */
export interface Binding {
  readonly parent_uid: string;
  /** Absent where the job was bound before: its parent may be gone by now. */
  readonly parent?: StoredIssue;
}

/** Once a job is bound to a parent it stays bound to it, deleted or not (facts cron-and-inbox 2.8). */
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
  throw new SvcError(
    "validation",
    { field },
    { message: `${field}: ${reason}`, hint: "create another job, and delete or disable this one" },
  );
}

/**
 * Writes the checkpoint from which occurrences count, in the transaction that makes the job native (facts
 * cron-and-inbox 8.3). A later write finds it there, whatever it says.
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
  // A checkpoint that was lost is not begun anew by a change of the definition (doc 2, rule 9).
  if (parent === undefined) return undefined;
  if (Object.hasOwn(parent.metadata, key)) return undefined;
  const progress = progressJson(firstProgress(instantToMs(tx.now)));
  const event = decideMetadata(parent, { [key]: progress }, { actor, now: tx.now });
  return event === "unchanged" ? undefined : await tx.append(event);
}
