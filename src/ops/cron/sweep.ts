import type { sweepCronJob as contract } from "../../contract/cron-ledger.ts";
import { invalidField, SvcError } from "../../contract/errors.ts";
import { MAX_DELIVERIES, type Step } from "../../domain/cron/catch-up.ts";
import { toSecond, wholeSecond } from "../../domain/cron/progress.ts";
import type { Deps, Op } from "../deps.ts";
import { requireSmallWork } from "../small-work.ts";
import { comingOf, headOf, nextOf } from "./coming.ts";
import { JOB, requireDefinition } from "./definitions.ts";
import { applyStep, type Delivery, planStep, stepIn } from "./deliver.ts";

/**
 * The number of deliveries that begin at once. Each delivery is its own write. The store combines writes that wait at
 * the same time into one transaction, so these deliveries cost one commit.
 */
const DELIVERIES_AT_ONCE = 16;

/**
 * Makes all deliveries of one job that are due, at most 1000. `step` is the next step that the caller planned. It only
 * tells whether no, one or several deliveries are due. Each step is planned again inside its own write. So several
 * sweeps of one job may run at the same time, and each delivery is made only once.
 */
export async function deliverDue(
  deps: Pick<Deps, "store" | "ids">,
  uid: string,
  step: Step,
  nowMs: number,
  signal?: AbortSignal,
): Promise<readonly Delivery[]> {
  if (step.kind === "rest") return [];
  const delivered: Delivery[] = [];
  let going = true;
  while (going && delivered.length < MAX_DELIVERIES && signal?.aborted !== true) {
    const more = step.kind === "deliver" && step.more;
    const count = more ? Math.min(DELIVERIES_AT_ONCE, MAX_DELIVERIES - delivered.length) : 1;
    const steps = Array.from({ length: count }, async () => await applyStep(deps, uid, nowMs));
    for (const result of await Promise.all(steps)) {
      going &&= result.kind === "delivered" && result.more;
      if (result.kind === "delivered") delivered.push(result.child);
    }
  }
  return delivered;
}

/** At most this many deliveries are made in one write, so that other writes do not wait for long. */
const PAGE_DELIVERIES = 100;

/**
 * Makes up to `PAGE_DELIVERIES` due deliveries of one job in one write. The write is too large for the daemon's own
 * thread. If one delivery fails, none is made, and the caller uses `deliverDue`, which makes the deliveries one by one.
 * `more` says whether further deliveries are due.
 */
export async function deliverPage(
  { store, ids, smallWorkOnly }: Pick<Deps, "store" | "ids" | "smallWorkOnly">,
  { uid, nowMs }: { readonly uid: string; readonly nowMs: number },
): Promise<{ readonly made: readonly Delivery[]; readonly more: boolean }> {
  requireSmallWork(smallWorkOnly, PAGE_DELIVERIES);
  return await store.write(async (tx) => {
    const delivered: Delivery[] = [];
    let more = true;
    while (more && delivered.length < PAGE_DELIVERIES) {
      const result = await stepIn(tx, ids, uid, nowMs);
      more = result.kind === "delivered" && result.more;
      if (result.kind === "delivered") delivered.push(result.child);
    }
    return { made: delivered, more };
  });
}

/**
 * Sweeps one job now: delivers what the engine's next sweep would deliver for it, and nothing else. A job of a copy is
 * refused (`federated_admin_required`), since its hub delivers.
 */
export const sweepCronJob: Op<typeof contract, "store" | "clock" | "ids" | "settings"> = async (
  deps,
  _who,
  { params },
) => {
  const { store, clock, settings } = deps;
  const nowMs = wholeSecond(clock.nowMs());
  const uid = params.cron_uid.toUpperCase();
  const plan = await store.read(async (reader) => {
    const { row } = await requireDefinition(reader, JOB, params);
    if ((row.parent_uid ?? null) === null)
      throw invalidField("cron_uid", "is no recurring job of svc", "an adapter runs this job");
    const { project_uid } = row;
    const binding = await reader.unfolded.find("federation_binding", { project_uid });
    if (binding?.role === "spoke") throw new SvcError("federated_admin_required", { project_uid });
    return await planStep(reader, uid, nowMs);
  });
  const delivered = "stopped" in plan ? [] : await deliverDue(deps, uid, plan.step, nowMs);
  return await store.read(async (reader) => {
    const found = await requireDefinition(reader, JOB, params);
    const coming = await comingOf(reader, found, settings.timezone);
    const next = nextOf(coming, nowMs);
    const after = await planStep(reader, uid, nowMs);
    return {
      job: headOf(found, coming.held),
      now: toSecond(nowMs),
      made: delivered.map((one) => ({ ...one })),
      more: "step" in after && after.step.kind !== "rest",
      ...(next === undefined ? {} : { next_at: next }),
    };
  });
};
