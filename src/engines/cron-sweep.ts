import type { Log } from "../base/log.ts";
import { MAX_DELIVERIES, type Step } from "../domain/cron/catch-up.ts";
import { isStoppedForGood, type StoppedBy } from "../domain/cron/stopped.ts";
import type { Delivery } from "../ops/cron/deliver.ts";
import { planStep } from "../ops/cron/deliver.ts";
import { deliverDue, deliverPage } from "../ops/cron/sweep.ts";
import type { Deps } from "../ops/deps.ts";
import { TermOver } from "../ops/term.ts";
import type { Bulk, BulkWrite } from "./bulk-write.ts";

interface SweepResult {
  readonly jobs: number;
  readonly children: number;
}

interface SweepDeps extends Pick<Deps, "store" | "clock" | "ids"> {
  readonly log: Log;
  /** Without `bulk`, each delivery is a write of its own. */
  readonly bulk?: Bulk;
}

type DeliveryResult = { readonly made: readonly Delivery[]; readonly more: boolean };

export const deliverOccurrences: BulkWrite<
  { readonly uid: string; readonly nowMs: number },
  DeliveryResult
> = {
  name: "cron.deliver",
  run: async (deps, job) => await deliverPage(deps, job),
};

/**
 * Goes through all native jobs (those that the daemon itself delivers) once and turns due occurrences into child issues
 * (docs/contract/cron-and-inbox.md#84-the-sweep). A pass may end after any step. The next pass continues from the
 * stored progress.
 */
export async function sweepJobs(
  deps: SweepDeps,
  signal?: AbortSignal,
  stopped: StoppedJobs = new Map(),
): Promise<SweepResult> {
  const { store, clock, log } = deps;
  const nowMs = Math.floor(clock.nowMs() / 1000) * 1000;
  const jobs = await store.read(async (reader) => await reader.cron.nativeJobs());
  let [delivering, children] = [0, 0];
  for (const { uid } of jobs) {
    if (signal?.aborted === true) break;
    try {
      const made = await sweepJob(deps, uid, nowMs, { signal, stopped });
      delivering += made === 0 ? 0 : 1;
      children += made;
    } catch (error) {
      if (error instanceof TermOver) throw error;
      log.warn("cron.job_failed", { job_uid: uid, error });
    }
  }
  return { jobs: delivering, children };
}

/** The reason why each job is stopped, by the uid of the job. A reason is logged only when it changes. */
export type StoppedJobs = Map<string, StoppedBy>;

function logStopped(log: Log, stopped: StoppedJobs, uid: string, by: StoppedBy | undefined): void {
  const before = stopped.get(uid);
  if (before === by) return;
  if (by === undefined) {
    stopped.delete(uid);
    log.info("cron.job_released", { job_uid: uid, reason: before });
    return;
  }
  stopped.set(uid, by);
  // In the log, this reason has another name (docs/contract/cron-and-inbox.md#81-when-a-job-delivers).
  const reason = by === "progress_invalid" ? "cron_progress_invalid" : by;
  if (isStoppedForGood(by)) log.warn("cron.job_held", { job_uid: uid, reason });
  else log.info("cron.job_held", { job_uid: uid, reason });
}

async function sweepJob(
  deps: SweepDeps,
  uid: string,
  nowMs: number,
  { signal, stopped }: { readonly signal: AbortSignal | undefined; readonly stopped: StoppedJobs },
): Promise<number> {
  const { store, log } = deps;
  const plan = await store.read(async (reader) => await planStep(reader, uid, nowMs));
  logStopped(log, stopped, uid, "stopped" in plan ? plan.stopped : undefined);
  if ("stopped" in plan) return 0;
  const made = await deliverStep(deps, uid, plan.step, { nowMs, signal });
  for (const { asked } of made)
    if (asked === undefined) log.warn("cron.nobody_asked", { job_uid: uid });
  return made.length;
}

interface SweepMoment {
  readonly nowMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Makes the due deliveries of one job. If there are many, writes them in pages. If a page fails, makes the remaining
 * deliveries one by one, because perhaps only one of them cannot be made.
 */
async function deliverStep(
  deps: SweepDeps,
  uid: string,
  step: Step,
  { nowMs, signal }: SweepMoment,
): Promise<readonly Delivery[]> {
  const { bulk } = deps;
  if (bulk === undefined || step.kind !== "deliver" || !step.more)
    return await deliverDue(deps, uid, step, nowMs, signal);
  const all: Delivery[] = [];
  try {
    for (let more = true; more && all.length < MAX_DELIVERIES && signal?.aborted !== true; ) {
      const page = await bulk(deliverOccurrences, { uid, nowMs });
      all.push(...page.made);
      ({ more } = page);
    }
    return all;
  } catch (error) {
    if (error instanceof TermOver || signal?.aborted === true) throw error;
    deps.log.warn("cron.page_failed", { job_uid: uid, error });
    return [...all, ...(await deliverDue(deps, uid, step, nowMs, signal))];
  }
}
