import type { listRunningCronRuns as contract } from "../../../contract/cron-runs.ts";
import { MAX_RUNS } from "../../../contract/limits.ts";
import { qualifiedId } from "../../../domain/refs.ts";
import type { ReadOp } from "../../deps.ts";
import { requireProject } from "../../find.ts";
import { runOut } from "./out.ts";

/**
 * Lists the runs whose last observed status is `running`. A run that nobody observes any more stays in the list,
 * because svc changes no status by itself.
 */
export const listRunningCronRuns: ReadOp<typeof contract, "store" | "clock"> = async (
  { store, clock },
  _who,
  { params, query },
) => {
  const limit = query.limit ?? MAX_RUNS;
  return await store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    const rows = await reader.runs.running(project.uid, limit + 1);
    const shown = rows.slice(0, limit);
    const issues = await reader.issues.many(shown.flatMap(({ issue_uid }) => issue_uid ?? []));
    const runs = [];
    for (const run of shown) {
      const issue = issues.get(run.issue_uid ?? "");
      const job = run.job_uid === null ? undefined : await reader.cron.job(run.job_uid);
      runs.push({
        ...runOut(run, project),
        ...(job === undefined ? {} : { job_name: job.name }),
        ...(issue === undefined ? {} : { issue: qualifiedId(issue.project_name, issue.short_id) }),
      });
    }
    return { now: clock.now(), runs, truncated: rows.length > limit };
  });
};
