import { instantToMs } from "../../base/clock.ts";
import type { CatchUp, NativeJob } from "./job.ts";
import { type Progress, toSecond } from "./progress.ts";
import { type Schedule, scheduleOf } from "./schedule.ts";
import type { StoppedBy } from "./stopped.ts";

/** The outcome of one due time. */
export interface LedgerEntry {
  readonly at: string;
  readonly outcome: "delivered" | "discarded" | "pending";
  /** Whole seconds between due time and delivery. */
  readonly late_seconds?: number;
  readonly child_uid?: string;
  readonly policy?: CatchUp;
  readonly settled_at?: string;
  readonly held?: StoppedBy;
}

/**
 * An event that changed the stored progress of a job (its checkpoint), with the progress before and after the change.
 */
export interface ProgressChange {
  /** The event's id. The definition that the job had then is in the last `Version` with a smaller id. */
  readonly id: number;
  readonly at: string;
  readonly from: Progress;
  readonly to: Progress;
}

/** A state that holds from an instant until the next entry of the same list. */
export interface StateChange {
  readonly at: string;
  readonly stopped: StoppedBy | undefined;
}

/**
 * The definition of a job that is valid from the event `id` on, until the next version. `job` is `undefined` if this
 * definition is no valid native job.
 */
export interface Version {
  readonly id: number;
  readonly job: NativeJob | undefined;
}

export interface History {
  readonly versions: readonly Version[];
  /** State changes of the job, of its parent and of its project: one list each, in order of time. */
  readonly changes: readonly (readonly StateChange[])[];
}

/**
 * The due times that were delivered or discarded when the job's stored progress changed, newest first. At most one was
 * delivered; the others were discarded by the catch-up policy of the definition that was valid then.
 */
export function settledEntries(
  { id, at, from, to }: ProgressChange,
  history: History,
  before: string | undefined,
  limit: number,
): readonly LedgerEntry[] {
  const job = inForce(history.versions, id);
  if (job === undefined || to.through <= from.through) return [];
  const due = dueBetween(job, to, from.through, earlierEnd(to.through, before), limit);
  return due.map((occurrence) => {
    const held = stoppedAt(history, occurrence);
    const common = { at: occurrence, settled_at: at, ...(held === undefined ? {} : { held }) };
    const isDelivery =
      occurrence === to.last_occurrence && to.last_child_uid !== from.last_child_uid;
    if (!isDelivery || to.last_child_uid === null)
      return { ...common, outcome: "discarded", policy: job.catchup };
    const late = Math.max(0, Math.floor((instantToMs(at) - instantToMs(occurrence)) / 1000));
    return { ...common, outcome: "delivered", child_uid: to.last_child_uid, late_seconds: late };
  });
}

/** The due times up to now that were neither delivered nor discarded, newest first. */
export function pendingEntries(
  progress: Progress,
  history: History,
  nowMs: number,
  before: string | undefined,
  limit: number,
): readonly LedgerEntry[] {
  const now = toSecond(nowMs);
  const job = history.versions.at(-1)?.job;
  if (job === undefined) return [];
  return dueBetween(job, progress, progress.through, earlierEnd(now, before), limit).map((at) => {
    const held = stoppedAt(history, now) ?? stoppedAt(history, at);
    return { at, outcome: "pending", ...(held === undefined ? {} : { held }) };
  });
}

function stoppedAt({ changes }: History, at: string): StoppedBy | undefined {
  for (const ofOne of changes) {
    const last = ofOne.findLast((one) => instantToMs(one.at) <= instantToMs(at));
    if (last?.stopped !== undefined) return last.stopped;
  }
  return undefined;
}

function inForce(versions: readonly Version[], id: number): NativeJob | undefined {
  return versions.findLast((version) => version.id < id)?.job;
}

/** Returns the earlier of two times: `end`, and the last whole second before `before`. */
function earlierEnd(end: string, before: string | undefined): string {
  if (before === undefined || before > end) return end;
  return toSecond(instantToMs(before) - 1);
}

/** Due times after `from` up to and including `to`, newest first. */
function dueBetween(
  job: NativeJob,
  { anchor }: Progress,
  from: string,
  to: string,
  limit: number,
): readonly string[] {
  const schedule = scheduleOf(job.trigger, instantToMs(anchor));
  if (schedule === undefined || to <= from) return [];
  return newestTimes(schedule, instantToMs(from), instantToMs(to), limit).map(toSecond);
}

const DAY_MS = 86_400_000;

/** Searches backwards in spans that double, so that finding a few of many due times does not walk all of them. */
function newestTimes(
  schedule: Schedule,
  from: number,
  to: number,
  limit: number,
): readonly number[] {
  for (let span = DAY_MS; ; span *= 2) {
    const start = Math.max(from, to - span);
    const found: number[] = [];
    for (const at of schedule.after(start)) {
      if (at > to) break;
      found.push(at);
    }
    if (found.length >= limit || start === from) return found.slice(-limit).reverse();
  }
}
