import type { unbindExternalRoot as contract } from "../../contract/bridges.ts";
import { SvcError } from "../../contract/errors.ts";
import type { Input, Output } from "../../contract/route.ts";
import { externalRootUnbound } from "../../domain/drafts/bridges.ts";
import { actorOf } from "../actor.ts";
import type { Principal } from "../deps.ts";
import { requireBoundAnywhere, requireNoRun, UNCLAIMED } from "./bound.ts";
import { bridgeOut } from "./bridge-out.ts";
import { requireConnectors } from "./require-client.ts";
import { putBridge, type RunDeps } from "./run.ts";

/** Ends the bridge. The issue keeps its words and comments, and the root is never bound to another issue. */
export async function unbindExternalRoot(
  { store, roots }: Pick<RunDeps, "store" | "roots">,
  who: Principal,
  { params, query }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const actor = actorOf(who, query.actor);
  requireConnectors(roots);
  return await store.write(async (tx) => {
    const bound = await requireBoundAnywhere(tx, params);
    const { bridge, issue } = bound;
    requireNoRun(tx, bridge);
    const { pending_comment_uid } = bridge;
    if (pending_comment_uid !== null)
      throw new SvcError("external_comment_pending", { pending_comment_uid });
    const ended = { active: 0, enabled: 0, unbound_at: tx.now } as const;
    const after = await putBridge(tx, bridge, { ...UNCLAIMED, ...ended });
    await tx.append(externalRootUnbound(issue, after, { actor, now: tx.now }));
    return await bridgeOut(tx, { ...bound, bridge: after });
  });
}
