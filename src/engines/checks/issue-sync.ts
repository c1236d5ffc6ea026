import type { Finding } from "../../domain/finding.ts";
import type { BindingRow } from "../../domain/issue-sync/run.ts";
import type { Reader } from "../../store/types/store.ts";
import type { EngineChecks } from "./engine-checks.ts";

export const issueSyncChecks: EngineChecks = {
  engine: "issue_sync",
  ofDatabase: [{ id: "storage.issue_sync", look: lastRuns }],
};

/** The maximum number of bindings that the check looks at. */
const MAX_BINDINGS = 1000;

/** Warns of enabled bindings whose last run failed: nobody waits for the answer of such a run. */
async function lastRuns(reader: Reader): Promise<Finding> {
  const all = await reader.unfolded.list("issue_sync_binding", MAX_BINDINGS);
  const enabled = all.filter((binding) => binding.enabled === 1);
  const failed: string[] = [];
  for (const { project_uid, display_name } of enabled) {
    const status = await reader.unfolded.find("issue_sync_status", { project_uid });
    const project = await reader.projects.find(project_uid);
    if (project?.deleted_at !== null || status === undefined) continue;
    if (status.last_error !== null)
      failed.push(`${project.name} from ${display_name}: ${status.last_error}`);
  }
  const [first] = failed;
  if (first === undefined) return { status: "ok", summary: summaryOf(enabled) };
  return {
    status: "warning",
    summary: `the last run failed for ${first}`,
    details: { failed },
    fix: "svc sync github once, in the project, tries it here and now and says what to do",
  };
}

function summaryOf(enabled: readonly BindingRow[]): string {
  if (enabled.length === 0) return "no project reads issues from a code host";
  const projects = `${enabled.length} project${enabled.length === 1 ? "" : "s"}`;
  return `${projects} with issues of a code host, and no run failed last`;
}
