import { instantToMs } from "../../base/clock.ts";
import type { NativeJob } from "./job.ts";
import { type Progress, type Scan, toSecond } from "./progress.ts";
import { type Schedule, scheduleOf } from "./schedule.ts";

/** What one look at a job asks for (facts cron-and-inbox 8.4). */
export type Step =
  /** Make the child of an occurrence; `progress` is the checkpoint with it, but for the child. */
  | {
      readonly kind: "deliver";
      readonly at: string;
      readonly progress: Progress;
      readonly more: boolean;
    }
  /** Only write the checkpoint. */
  | { readonly kind: "advance"; readonly progress: Progress }
  | { readonly kind: "rest" };

/** Occurrences that one look at a `latest` calendar goes through (doc 2, Limits). */
export const MAX_SCAN = 20_000;

/** Children that one sweep makes of a job (doc 2, Limits). */
export const MAX_DELIVERIES = 1000;

export interface Look {
  readonly job: NativeJob;
  readonly definition_event_uid: string;
  readonly progress: Progress;
  /** A whole second. */
  readonly nowMs: number;
}

/** The next thing to do for a job whose checkpoint is well-formed. After `more` another look is worth it. */
export function nextStep(look: Look): Step {
  const { job, progress, nowMs } = look;
  const schedule = scheduleOf(job.trigger, instantToMs(progress.anchor));
  if (schedule === undefined) return REST;
  switch (job.catchup) {
    case "all":
      return deliverNext(schedule, progress, nowMs);
    case "skip":
      return skipThenDeliver(schedule, look, job.grace_seconds ?? 0);
    case "latest":
      return schedule.newest === undefined
        ? scanForNewest(schedule, look)
        : deliverNewest(schedule.newest(nowMs), progress);
  }
}

const REST: Step = { kind: "rest" };

function deliverNext(schedule: Schedule, progress: Progress, nowMs: number): Step {
  const at = first(schedule.after(instantToMs(progress.through)));
  return at === undefined || at > nowMs ? REST : delivery(progress, toSecond(at), true);
}

/** What is older than the grace is discarded unseen; an occurrence exactly at the edge is delivered. */
function skipThenDeliver(schedule: Schedule, { progress, nowMs }: Look, grace: number): Step {
  const edge = nowMs - grace * 1000;
  const next = first(schedule.after(instantToMs(progress.through)));
  const discards = next !== undefined && next < edge;
  const from = discards ? { ...progress, scan: null, through: toSecond(edge - 1000) } : progress;
  const step = deliverNext(schedule, from, nowMs);
  return step.kind === "rest" && discards ? { kind: "advance", progress: from } : step;
}

function deliverNewest(newest: number | undefined, progress: Progress): Step {
  const at = newest === undefined ? undefined : toSecond(newest);
  return at === undefined || at <= progress.through ? REST : delivery(progress, at, false);
}

/**
 * Goes through what was missed up to a fixed horizon, in as many sweeps as it takes, and delivers the last of it. A
 * changed definition starts it anew.
 */
function scanForNewest(schedule: Schedule, { definition_event_uid, progress, nowMs }: Look): Step {
  const kept = progress.scan?.definition_event_uid === definition_event_uid ? progress.scan : null;
  const scan: Scan = kept ?? {
    definition_event_uid,
    horizon: toSecond(nowMs),
    cursor: progress.through,
    candidate: null,
  };
  if (scan.horizon < scan.cursor) return REST;
  const horizon = instantToMs(scan.horizon);
  let [steps, newest] = [0, undefined as number | undefined];
  for (const at of schedule.after(instantToMs(scan.cursor))) {
    if (at > horizon) break;
    newest = at;
    if (++steps === MAX_SCAN) {
      const cursor = toSecond(at);
      return {
        kind: "advance",
        progress: { ...progress, scan: { ...scan, cursor, candidate: cursor } },
      };
    }
  }
  const candidate = newest === undefined ? scan.candidate : toSecond(newest);
  if (candidate !== null) return delivery(progress, candidate, false);
  return progress.scan === null ? REST : { kind: "advance", progress: { ...progress, scan: null } };
}

function delivery(progress: Progress, at: string, more: boolean): Step {
  const settled = { ...progress, through: at, last_occurrence: at, scan: null };
  return { kind: "deliver", at, progress: settled, more };
}

function first(instants: Iterable<number>): number | undefined {
  for (const at of instants) return at;
  return undefined;
}
