import { instantToMs } from "../../base/clock.ts";
import type { HeldBy } from "./held.ts";
import type { CatchUp, NativeJob } from "./job.ts";
import { type Progress, toSecond } from "./progress.ts";
import { type Schedule, scheduleOf } from "./schedule.ts";

/** What became of an occurrence that came due. */
export interface LedgerEntry {
  readonly at: string;
  readonly outcome: "delivered" | "discarded" | "pending";
  /** Whole seconds from its time to its delivery. */
  readonly late_seconds?: number;
  readonly child_uid?: string;
  /** The policy that discarded it. */
  readonly policy?: CatchUp;
  /** When it was delivered or discarded. */
  readonly settled_at?: string;
  /** What held the job when it came due. */
  readonly held?: HeldBy;
}

/** A checkpoint as an event wrote it, with what was in force then. */
export interface Settled {
  /** Of the event; what was in force is told by the order of the log. */
  readonly id: number;
  readonly at: string;
  readonly from: Progress;
  readonly to: Progress;
}

/** From an instant on a thing is so, until the next turn of the same thing. */
export interface Turn {
  readonly at: string;
  readonly held: HeldBy | undefined;
}

/** The job's document from an event on; absent where it was none that could be delivered. */
export interface Version {
  readonly id: number;
  readonly job: NativeJob | undefined;
}

export interface History {
  readonly versions: readonly Version[];
  /** Of the job, of its parent and of its project: each in order of time. */
  readonly turns: readonly (readonly Turn[])[];
}

/**
 * The occurrences that a checkpoint settled, newest first: one was delivered, or none, and the others were discarded
 * by the policy of the definition that was in force.
 */
export function settledEntries(
  { id, at, from, to }: Settled,
  history: History,
  before: string | undefined,
  limit: number,
): readonly LedgerEntry[] {
  const job = inForce(history.versions, id);
  if (job === undefined || to.through <= from.through) return [];
  const due = dueBetween(job, to, from.through, earlier(to.through, before), limit);
  return due.map((occurrence) => {
    const held = heldAt(history, occurrence);
    const common = { at: occurrence, settled_at: at, ...(held === undefined ? {} : { held }) };
    const isDelivery =
      occurrence === to.last_occurrence && to.last_child_uid !== from.last_child_uid;
    if (!isDelivery || to.last_child_uid === null)
      return { ...common, outcome: "discarded", policy: job.catchup };
    const late = Math.max(0, Math.floor((instantToMs(at) - instantToMs(occurrence)) / 1000));
    return { ...common, outcome: "delivered", child_uid: to.last_child_uid, late_seconds: late };
  });
}

/** The occurrences that came due by now and are not settled, newest first. */
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
  return dueBetween(job, progress, progress.through, earlier(now, before), limit).map((at) => {
    const held = heldAt(history, now) ?? heldAt(history, at);
    return { at, outcome: "pending", ...(held === undefined ? {} : { held }) };
  });
}

/** What holds the job at an instant. */
function heldAt({ turns }: History, at: string): HeldBy | undefined {
  for (const thing of turns) {
    const turn = thing.findLast((one) => instantToMs(one.at) <= instantToMs(at));
    if (turn?.held !== undefined) return turn.held;
  }
  return undefined;
}

function inForce(versions: readonly Version[], id: number): NativeJob | undefined {
  return versions.findLast((version) => version.id < id)?.job;
}

/** `before` itself is left out. */
function earlier(end: string, before: string | undefined): string {
  if (before === undefined || before > end) return end;
  return toSecond(instantToMs(before) - 1);
}

/** Newest first, of all after `from` and up to `to`. */
function dueBetween(
  job: NativeJob,
  { anchor }: Progress,
  from: string,
  to: string,
  limit: number,
): readonly string[] {
  const schedule = scheduleOf(job.trigger, instantToMs(anchor));
  if (schedule === undefined || to <= from) return [];
  return newest(schedule, instantToMs(from), instantToMs(to), limit).map(toSecond);
}

const DAY_MS = 86_400_000;

/** Looks back from the end in spans that double, so that few of very many are found without walking through all. */
function newest(schedule: Schedule, from: number, to: number, limit: number): readonly number[] {
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
