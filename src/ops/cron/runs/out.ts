import type { StoredProject, StoredRun } from "../../../store/types/rows.ts";

/** A run, as answers contain it. */
export function runOut(run: StoredRun, project: Pick<StoredProject, "id">) {
  return {
    id: run.id,
    uid: run.uid,
    project_id: project.id,
    ...optionalField(run, "job_uid"),
    ...optionalField(run, "definition_event_uid"),
    ...optionalField(run, "workflow_uid"),
    ...optionalField(run, "workflow_definition_event_uid"),
    ...optionalField(run, "occurrence_key"),
    ...optionalField(run, "issue_uid"),
    actor: run.actor,
    ...optionalField(run, "teammate"),
    ...optionalField(run, "executor_label"),
    status: run.status,
    summary: run.summary,
    revision: run.revision,
    created_at: run.created_at,
    ...optionalField(run, "started_at"),
    ...optionalField(run, "ended_at"),
    updated_at: run.updated_at,
  };
}

type OptionalField =
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

function optionalField<K extends OptionalField>(
  run: StoredRun,
  name: K,
): { readonly [N in K]?: string } {
  const value = run[name];
  return value === null ? {} : ({ [name]: value } as { readonly [N in K]?: string });
}
