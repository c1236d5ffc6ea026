import { refusal } from "../../domain/cron/fields.ts";
import { isNative, type JobDefinition } from "../../domain/cron/job.ts";
import type { StoredIssue, StoredProject, Tx } from "../../store/types.ts";
import type { Binding } from "./binding.ts";
import { conflict, definitionOut, type StoredDefinition } from "./out.ts";

/** What a live job names must be there when it is written; it is not watched afterwards (facts cron-and-inbox 2.9). */
export async function checkReferences(
  tx: Tx,
  project: StoredProject,
  job: JobDefinition,
): Promise<Binding | undefined> {
  const { trigger, action, issue } = job;
  if (action.kind === "execute" && action.workflow_uid !== undefined) {
    const workflow = await tx.cron.workflow(action.workflow_uid);
    if (workflow?.project_uid !== project.uid || workflow.deleted_at !== null)
      throw refusal("definition.action.workflow_uid", "is no live workflow of this project");
  }
  if ("issue_uid" in trigger)
    await requireOwn(tx, project, "definition.trigger.issue_uid", trigger.issue_uid);
  if (issue?.kind === "existing") {
    await requireOwn(tx, project, "definition.issue.uid", issue.uid);
    const isOther = "issue_uid" in trigger && trigger.issue_uid !== issue.uid;
    if (action.kind === "execute" && isOther)
      throw refusal("definition.issue.uid", "must be the issue of the trigger");
  }
  if (!isNative(job)) return undefined;
  const field = "definition.issue.parent_uid";
  return { parent: await requireOwn(tx, project, field, job.issue.parent_uid) };
}

/** Open or closed. */
async function requireOwn(
  tx: Tx,
  project: StoredProject,
  field: string,
  uid: string,
): Promise<StoredIssue> {
  const issue = await tx.issues.find(uid);
  if (issue?.project_uid !== project.uid || issue.deleted_at !== null)
    throw refusal(field, "is no issue of this project");
  return issue;
}

/** A workflow that a live job runs is kept (doc 2, lifecycle). */
export async function checkUnused(tx: Tx, row: StoredDefinition): Promise<void> {
  for (const job of await tx.cron.jobs(row.project_uid)) {
    const { action } = job.definition as unknown as JobDefinition;
    if (job.deleted_at !== null || action.kind !== "execute" || action.workflow_uid !== row.uid)
      continue;
    const project = await tx.projects.find(row.project_uid);
    const current = project === undefined ? undefined : definitionOut(row, project);
    throw conflict("workflow", `the job ${job.name} (${job.uid}) uses the workflow`, current);
  }
}
