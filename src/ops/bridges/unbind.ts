import type { unbindExternalRoot as contract } from "../../contract/bridges.ts";
import { SvcError } from "../../contract/errors.ts";
import { externalRootUnbound } from "../../domain/drafts/bridges.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requireBoundAnywhere, requireNoRun, UNCLAIMED } from "./bound.ts";
import { bridgeOut } from "./bridge-out.ts";
import { putBridge } from "./run.ts";

/** Ends the bridge. The issue keeps its words and comments, and the root is never bound to another issue. */
export const unbindExternalRoot: Op<typeof contract> = async (
  { store },
  who,
  { params, query },
) => {
  const actor = actorOf(who, query.actor);
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
};
