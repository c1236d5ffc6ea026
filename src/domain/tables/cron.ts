import {
  clock,
  instant,
  integer,
  nullable,
  object,
  oneOf,
  projectUid,
  text,
  uid,
  writtenInstant,
} from "./columns.ts";
import { table } from "./table.ts";

const DOCUMENT = "the definition of job or workflow {uid}";

/**
 * The columns that jobs and workflows share, tombstones included
 * (docs/contract/cron-and-inbox.md#21-reading-and-storing).
 */
const definition = {
  uid: uid(),
  project_uid: projectUid(),
  name: text(),
  /** The document in its stored form (docs/contract/cron-and-inbox.md#21-reading-and-storing). */
  definition: object(DOCUMENT),
  /** The uid of the event that wrote the definition; a request to change it must name this event. */
  definition_event_uid: uid(),
  definition_hlc: clock(DOCUMENT),
  author: text(),
  revision: integer(1),
  created_at: instant(),
  updated_at: instant(),
  deleted_at: nullable(instant()),
} as const;

export const cron_jobs = table({
  folded: true,
  numbered: true,
  key: ["uid"],
  columns: {
    ...definition,
    /** The issue under which a native job creates children; null for any other job. */
    parent_uid: nullable(uid()),
  },
  belongs: { project: "project_uid" },
  undo: { none: "a job is changed back by hand" },
  record: { kind: "cron_job", without: ["parent_uid"] },
});

export const cron_workflows = table({
  folded: true,
  numbered: true,
  key: ["uid"],
  columns: definition,
  belongs: { project: "project_uid" },
  undo: { none: "a workflow is changed back by hand" },
  record: { kind: "cron_workflow" },
});

/**
 * One execution as last observed (docs/contract/cron-and-inbox.md#41-the-observation). The columns that `svc cron run
 * report` needs (tokens, duration and day) are computed from the observation. The row stays after its issue is purged.
 */
export const cron_runs = table({
  folded: true,
  numbered: true,
  key: ["uid"],
  columns: {
    uid: uid(),
    project_uid: projectUid(),
    job_uid: nullable(uid()),
    definition_event_uid: nullable(uid()),
    workflow_uid: nullable(uid()),
    workflow_definition_event_uid: nullable(uid()),
    occurrence_key: nullable(text()),
    issue_uid: nullable(uid()),
    actor: text(),
    teammate: nullable(text()),
    executor_label: nullable(text()),
    status: oneOf(["running", "succeeded", "failed", "cancelled", "unknown"]),
    summary: object("the summary of run {uid}"),
    revision: integer(1),
    created_at: instant(),
    started_at: nullable(writtenInstant()),
    ended_at: nullable(writtenInstant()),
    updated_at: instant(),
    input_tokens: integer(0),
    output_tokens: integer(0),
    duration_ms: integer(0),
    day: text(),
  },
  belongs: { project: "project_uid" },
  undo: { none: "what was observed stays observed" },
  record: {
    kind: "cron_run",
    without: ["input_tokens", "output_tokens", "duration_ms", "day"],
  },
});
