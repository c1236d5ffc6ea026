import { isPlainObject, type JsonObject, parseJson } from "../base/json.ts";
import { membersOf } from "../base/json-members.ts";
import { SvcError } from "../contract/errors.ts";
import { UnavailableError } from "./answer-errors.ts";
import type { Transport } from "./transport.ts";

export interface JobToggle {
  readonly project_id: number;
  readonly cron_uid: string;
  readonly enabled: boolean;
  /** The definition event that the caller saw; nothing: whatever is there. */
  readonly expected: string | undefined;
  readonly actor: string;
}

/**
 * Turns a job on or off and leaves the rest of its definition as it stands, each number as it was written; gives the
 * daemon's answer as it came. A job that is so already is left alone: then no event is in the answer.
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
    throw conflict(shown, `the job ${job.name} was changed since`, "read it again, then decide");
  if (job.deleted_at !== undefined)
    throw conflict(shown, `the job ${job.name} was deleted`, "svc cron job restore");
  if (job.definition["enabled"] === enabled)
    return `{"job":${membersOf(shown).texts.get("job")},"events":[]}`;
  const definition = { ...job.definition, enabled };
  const body = { name: job.name, definition, expected_event_uid: current, actor };
  return await daemon.text("replaceCronJob", { params, body });
}

interface ShownJob {
  readonly name: string;
  readonly definition: JsonObject;
  readonly definition_event_uid: string;
  readonly deleted_at?: string;
}

/** The record of an answer, the numbers of its definition as they were written. */
function jobIn(answer: string): ShownJob {
  const value = parseJson(answer);
  const job = isPlainObject(value) ? value["job"] : undefined;
  if (!isPlainObject(job) || !isPlainObject(job["definition"]))
    throw new UnavailableError("the daemon's answer has no job");
  // The daemon answers by the contract.
  return job as unknown as ShownJob;
}

/** As the daemon refuses it: with what is there. */
function conflict(shown: string, message: string, hint: string): SvcError {
  const { job: current } = JSON.parse(shown) as { readonly job: unknown };
  return new SvcError("cron_conflict", { current }, { message, hint });
}
