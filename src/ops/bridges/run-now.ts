import type {
  reconcileExternalRootByKey as byKey,
  reconcileExternalRootBridge as contract,
} from "../../contract/bridges.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Input, Output } from "../../contract/route.ts";
import { actorOf, requireWriter } from "../actor.ts";
import type { Principal } from "../deps.ts";
import { boundOf, requireBound } from "./bound.ts";
import { bridgeOut } from "./bridge-out.ts";
import { asRefusal } from "./faults.ts";
import { reconcile } from "./reconcile.ts";
import { requireConnectors } from "./require-client.ts";
import { claimBridge, type RunDeps, TO_THE_END } from "./run.ts";

type RunOut = Output<typeof contract>;

/** Reconciles the issue now, also if no run is due. Refused while another run has the bridge, and while it is paused. */
export async function reconcileExternalRootBridge(
  deps: RunDeps,
  who: Principal,
  { params, body }: Input<typeof contract>,
): Promise<RunOut> {
  actorOf(who, body.actor);
  requireConnectors(deps.roots);
  const { bridge } = await deps.store.read(async (reader) => await requireBound(reader, params));
  return await runNow(deps, bridge.uid);
}

/** Reconciles the issue that is bound to the root with this key. */
export async function reconcileExternalRootByKey(
  deps: RunDeps,
  who: Principal,
  { params, body }: Input<typeof byKey>,
): Promise<RunOut> {
  requireWriter(who);
  requireConnectors(deps.roots);
  const bridge = await deps.store.read(
    async ({ bridges }) => await bridges.ofRoot(params.instance, body.root_key),
  );
  if (bridge === undefined) throw new SvcError("bridge_not_found");
  return await runNow(deps, bridge.uid);
}

async function runNow(deps: RunDeps, uid: string): Promise<RunOut> {
  const claim = await claimBridge(deps, uid, true);
  if (claim === undefined) throw new SvcError("external_root_claim_lost", {});
  try {
    const counts = await reconcile(deps, claim, TO_THE_END);
    return await deps.store.read(async (reader) => {
      const bridge = await reader.bridges.byUid(uid);
      if (bridge === undefined) throw new SvcError("bridge_not_found");
      return { bridge: await bridgeOut(reader, await boundOf(reader, bridge)), ...counts };
    });
  } catch (error) {
    throw asRefusal(error);
  }
}
