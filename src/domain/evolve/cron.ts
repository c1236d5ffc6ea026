import type { EventKind, Payload, StoredEvent } from "../../contract/events.ts";
import { nativeParentOf } from "../cron/native.ts";
import { measuresOf } from "../cron/run.ts";
import type { CronDefinitionRow, CronJobRow, CronRunRow, State } from "../state.ts";
import { type Evolver, later } from "./evolver.ts";

/**
 * Each event about a job or a workflow contains the whole document (facts cron-and-inbox 5). The event with the newest
 * hybrid clock wins, even if an older event comes later in the log.
 */
type JobEvent = Extract<EventKind, `cron.job.${string}`>;
type WorkflowEvent = Extract<EventKind, `cron.workflow.${string}`>;

export const jobWritten: Evolver<JobEvent> = {
  touches: ({ project_uid, payload }) => ({
    projects: [project_uid],
    rows: { cron_jobs: [payload.uid] },
  }),
  evolve: (state, event) => {
    const row = newerRow(state, state.row("cron_jobs", event.payload.uid), event);
    if (row === undefined) return [];
    const put: CronJobRow = { ...row, parent_uid: nativeParentOf(row.definition) };
    return [{ table: "cron_jobs", put }];
  },
};

export const workflowWritten: Evolver<WorkflowEvent> = {
  touches: ({ project_uid, payload }) => ({
    projects: [project_uid],
    rows: { cron_workflows: [payload.uid] },
  }),
  evolve: (state, event) => {
    const put = newerRow(state, state.row("cron_workflows", event.payload.uid), event);
    return put === undefined ? [] : [{ table: "cron_workflows", put }];
  },
};

export const runObserved: Evolver<"cron.run.observed"> = {
  touches: ({ project_uid, payload }) => ({
    projects: [project_uid],
    rows: { cron_runs: [payload.uid] },
  }),
  evolve: (state, { project_uid, payload }) => {
    const known = state.row("cron_runs", payload.uid);
    if (known === undefined && state.project(project_uid) === undefined) return [];
    const evidence = {
      summary: payload.summary,
      created_at: payload.created_at,
      started_at: payload.started_at ?? null,
      ended_at: payload.ended_at ?? null,
    };
    const put: CronRunRow = {
      uid: payload.uid,
      project_uid: known?.project_uid ?? project_uid,
      job_uid: payload.job_uid ?? null,
      definition_event_uid: payload.definition_event_uid ?? null,
      workflow_uid: payload.workflow_uid ?? null,
      workflow_definition_event_uid: payload.workflow_definition_event_uid ?? null,
      occurrence_key: payload.occurrence_key ?? null,
      issue_uid: payload.issue_uid ?? null,
      actor: payload.actor,
      teammate: payload.teammate ?? null,
      executor_label: payload.executor_label ?? null,
      status: payload.status,
      revision: payload.revision,
      updated_at: payload.updated_at,
      ...evidence,
      ...measuresOf(evidence),
    };
    return [{ table: "cron_runs", put }];
  },
};

type DefinitionEvent = StoredEvent<JobEvent | WorkflowEvent>;

function newerRow(
  state: State,
  known: CronDefinitionRow | undefined,
  event: DefinitionEvent,
): CronDefinitionRow | undefined {
  const { payload } = event;
  const clock = clockOf(event);
  if (known === undefined && state.project(event.project_uid) === undefined) return undefined;
  if (known !== undefined && !isNewer(clock, event.uid, known)) return undefined;
  return {
    uid: payload.uid,
    project_uid: known?.project_uid ?? event.project_uid,
    name: payload.name,
    definition: payload.definition,
    definition_event_uid: event.uid,
    definition_hlc: clock,
    author: known?.author ?? payload.author,
    revision: (known?.revision ?? 0) + 1,
    created_at: known?.created_at ?? payload.created_at,
    updated_at: later(known?.updated_at ?? "", payload.updated_at),
    deleted_at: deletedAt(payload),
  };
}

function deletedAt({ deleted_at }: Payload<JobEvent>): string | null {
  return deleted_at ?? null;
}

function clockOf(event: DefinitionEvent): CronDefinitionRow["definition_hlc"] {
  return {
    version: 1,
    physical_ms: event.hlc_physical_ms,
    counter: event.hlc_counter,
    origin_instance_uid: event.origin_instance_uid,
  };
}

function isNewer(
  { physical_ms, counter }: CronDefinitionRow["definition_hlc"],
  eventUid: string,
  { definition_hlc: known, definition_event_uid }: CronDefinitionRow,
): boolean {
  if (physical_ms !== known.physical_ms) return physical_ms > known.physical_ms;
  if (counter !== known.counter) return counter > known.counter;
  return eventUid > definition_event_uid;
}
