import type { JsonObject } from "../base/json.ts";

/** The rows that events fold into. Names are wire names; local integer ids belong to the database and are not here. */
export interface ProjectRow {
  readonly uid: string;
  readonly name: string;
  readonly metadata: JsonObject;
  readonly revision: number;
  readonly created_at: string;
  readonly deleted_at: string | null;
}

export interface AliasRow {
  readonly alias_identity: string;
  readonly alias_kind: "git" | "local";
  readonly project_uid: string;
  readonly created_at: string;
}

export interface IssueRow {
  readonly uid: string;
  readonly project_uid: string;
  readonly short_id: string;
  readonly title: string;
  readonly body: string;
  readonly status: "open" | "closed";
  readonly closed_reason: string | null;
  readonly owner: string | null;
  readonly priority: number | null;
  readonly author: string;
  readonly metadata: JsonObject;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly closed_at: string | null;
  readonly deleted_at: string | null;
  /** The series that it belongs to, and the day of the series that it is for. */
  readonly recurrence_uid: string | null;
  readonly occurrence_key: string | null;
}

/** A series of issues: closing one as done makes the next (facts cron-and-inbox 12). A deleted one stays as a tombstone. */
export interface RecurrenceRow {
  readonly uid: string;
  readonly project_uid: string;
  readonly rrule: string;
  readonly dtstart: string;
  readonly timezone: string;
  readonly template_title: string;
  readonly template_body: string;
  readonly template_owner: string | null;
  readonly template_priority: number | null;
  readonly template_labels: readonly string[];
  readonly template_metadata: JsonObject;
  /** The day of the issue that comes next; null when the rule gives no more. */
  readonly next_occurrence_key: string | null;
  readonly last_materialized_uid: string | null;
  readonly author: string;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
}

export interface LabelRow {
  readonly issue_uid: string;
  readonly label: string;
  readonly author: string;
  readonly created_at: string;
}

export type LinkType = "parent" | "blocks" | "related";

/** `parent`: child → parent; `blocks`: blocker → blocked; `related`: the smaller uid → the larger. */
export interface LinkRow {
  readonly from_uid: string;
  readonly to_uid: string;
  readonly type: LinkType;
  readonly author: string;
  readonly created_at: string;
}

export interface CommentRow {
  readonly uid: string;
  readonly issue_uid: string;
  readonly author: string;
  readonly body: string;
  readonly created_at: string;
  readonly teammate: string | null;
}

/** A request that may be repeated: its key, what it asked for, and the event that answered it (facts http-api 1.7). */
export interface IdempotencyRow {
  /** The project for create and close, the issue for a comment and for a take. */
  readonly scope_uid: string;
  readonly operation: "create" | "comment" | "close" | "take";
  readonly key: string;
  readonly fingerprint: string;
  readonly event_uid: string;
  readonly created_at: string;
}

/** Which issue or comment an imported record became. */
export interface ImportRow {
  readonly project_uid: string;
  readonly source: string;
  readonly external_id: string;
  readonly issue_uid: string;
  readonly imported_at: string;
}

/** A short id that an issue had in a project it moved out of. Nobody else gets it. */
export interface FormerRow {
  readonly project_uid: string;
  readonly short_id: string;
  readonly issue_uid: string;
}

/** The last lease of an issue; `released_at` tells whether it is over. */
export interface LeaseRow {
  readonly issue_uid: string;
  readonly claim_uid: string;
  readonly fence: number;
  readonly holder: string;
  readonly holder_instance_uid: string;
  readonly client_kind: string;
  readonly purpose: string;
  readonly claim_kind: "hard" | "timed";
  readonly acquired_at: string;
  readonly expires_at: string | null;
  readonly released_at: string | null;
  readonly release_reason: string | null;
  readonly revision: number;
  readonly updated_at: string;
}

/** A job or a workflow as it is now, tombstones included (doc 2, Resources). */
export interface CronDefinitionRow {
  readonly uid: string;
  readonly project_uid: string;
  readonly name: string;
  /** The document in its stored form (facts cron-and-inbox 2.1). */
  readonly definition: JsonObject;
  /** The event that wrote it: what a change of it must name. */
  readonly definition_event_uid: string;
  readonly definition_hlc: {
    readonly version: 1;
    readonly physical_ms: number;
    readonly counter: number;
    readonly origin_instance_uid: string;
  };
  readonly author: string;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
}

export interface CronJobRow extends CronDefinitionRow {
  /** The issue that a native recurring job makes children of. */
  readonly parent_uid: string | null;
}

/** One execution as it was last observed (doc 2, Run observation), and what of it is added up. */
export interface CronRunRow {
  readonly uid: string;
  readonly project_uid: string;
  readonly job_uid: string | null;
  readonly definition_event_uid: string | null;
  readonly workflow_uid: string | null;
  readonly workflow_definition_event_uid: string | null;
  readonly occurrence_key: string | null;
  readonly issue_uid: string | null;
  readonly actor: string;
  readonly teammate: string | null;
  readonly executor_label: string | null;
  readonly status: "running" | "succeeded" | "failed" | "cancelled" | "unknown";
  readonly summary: JsonObject;
  readonly revision: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly updated_at: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly duration_ms: number;
  readonly day: string;
}

