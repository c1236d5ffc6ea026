import { type JsonObject, sameJson } from "../../base/json.ts";
import { invalidField } from "../../contract/errors.ts";
import { isNative, type JobDefinition } from "../../domain/cron/job.ts";
import type { StoredIssue, StoredProject } from "../../store/types/rows.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import type { Binding } from "./binding.ts";
import { conflictError, definitionOut, type StoredDefinition } from "./out.ts";

/**
 * Throws unless everything that a live job names exists. A change that only turns the job off is not checked. So a job
 * can be turned off even if something that it names was deleted (docs/contract/cron-and-inbox.md#29-references).
 */
export async function checkReferences(
  reader: Reader,
  project: StoredProject,
  job: JobDefinition,
  known: StoredDefinition | undefined,
): Promise<Binding | undefined> {
  const { trigger, action, issue } = job;
  const isLive = known !== undefined && known.deleted_at === null;
  if (isNative(job)) {
    const { parent_uid } = job.issue;
    if (isLive && known.parent_uid === parent_uid) return { parent_uid };
    const field = "definition.issue.parent_uid";
    const parent = await requireOwn(reader, project, field, parent_uid);
    return { parent_uid, ...((known?.parent_uid ?? null) === null ? { parent } : {}) };
  }
  if (isLive && onlyDisables(job, known)) return undefined;
  if (action.kind === "execute" && action.workflow_uid !== undefined) {
    const workflow = await reader.cron.workflow(action.workflow_uid);
    if (workflow?.project_uid !== project.uid || workflow.deleted_at !== null)
      throw invalidField("definition.action.workflow_uid", "is no live workflow of this project");
  }
  if ("issue_uid" in trigger)
    await requireOwn(reader, project, "definition.trigger.issue_uid", trigger.issue_uid);
  if (issue?.kind === "existing") {
    await requireOwn(reader, project, "definition.issue.uid", issue.uid);
    const isOther = "issue_uid" in trigger && trigger.issue_uid !== issue.uid;
    if (action.kind === "execute" && isOther)
      throw invalidField("definition.issue.uid", "must be the issue of the trigger");
  }
  return undefined;
}

function onlyDisables(job: JobDefinition, { definition }: StoredDefinition): boolean {
  const before: JsonObject = { ...definition, enabled: false };
  return sameJson(job, before);
}

async function requireOwn(
  reader: Reader,
  project: StoredProject,
  field: string,
  uid: string,
): Promise<StoredIssue> {
  const issue = await reader.issues.find(uid);
  if (issue?.project_uid !== project.uid || issue.deleted_at !== null)
    throw invalidField(field, "is no issue of this project");
  return issue;
}

/** Throws if a live job runs the workflow (docs/contract/cron-and-inbox.md#14-order-of-the-checks-of-a-write). */
export async function checkUnused(tx: Tx, row: StoredDefinition): Promise<void> {
  for (const job of await tx.cron.jobs(row.project_uid)) {
    const { action } = job.definition as JobDefinition;
    if (job.deleted_at !== null || action.kind !== "execute" || action.workflow_uid !== row.uid)
      continue;
    const project = await tx.projects.find(row.project_uid);
    const current = project === undefined ? undefined : definitionOut(row, project);
    throw conflictError("workflow", `the job ${job.name} (${job.uid}) uses the workflow`, current);
  }
}
