import type { EventKind, StoredEvent } from "../../contract/events.ts";
import type { CronDefinitionRow, CronJobRow, RecurrenceRow } from "../../domain/state.ts";
import type { StoredIssue, StoredRecurrence, StoredRun, WithId } from "./rows.ts";

/** Jobs and workflows, deleted ones included; lists are sorted by name, then uid. */
export interface Cron {
  job(uid: string): Promise<WithId<CronJobRow> | undefined>;
  workflow(uid: string): Promise<WithId<CronDefinitionRow> | undefined>;
  jobs(projectUid: string): Promise<readonly WithId<CronJobRow>[]>;
  workflows(projectUid: string): Promise<readonly WithId<CronDefinitionRow>[]>;
  /** Live native recurring jobs of active projects that this daemon owns, sorted by project and uid. */
  nativeJobs(): Promise<readonly WithId<CronJobRow>[]>;
  /** The native recurring jobs with this parent, deleted ones too. */
  nativeJobsOf(parentUid: string): Promise<readonly WithId<CronJobRow>[]>;
  /**
   * Every event of the job, sorted by id. Includes a snapshot only if the event that the snapshot names is not in this
   * log.
   */
  definitionEvents(
    uid: string,
  ): Promise<readonly StoredEvent<Extract<EventKind, `cron.job.${string}`>>[]>;
  /** Whether a snapshot of this job or workflow in this log names the event `event_uid` as its definition. */
  isNamedBySnapshot(
    kind: "job" | "workflow",
    definition: { readonly project_uid: string; readonly uid: string; readonly event_uid: string },
  ): Promise<boolean>;
  /** Events that closed, reopened, deleted or restored the issue, or archived or restored its project. */
  lifeEvents(
    issueUid: string,
    projectUid: string,
  ): Promise<readonly Pick<StoredEvent, "type" | "created_at">[]>;
  /** Metadata changes of the issue before an event, latest first. */
  metadataEvents(
    issueUid: string,
    beforeId: number,
    limit: number,
  ): Promise<readonly StoredEvent<"issue.metadata_updated">[]>;
}

type LastKeyOf = Pick<RecurrenceRow, "uid" | "next_occurrence_key">;

export interface Recurrences {
  /** Finds deleted series too. */
  find(uid: string): Promise<StoredRecurrence | undefined>;
  /** The project's series that are not deleted, newest first. */
  list(projectUid: string): Promise<readonly StoredRecurrence[]>;
  /**
   * The last day for which the series has an issue, deleted or not. An issue whose creation was undone does not count:
   * it is deleted, and the undo has moved the next day of the series back to that issue's day or an earlier one.
   */
  lastKey(series: LastKeyOf): Promise<string | undefined>;
  /** The issue of the series for this day, even if it is deleted. */
  occurrence(uid: string, key: string): Promise<StoredIssue | undefined>;
}

export interface RunSums {
  readonly runs: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly duration_ms: number;
}

export type RunGrouping =
  | "issue"
  | "parent"
  | "job"
  | "actor"
  | "day"
  | "workflow"
  | "teammate"
  | "executor";

export type RunGroup = RunSums & { readonly key: string | null };

export interface RunPage {
  readonly job_uid?: string | undefined;
  /** The last run of the previous page. */
  readonly before?: StoredRun | undefined;
  readonly limit: number;
}

/** The runs that a report sums up: from the day `since` to the day `until`, both included. */
export interface ReportWanted {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Only the runs on this issue. */
  readonly issue_uid?: string | undefined;
}

export interface Runs {
  find(uid: string): Promise<StoredRun | undefined>;
  /** Sorted by creation time and uid, newest first. */
  list(projectUid: string, page: RunPage): Promise<readonly StoredRun[]>;
  /** Runs whose status is running, oldest first. */
  running(projectUid: string, limit: number): Promise<readonly StoredRun[]>;
  /** Sums the runs by group. */
  report(projectUid: string, by: RunGrouping, wanted: ReportWanted): Promise<readonly RunGroup[]>;
}