export interface Rows {
  project: ProjectRow;
  alias: AliasRow;
  recurrence: RecurrenceRow;
  issue: IssueRow;
  label: LabelRow;
  link: LinkRow;
  comment: CommentRow;
  idempotency: IdempotencyRow;
  import: ImportRow;
  former: FormerRow;
  lease: LeaseRow;
  cron_jobs: CronJobRow;
  cron_workflows: CronDefinitionRow;
  cron_runs: CronRunRow;
}

export type TableName = keyof Rows;

/** The columns that identify a row of each table. */
export const KEYS = {
  project: ["uid"],
  alias: ["alias_identity"],
  recurrence: ["uid"],
  issue: ["uid"],
  label: ["issue_uid", "label"],
  link: ["from_uid", "to_uid", "type"],
  comment: ["uid"],
  idempotency: ["scope_uid", "operation", "key"],
  import: ["project_uid", "source", "external_id"],
  former: ["project_uid", "short_id"],
  lease: ["issue_uid"],
  cron_jobs: ["uid"],
  cron_workflows: ["uid"],
  cron_runs: ["uid"],
} as const satisfies { [T in TableName]: readonly (keyof Rows[T])[] };

/** What an evolver answers: a row as it shall be, or a row that shall be gone. */
export type Change = {
  [T in TableName]:
    | { readonly table: T; readonly put: Rows[T] }
    | {
        readonly table: T;
        readonly remove: Pick<Rows[T], (typeof KEYS)[T][number] & keyof Rows[T]>;
      };
}[TableName];

/** What `decide` and `evolve` may look at. Absent rows are `undefined`; lists are in creation order. */
export interface State {
  project(uid: string): ProjectRow | undefined;
  issue(uid: string): IssueRow | undefined;
  comment(uid: string): CommentRow | undefined;
  label(issueUid: string, label: string): LabelRow | undefined;
  link(fromUid: string, toUid: string, type: LinkType): LinkRow | undefined;
  /** The parent link of a child (child → parent). */
  parentLink(childUid: string): LinkRow | undefined;
  alias(identity: string): AliasRow | undefined;
  lease(issueUid: string): LeaseRow | undefined;
  recurrence(uid: string): RecurrenceRow | undefined;
  recurrencesOf(projectUid: string): readonly RecurrenceRow[];
  cronJob(uid: string): CronJobRow | undefined;
  cronWorkflow(uid: string): CronDefinitionRow | undefined;
  cronJobsOf(projectUid: string): readonly CronJobRow[];
  cronWorkflowsOf(projectUid: string): readonly CronDefinitionRow[];
  cronRun(uid: string): CronRunRow | undefined;
  cronRunsOf(projectUid: string): readonly CronRunRow[];
  aliasesOf(projectUid: string): readonly AliasRow[];
  issuesOf(projectUid: string): readonly IssueRow[];
  importsOf(projectUid: string): readonly ImportRow[];
  authored(projectUid: string, name: string): Authored;
}

/** What in a project bears a name: issues by author or owner, their comments by author, links from them by author. */
export interface Authored {
  readonly issues: readonly IssueRow[];
  readonly comments: readonly CommentRow[];
  readonly links: readonly LinkRow[];
}

/** The rows an evolver needs, named before it runs, so that a database can load them. */
export interface Touches {
  readonly projects?: readonly string[];
  readonly issues?: readonly string[];
  readonly comments?: readonly string[];
  readonly labels?: readonly (readonly [issueUid: string, label: string])[];
  readonly links?: readonly (readonly [fromUid: string, toUid: string, type: LinkType])[];
  /** Children whose parent link is wanted. */
  readonly parentsOf?: readonly string[];
  readonly aliases?: readonly string[];
  /** Issues whose last lease is wanted. */
  readonly leases?: readonly string[];
  readonly recurrences?: readonly string[];
  /** Projects all of whose recurrences are wanted. */
  readonly recurrencesOf?: readonly string[];
  readonly cronJobs?: readonly string[];
  readonly cronWorkflows?: readonly string[];
  readonly cronRuns?: readonly string[];
  /** Projects all of whose jobs, workflows and runs are wanted. */
  readonly cronOf?: readonly string[];
  /** Projects all of whose aliases are wanted. */
  readonly aliasesOf?: readonly string[];
  /** Projects all of whose issues are wanted. */
  readonly issuesOf?: readonly string[];
  /** Projects all of whose imports are wanted. */
  readonly importsOf?: readonly string[];
  readonly authored?: readonly (readonly [projectUid: string, name: string])[];
}
