import type { resumeExternalRootBridge as contract } from "../../contract/bridges.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Input, Output } from "../../contract/route.ts";
import { pauseOfAccount, pauseOfRoot } from "../../domain/bridges/pauses.ts";
import { externalRootResumed } from "../../domain/drafts/bridges.ts";
import type { BridgeRow } from "../../store/types/bridges.ts";
import { actorOf } from "../actor.ts";
import type { Principal } from "../deps.ts";
import { requirePublishing } from "./bind.ts";
import { requireBound, UNCLAIMED } from "./bound.ts";
import { bridgeOut } from "./bridge-out.ts";
import type { ConnectorClient } from "./far-side.ts";
import { conflict, withRefusals } from "./faults.ts";
import { requireClient, requireConnectors } from "./require-client.ts";
import { putBridge, type RunDeps } from "./run.ts";

/** Ends a pause, if the connector still has the account and the root of the bridge. Otherwise it stays paused. */
export async function resumeExternalRootBridge(
  { store, roots }: Pick<RunDeps, "store" | "roots">,
  who: Principal,
  { params, body }: Input<typeof contract>,
  gone: AbortSignal,
): Promise<Output<typeof contract>> {
  const actor = actorOf(who, body.actor);
  requireConnectors(roots);
  const before = await store.read(async (reader) => await requireBound(reader, params));
  if (before.bridge.enabled === 1)
    return await store.read(async (reader) => await bridgeOut(reader, before));
  const client = requireClient(roots, before.bridge.connector_instance, gone);
  await withRefusals(async () => await requireSame(client, before.bridge));
  return await store.write(async (tx) => {
    const bound = await requireBound(tx, params);
    if (bound.bridge.uid !== before.bridge.uid) throw new SvcError("bridge_not_found");
    if (bound.bridge.enabled === 1) return await bridgeOut(tx, bound);
    const change = { ...UNCLAIMED, paused_reason: null, next_attempt_at: null };
    const bridge = await putBridge(tx, bound.bridge, { ...change, enabled: 1 });
    await tx.append(externalRootResumed(bound.issue, bridge, { actor, now: tx.now }));
    return await bridgeOut(tx, { ...bound, bridge });
  });
}

/** Throws unless account and root are those of the bridge, and the connector can publish where that is wanted. */
export async function requireSame(client: ConnectorClient, bridge: BridgeRow): Promise<void> {
  const described = await client.describe();
  if (pauseOfAccount(bridge, described) !== undefined)
    throw conflict("the connector has another account than at the bind");
  if (bridge.publish_comments === 1) requirePublishing(described);
  const root = await client.readRoot(bridge.external_root_key);
  const reason = pauseOfRoot(bridge, root);
  if (reason === "external_root_deleted") throw conflict("the root is deleted");
  if (reason !== undefined) throw conflict("the root is another one than at the bind");
}
