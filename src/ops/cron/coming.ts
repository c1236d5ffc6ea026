import { instantToMs } from "../../base/clock.ts";
import { dateOfTrigger, onceOf } from "../../domain/cron/planned.ts";
import {
  type Progress,
  progressKey,
  readProgress,
  toSecond,
  wholeSecond,
} from "../../domain/cron/progress.ts";
import { type Schedule, scheduleOf } from "../../domain/cron/schedule.ts";
import {
  isStoppedForGood,
  nativeState,
  portableStopped,
  type StoppedBy,
} from "../../domain/cron/stopped.ts";
import type { Trigger } from "../../domain/cron/trigger.ts";
import { plannedDate } from "../../domain/planned-date.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { seriesOf } from "../recurrences/find.ts";
import type { FoundDefinition } from "./definitions.ts";

export interface NextRuns {
  readonly held: StoppedBy | undefined;
  /** `undefined` if neither a clock nor a planning date triggers the job. */
  readonly schedule: Schedule | undefined;
  /** Whether the job has future due times: it has a schedule, is not deleted and is not stopped for good. */
  readonly comes: boolean;
}

/** Finds out when a job comes due. `daemon` is the daemon's zone, for planning dates that have none of their own. */
export async function comingOf(
  reader: Reader,
  found: FoundDefinition,
  daemon: string,
): Promise<NextRuns> {
  const bound = await readParentOfJob(reader, found);
  const anchor = bound?.progress?.anchor ?? found.row.created_at;
  const held = stoppedBy(found, bound);
  const source = { trigger: triggerOf(found), anchor, project_uid: found.row.project_uid };
  const schedule = await scheduleFor(reader, source, daemon);
  const comes = schedule !== undefined && held !== "job_deleted" && !isStoppedForGood(held);
  return { held, schedule, comes };
}

/** The due times of a trigger. `anchor` is the instant from which intervals are counted. */
export async function scheduleFor(
  reader: Reader,
  {
    trigger,
    anchor,
    project_uid,
  }: { readonly trigger: Trigger; readonly anchor: string; readonly project_uid: string },
  daemon: string,
): Promise<Schedule | undefined> {
  return (
    scheduleOf(trigger, wholeSecond(instantToMs(anchor))) ??
    onceOf(trigger, await dateFor(reader, trigger, project_uid, daemon))
  );
}

export function nextOf({ schedule, comes }: NextRuns, nowMs: number): string | undefined {
  if (schedule === undefined || !comes) return undefined;
  for (const at of schedule.after(nowMs)) return toSecond(at);
  return undefined;
}

/** The planning date that triggers the job; `undefined` if its issue was deleted or is no longer in the project. */
async function dateFor(reader: Reader, trigger: Trigger, project_uid: string, daemon: string) {
  const field = dateOfTrigger(trigger);
  if (field === undefined || !("issue_uid" in trigger)) return undefined;
  const issue = await reader.issues.find(trigger.issue_uid);
  if (issue === undefined || issue.deleted_at !== null || issue.project_uid !== project_uid)
    return undefined;
  const series = await seriesOf(reader, issue);
  return plannedDate(issue, field, { daemon, recurrence: series?.timezone });
}

interface BoundJob {
  readonly parent_uid: string;
  readonly parent: StoredIssue | undefined;
  readonly progress: Progress | undefined;
}

/** Returns the parent issue of a job and the progress stored in it; `undefined` for a job without a parent. */
export async function readParentOfJob(
  reader: Reader,
  { row }: FoundDefinition,
): Promise<BoundJob | undefined> {
  const parent_uid = row.parent_uid ?? null;
  if (parent_uid === null) return undefined;
  const parent = await reader.issues.find(parent_uid);
  return { parent_uid, parent, progress: readProgress(parent?.metadata[progressKey(row.uid)]) };
}

export function stoppedBy(
  { row, project }: FoundDefinition,
  bound: BoundJob | undefined,
): StoppedBy | undefined {
  return bound === undefined
    ? portableStopped(row)
    : nativeState({ row, project, parent: bound.parent }).stopped;
}

function triggerOf({ row }: FoundDefinition): Trigger {
  return row.definition["trigger"] as Trigger;
}

export function headOf(found: FoundDefinition, held: StoppedBy | undefined) {
  const { uid, name } = found.row;
  const timezone = scheduleOf(triggerOf(found), 0)?.zone ?? triggerOf(found).timezone ?? "UTC";
  return { uid, name, timezone, ...(held === undefined ? {} : { held }) };
}
