import type { Log } from "../base/log.ts";
import { MAX_DELIVERIES } from "../domain/cron/catch-up.ts";
import { type HeldBy, isHeldForGood } from "../domain/cron/held.ts";
import { lookAtJob, takeStep } from "../ops/cron/deliver.ts";
import type { Deps } from "../ops/deps.ts";
import { TermOver } from "../ops/term.ts";

/** Deliveries that wait for the disk together; each is a transaction of its own within the store's batch. */
const TOGETHER = 16;

interface Swept {
  readonly jobs: number;
  readonly children: number;
}

type Needs = Pick<Deps, "store" | "clock" | "ids"> & { readonly log: Log };

/**
 * One pass over all native jobs: what came due becomes children of their parents (facts cron-and-inbox 8.4). Every
 * step is whole by itself, so a pass may end anywhere; the checkpoints say where the next one goes on.
 */
export async function sweepJobs(
  deps: Needs,
  signal?: AbortSignal,
  held: HeldJobs = new Map(),
): Promise<Swept> {
  const { store, clock, log } = deps;
  const nowMs = Math.floor(clock.nowMs() / 1000) * 1000;
  const jobs = await store.read(async (reader) => await reader.cron.nativeJobs());
  let [delivering, children] = [0, 0];
  for (const { uid } of jobs) {
    if (signal?.aborted === true) break;
    try {
      const made = await sweepJob(deps, uid, nowMs, { signal, held });
      delivering += made === 0 ? 0 : 1;
      children += made;
    } catch (error) {
      if (error instanceof TermOver) throw error;
      log.warn("cron.job_failed", { job_uid: uid, error });
    }
  }
  return { jobs: delivering, children };
}

/** By uid of a job that does not run, the reason that the log has: it is logged once for each change. */
export type HeldJobs = Map<string, HeldBy>;

function logHeld(log: Log, held: HeldJobs, uid: string, by: HeldBy | undefined): void {
  const before = held.get(uid);
  if (before === by) return;
  if (by === undefined) {
    held.delete(uid);
    log.info("cron.job_released", { job_uid: uid, reason: before });
    return;
  }
  held.set(uid, by);
  // Facts cron-and-inbox 8.1 names the field of a checkpoint that is missing.
  const reason = by === "progress_invalid" ? "cron_progress_invalid" : by;
  if (isHeldForGood(by)) log.warn("cron.job_held", { job_uid: uid, reason });
  else log.info("cron.job_held", { job_uid: uid, reason });
}

async function sweepJob(
  deps: Needs,
  uid: string,
  nowMs: number,
  { signal, held }: { readonly signal: AbortSignal | undefined; readonly held: HeldJobs },
): Promise<number> {
  const { store, log } = deps;
  const looked = await store.read(async (reader) => await lookAtJob(reader, uid, nowMs));
  logHeld(log, held, uid, "held" in looked ? looked.held : undefined);
  if ("held" in looked) return 0;
  if (looked.step.kind === "rest") return 0;
  let children = 0;
  let going = true;
  while (going && children < MAX_DELIVERIES && signal?.aborted !== true) {
    const more = looked.step.kind === "deliver" && looked.step.more;
    const count = more ? Math.min(TOGETHER, MAX_DELIVERIES - children) : 1;
    const steps = Array.from({ length: count }, async () => await takeStep(deps, uid, nowMs));
    for (const taken of await Promise.all(steps)) {
      going &&= taken.kind === "delivered" && taken.more;
      if (taken.kind !== "delivered") continue;
      children += 1;
      if (!taken.asked) log.warn("cron.nobody_asked", { job_uid: uid });
    }
  }
  return children;
}
