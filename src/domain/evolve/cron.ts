import type { StoredEvent } from "../../contract/events.ts";
import { nativeParentOf } from "../cron/native.ts";
import { measuresOf } from "../cron/run.ts";
import type { CronDefinitionRow, CronJobRow, CronRunRow, State } from "../state.ts";
import { type Evolver, later } from "./evolver.ts";

/**
 * Each event about a job or a workflow contains the whole document (docs/contract/events.md#62-effects). The event with
 * the newest hybrid clock wins, even if an older event comes later in the log. A snapshot counts as the event that it
 * names.
 */
type Kind = "job" | "workflow";
type Verb = "created" | "updated" | "deleted" | "restored";
type JobEvent = `cron.job.${Verb}` | "cron.job.snapshot";
type WorkflowEvent = `cron.workflow.${Verb}` | "cron.workflow.snapshot";

export const jobWritten = onJob<`cron.job.${Verb}`>(writtenRow);
export const jobSnapshot = onJob<"cron.job.snapshot">(snapshotRow);
export const workflowWritten = onWorkflow<`cron.workflow.${Verb}`>(writtenRow);
export const workflowSnapshot = onWorkflow<"cron.workflow.snapshot">(snapshotRow);

function onJob<K extends JobEvent>(rowOf: NewRow<K>): Evolver<K> {
  return {
    touches: ({ project_uid, payload }) => ({
      projects: [project_uid],
      rows: { cron_jobs: [payload.uid] },
    }),
    evolve: (state, event) => {
      const row = rowOf(state, state.row("cron_jobs", event.payload.uid), event);
      if (row === undefined) return [];
      const put: CronJobRow = { ...row, parent_uid: nativeParentOf(row.definition) };
      return [{ table: "cron_jobs", put }];
    },
  };
}

function onWorkflow<K extends WorkflowEvent>(rowOf: NewRow<K>): Evolver<K> {
  return {
    touches: ({ project_uid, payload }) => ({
      projects: [project_uid],
      rows: { cron_workflows: [payload.uid] },
    }),
    evolve: (state, event) => {
      const put = rowOf(state, state.row("cron_workflows", event.payload.uid), event);
      return put === undefined ? [] : [{ table: "cron_workflows", put }];
    },
  };
}

export const runObserved = onRun<"cron.run.observed">();
export const runSnapshot = onRun<"cron.run.snapshot">();

function onRun<K extends "cron.run.observed" | "cron.run.snapshot">(): Evolver<K> {
  return {
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
}

type DefinitionEvent = StoredEvent<`cron.${Kind}.${Verb}`>;
type DefinitionSnapshot = StoredEvent<`cron.${Kind}.snapshot`>;
type NewRow<K extends JobEvent | WorkflowEvent> = (
  state: State,
  known: CronDefinitionRow | undefined,
  event: StoredEvent<K>,
) => CronDefinitionRow | undefined;

function writtenRow(
  state: State,
  known: CronDefinitionRow | undefined,
  event: DefinitionEvent,
): CronDefinitionRow | undefined {
  return newerRow(state, known, event, {
    definition_event_uid: event.uid,
    definition_hlc: clockOf(event),
    revision: (known?.revision ?? 0) + 1,
  });
}

/** Returns the new row. Returns `undefined` if the known row has the event that the snapshot names, or a later one. */
function snapshotRow(
  state: State,
  known: CronDefinitionRow | undefined,
  event: DefinitionSnapshot,
): CronDefinitionRow | undefined {
  const { definition_event_uid, definition_hlc, revision } = event.payload;
  return newerRow(state, known, event, { definition_event_uid, definition_hlc, revision });
}

type Version = Pick<CronDefinitionRow, "definition_event_uid" | "definition_hlc" | "revision">;

function newerRow(
  state: State,
  known: CronDefinitionRow | undefined,
  { project_uid, payload }: DefinitionEvent | DefinitionSnapshot,
  version: Version,
): CronDefinitionRow | undefined {
  if (known === undefined && state.project(project_uid) === undefined) return undefined;
  if (known !== undefined && !isNewer(version, known)) return undefined;
  return {
    uid: payload.uid,
    project_uid: known?.project_uid ?? project_uid,
    name: payload.name,
    definition: payload.definition,
    author: known?.author ?? payload.author,
    created_at: known?.created_at ?? payload.created_at,
    updated_at: later(known?.updated_at ?? "", payload.updated_at),
    deleted_at: payload.deleted_at ?? null,
    ...version,
  };
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
  { definition_hlc: { physical_ms, counter }, definition_event_uid }: Version,
  { definition_hlc: known, definition_event_uid: knownUid }: CronDefinitionRow,
): boolean {
  if (physical_ms !== known.physical_ms) return physical_ms > known.physical_ms;
  if (counter !== known.counter) return counter > known.counter;
  return definition_event_uid > knownUid;
}
