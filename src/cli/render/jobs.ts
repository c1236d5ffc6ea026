import type { listCronJobs } from "../../contract/cron-jobs.ts";
import type { Output } from "../../contract/route.ts";
import { nativeParentOf } from "../../domain/cron/native.ts";
import { stoppedText } from "../../domain/cron/stopped-text.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { aligned } from "./table.ts";
import { cut } from "./width.ts";

type Jobs = Pick<Output<typeof listCronJobs>, "jobs">;
type Job = Jobs["jobs"][number];

const HEADINGS = ["name", "next", "last", "held", "why"];
const NAME_CELLS = 40;

export const jobsView: View<Jobs> = {
  human: ({ jobs }, { paint, quiet }) => {
    if (quiet) return jobs.map(({ uid }) => uid).join("\n");
    if (jobs.length === 0) return "No jobs.";
    const twice = namesTwice(jobs);
    const lines = jobs.map((job) => [
      nameOf(job, twice.has(job.name)),
      oneLine(job.next_at ?? "-"),
      oneLine(job.last_at ?? "-"),
      oneLine(heldBy(job) ?? "-"),
      whyOf(job) ?? "",
    ]);
    const [head = "", ...rows] = aligned([HEADINGS, ...lines], () => false);
    return [paint("faint", head.trimEnd()), ...rows.map((line) => line.trimEnd())].join("\n");
  },
  agent: ({ jobs }, quiet) => {
    const rows = jobs.map((job) => {
      const { uid, name, next_at: next, last_at: last } = job;
      return row({ job: uid, name, next, last, held: heldBy(job), why: whyOf(job) });
    });
    return agentOutput(header("jobs", { count: jobs.length }), rows, quiet);
  },
};

function namesTwice(jobs: Jobs["jobs"]): ReadonlySet<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { name } of jobs) (seen.has(name) ? twice : seen).add(name);
  return twice;
}

function nameOf({ name, uid }: Job, isTwice: boolean): string {
  const short = cut(oneLine(name), NAME_CELLS);
  return isTwice ? `${short} (${uid})` : short;
}

/**
 * Why a job does not run; `undefined` if it runs. For a recurring job that the daemon delivers, the daemon sends the
 * reason as `held`. For a job of an adapter, the fields `deleted_at` and `enabled` show it.
 */
function heldBy({ held, deleted_at, definition }: Job): string | undefined {
  if (held !== undefined || nativeParentOf(definition) !== null) return held;
  if (deleted_at !== undefined) return "job_deleted";
  return definition["enabled"] === true ? undefined : "disabled";
}

function whyOf(job: Job): string | undefined {
  const stopped = heldBy(job);
  if (stopped !== undefined) return stoppedText(stopped);
  const isOurs = nativeParentOf(job.definition) !== null;
  if (job.next_at !== undefined) return isOurs ? undefined : "an adapter runs it";
  return isOurs ? "no time to come" : "no time to come; an adapter runs it";
}
