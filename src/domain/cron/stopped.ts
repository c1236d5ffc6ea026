import { isPlainObject, type JsonObject } from "../../base/json.ts";
import { SvcError } from "../../contract/errors.ts";
import type { CronJobRow, IssueRow, ProjectRow } from "../state.ts";
import { decodeJob, isNative, type NativeJob } from "./job.ts";
import { type Progress, progressKey, readProgress } from "./progress.ts";

/** Why a job does not run (docs/contract/cron-and-inbox.md#81-when-a-job-delivers). */
export type StoppedBy =
  | "job_deleted"
  | "disabled"
  | "project_archived"
  | "parent_deleted"
  | "parent_closed"
  /** The reasons from here on are permanent. */
  | "parent_missing"
  | "progress_invalid"
  | "definition_invalid";

const STOPPED_FOR_GOOD: ReadonlySet<StoppedBy> = new Set([
  "parent_missing",
  "progress_invalid",
  "definition_invalid",
]);

/** True if the job stays stopped after it is enabled and its parent is reopened or restored. */
export function isStoppedForGood(stopped: StoppedBy | undefined): boolean {
  return stopped !== undefined && STOPPED_FOR_GOOD.has(stopped);
}

export interface JobFacts {
  readonly row: Pick<CronJobRow, "uid" | "project_uid" | "definition" | "deleted_at">;
  readonly project: Pick<ProjectRow, "deleted_at"> | undefined;
  readonly parent: Pick<IssueRow, "project_uid" | "deleted_at" | "status" | "metadata"> | undefined;
}

export type NativeState =
  | { readonly stopped: StoppedBy }
  | { readonly stopped: undefined; readonly job: NativeJob; readonly progress: Progress };

/**
 * Whether a native job can deliver, and if not, why. A deleted job is reported as deleted, whatever else stops it. The
 * permanent reasons come next: enabling a job that has lost its parent would not help.
 */
export function nativeState({ row, project, parent }: JobFacts): NativeState {
  if (row.deleted_at !== null) return { stopped: "job_deleted" };
  const job = decodeNative(row.definition);
  if (job === undefined) return { stopped: "definition_invalid" };
  if (parent?.project_uid !== row.project_uid) return { stopped: "parent_missing" };
  const progress = readProgress(parent.metadata[progressKey(row.uid)]);
  if (progress === undefined) return { stopped: "progress_invalid" };
  if (!job.enabled) return { stopped: "disabled" };
  if (project === undefined || project.deleted_at !== null) return { stopped: "project_archived" };
  if (parent.deleted_at !== null) return { stopped: "parent_deleted" };
  if (parent.status !== "open") return { stopped: "parent_closed" };
  return { stopped: undefined, job, progress };
}

/** Why a job that an adapter runs is stopped; svc can check fewer reasons than for a native job. */
export function portableStopped({
  definition,
  deleted_at,
}: Pick<CronJobRow, "definition" | "deleted_at">): StoppedBy | undefined {
  if (deleted_at !== null) return "job_deleted";
  return isPlainObject(definition) && definition["enabled"] === true ? undefined : "disabled";
}

/** Decodes a native job; `undefined` for other jobs and for older definitions that break a current rule. */
export function decodeNative(definition: JsonObject): NativeJob | undefined {
  try {
    const job = decodeJob(definition);
    return isNative(job) ? job : undefined;
  } catch (error) {
    if (error instanceof SvcError) return undefined;
    throw error;
  }
}
