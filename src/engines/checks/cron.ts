import { isStoppedForGood, nativeState, type StoppedBy } from "../../domain/cron/stopped.ts";
import { stoppedRemedy } from "../../domain/cron/stopped-text.ts";
import type { Finding } from "../../domain/finding.ts";
import type { Reader } from "../../store/types/store.ts";
import type { EngineChecks } from "./engine-checks.ts";

export const cronChecks: EngineChecks = {
  engine: "cron",
  ofDatabase: [{ id: "storage.jobs", look: deadJobs }],
};

/** Warns of recurring jobs that will not run again unless somebody updates or deletes them. */
async function deadJobs(reader: Reader): Promise<Finding> {
  const dead: string[] = [];
  const reasons = new Set<StoppedBy>();
  const rows = await reader.cron.nativeJobs();
  for (const row of rows) {
    const project = await reader.projects.find(row.project_uid);
    const parent = row.parent_uid === null ? undefined : await reader.issues.find(row.parent_uid);
    const { stopped } = nativeState({ row, project, parent });
    if (stopped === undefined || !isStoppedForGood(stopped)) continue;
    dead.push(`${row.name} (${row.uid}): ${stopped}`);
    reasons.add(stopped);
  }
  if (dead.length === 0)
    return {
      status: "ok",
      summary: `${jobsText(rows.length)}, none stopped for good`,
    };
  return {
    status: "warning",
    summary: `${jobsText(dead.length)} cannot run as ${dead.length === 1 ? "it is" : "they are"}: ${dead[0]}`,
    details: { jobs: dead },
    fix: [...reasons].map((reason) => `${reason}: ${stoppedRemedy(reason)}`).join("; "),
  };
}

function jobsText(amount: number): string {
  return `${amount} recurring job${amount === 1 ? "" : "s"}`;
}
