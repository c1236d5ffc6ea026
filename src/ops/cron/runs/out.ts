import type { StoredProject, StoredRun } from "../../../store/types/rows.ts";

export function runOut(run: StoredRun, project: Pick<StoredProject, "id">) {
  return {
    id: run.id,
    uid: run.uid,
    project_id: project.id,
    ...optional(run, "job_uid"),
    ...optional(run, "definition_event_uid"),
    ...optional(run, "workflow_uid"),
    ...optional(run, "workflow_definition_event_uid"),
    ...optional(run, "occurrence_key"),
    ...optional(run, "issue_uid"),
    actor: run.actor,
    ...optional(run, "teammate"),
    ...optional(run, "executor_label"),
    status: run.status,
    summary: run.summary,
    revision: run.revision,
    created_at: run.created_at,
    ...optional(run, "started_at"),
    ...optional(run, "ended_at"),
    updated_at: run.updated_at,
  };
}

type Optional =
  | "job_uid"
  | "definition_event_uid"
  | "workflow_uid"
  | "workflow_definition_event_uid"
  | "occurrence_key"
  | "issue_uid"
  | "teammate"
  | "executor_label"
  | "started_at"
  | "ended_at";

function optional<K extends Optional>(run: StoredRun, name: K): { readonly [N in K]?: string } {
  const value = run[name];
  return value === null ? {} : ({ [name]: value } as { readonly [N in K]?: string });
}
