import { SvcError } from "../../contract/errors.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";

/**
 * Throws if a native job creates children of the issue: such a parent stays in the job's project, even if the job is
 * disabled or deleted (docs/contract/cron-and-inbox.md#86-changes-and-pauses).
 */
export async function requireNoNativeJob(tx: Tx, issue: StoredIssue): Promise<void> {
  const [job] = await tx.cron.nativeJobsOf(issue.uid);
  if (job === undefined) return;
  throw new SvcError(
    "cron_conflict",
    { job_uid: job.uid },
    {
      message: `the issue is the parent of the recurring job ${job.name} (${job.uid}), which stays in its project`,
      hint: "leave it here; merging the projects moves both",
    },
  );
}
