import { instantToMs } from "../../base/clock.ts";
import type { NativeJob } from "./job.ts";
import { type Progress, type Scan, toSecond } from "./progress.ts";
import { type Schedule, scheduleOf } from "./schedule.ts";

/** The next action for a job (docs/contract/cron-and-inbox.md#84-the-sweep). */
export type Step =
  /**
   * The occurrence `at` is due. The caller creates its child issue, adds the child's uid to `progress` and stores
   * `progress`.
   */
  | {
      readonly kind: "deliver";
      readonly at: string;
      readonly progress: Progress;
      readonly more: boolean;
    }
  | { readonly kind: "advance"; readonly progress: Progress }
  | { readonly kind: "rest" };

/**
 * Maximum occurrences that one step scans for a calendar job with catchup `latest`
 * (docs/contract/cron-and-inbox.md#14-limits).
 */
const MAX_SCAN = 20_000;

/** Maximum children that one sweep creates for a job (docs/contract/cron-and-inbox.md#14-limits). */
export const MAX_DELIVERIES = 1000;

export interface Look {
  readonly job: NativeJob;
  readonly definition_event_uid: string;
  readonly progress: Progress;
  readonly nowMs: number;
}

/** Decides the next step of a job. In the returned step, `more` means that another step is due at once. */
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
  const at = firstOf(schedule.after(instantToMs(progress.through)));
  return at === undefined || at > nowMs ? REST : deliveryStep(progress, toSecond(at), true);
}

/**
 * Skips the occurrences that are older than the grace period, and delivers the next one. An occurrence whose age is
 * exactly the grace period is delivered.
 */
function skipThenDeliver(schedule: Schedule, { progress, nowMs }: Look, grace: number): Step {
  // The newest occurrence time that is too old.
  const through = toSecond(nowMs - (grace + 1) * 1000);
  const next = firstOf(schedule.after(instantToMs(progress.through)));
  const discards = next !== undefined && toSecond(next) <= through;
  const from = discards ? { ...progress, scan: null, through } : progress;
  const step = deliverNext(schedule, from, nowMs);
  return step.kind === "rest" && discards ? { kind: "advance", progress: from } : step;
}

function deliverNewest(newest: number | undefined, progress: Progress): Step {
  const at = newest === undefined ? undefined : toSecond(newest);
  return at === undefined || at <= progress.through ? REST : deliveryStep(progress, at, false);
}

/**
 * Finds the newest missed occurrence up to the time when the scan began (`horizon`) and delivers it. A long scan
 * continues in later sweeps; a changed definition restarts it.
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
  if (candidate !== null) return deliveryStep(progress, candidate, false);
  return progress.scan === null ? REST : { kind: "advance", progress: { ...progress, scan: null } };
}

function deliveryStep(progress: Progress, at: string, more: boolean): Step {
  const settled = { ...progress, through: at, last_occurrence: at, scan: null };
  return { kind: "deliver", at, progress: settled, more };
}

function firstOf(instants: Iterable<number>): number | undefined {
  for (const at of instants) return at;
  return undefined;
}
