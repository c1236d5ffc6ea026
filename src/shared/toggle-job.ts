import { isPlainObject, parseJson } from "../base/json.ts";
import { membersOf } from "../base/json-members.ts";
import type { showCronJob } from "../contract/cron-jobs.ts";
import { SvcError } from "../contract/errors.ts";
import type { Output } from "../contract/route.ts";
import { UnavailableError } from "./answer-errors.ts";
import type { Transport } from "./transport.ts";

export interface JobToggle {
  readonly project_id: number;
  readonly cron_uid: string;
  readonly enabled: boolean;
  /** The uid of the definition event that the caller has read; `undefined` accepts any. */
  readonly expected: string | undefined;
  readonly actor: string;
}

/**
 * Enables or disables a job without changing the rest of its definition; its numbers keep their spelling. Returns the
 * daemon's answer. If the job is already enabled or disabled as requested, the answer has no event.
 */
export async function toggleJob(
  daemon: Transport<"showCronJob" | "replaceCronJob">,
  { project_id, cron_uid, enabled, expected, actor }: JobToggle,
): Promise<string> {
  const params = { project_id, cron_uid };
  const shown = await daemon.text("showCronJob", { params });
  const job = jobIn(shown);
  const { definition_event_uid: current } = job;
  if (expected !== undefined && expected.toUpperCase() !== current)
    throw toggleConflict(
      shown,
      `the job ${job.name} was changed since`,
      "read it again, then decide",
    );
  if (job.deleted_at !== undefined)
    throw toggleConflict(shown, `the job ${job.name} was deleted`, "svc cron job restore");
  if (job.definition["enabled"] === enabled)
    return `{"job":${membersOf(shown).texts.get("job")},"events":[]}`;
  const definition = { ...job.definition, enabled };
  const body = { name: job.name, definition, expected_event_uid: current, actor };
  return await daemon.text("replaceCronJob", { params, body });
}

type ShownJob = Output<typeof showCronJob>["job"];

/** Parses the job of an answer; numbers of the definition keep their spelling. */
function jobIn(answer: string): ShownJob {
  const value = parseJson(answer);
  const job = isPlainObject(value) ? value["job"] : undefined;
  if (!isPlainObject(job) || !isPlainObject(job["definition"]))
    throw new UnavailableError("the daemon's answer has no job");
  // The other members are not checked: the contract guarantees them.
  return job as unknown as ShownJob;
}

/** Makes the same error as the daemon does when a job was changed in the meantime. It contains the current job. */
function toggleConflict(shown: string, message: string, hint: string): SvcError {
  const { job: current } = JSON.parse(shown) as { readonly job: unknown };
  return new SvcError("cron_conflict", { current }, { message, hint });
}
