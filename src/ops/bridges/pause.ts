import type { pauseExternalRootBridge as contract } from "../../contract/bridges.ts";
import type { Input, Output } from "../../contract/route.ts";
import { externalRootPaused } from "../../domain/drafts/bridges.ts";
import { actorOf } from "../actor.ts";
import type { Principal } from "../deps.ts";
import { requireBound, requireNoRun, UNCLAIMED } from "./bound.ts";
import { bridgeOut } from "./bridge-out.ts";
import { requireConnectors } from "./require-client.ts";
import { putBridge, type RunDeps } from "./run.ts";

/** Pauses the bridge. Refused while a run works on it. A bridge that is paused stays as it is. */
export async function pauseExternalRootBridge(
  { store, roots }: Pick<RunDeps, "store" | "roots">,
  who: Principal,
  { params, body }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const actor = actorOf(who, body.actor);
  requireConnectors(roots);
  const reason = body.reason?.trim() ?? "";
  return await store.write(async (tx) => {
    const bound = await requireBound(tx, params);
    const { bridge, issue } = bound;
    requireNoRun(tx, bridge);
    if (bridge.enabled === 0) return await bridgeOut(tx, bound);
    const paused_reason = reason === "" ? null : reason;
    const after = await putBridge(tx, bridge, { ...UNCLAIMED, enabled: 0, paused_reason });
    await tx.append(externalRootPaused(issue, after, paused_reason, { actor, now: tx.now }));
    return await bridgeOut(tx, { ...bound, bridge: after });
  });
}
