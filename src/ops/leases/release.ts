import type { releaseIssueLease as contract } from "../../contract/leases.ts";
import type { Input, Output } from "../../contract/route.ts";
import { ended, requireHolder } from "../../domain/leases.ts";
import type { LeaseRow } from "../../domain/state.ts";
import type { Tx } from "../../store/types.ts";
import type { Deps, Principal } from "../deps.ts";
import { type Found, requireIssue } from "../find.ts";
import { eventOut } from "../out/events.ts";
import { askerOf, leaseUnderFence, requireLease } from "./ask.ts";
import { grantedOut } from "./out.ts";

export async function releaseIssueLease(
  deps: Pick<Deps, "store" | "fence">,
  who: Principal,
  input: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const { actor, holder } = askerOf(who, input, deps.store.instanceUid);
  return await deps.store.write(async (tx) => {
    const found = await requireIssue(tx, input.params);
    const lease = requireHolder(await leaseUnderFence(tx, found.issue, deps.fence), holder);
    return await endLease(tx, found, lease, {
      type: "claim.released",
      actor,
      reason: input.body.reason,
    });
  });
}

interface End {
  readonly type: "claim.released" | "claim.force_released";
  readonly actor: string;
  readonly reason: string | undefined;
}

export async function endLease(
  tx: Tx,
  { project, issue }: Found,
  lease: LeaseRow,
  { type, actor, reason }: End,
) {
  const event = await tx.append(
    ended(type, issue, lease, reason, { actor, now: await tx.leaseNow() }),
  );
  return {
    ...grantedOut(await requireLease(tx, issue), issue, false),
    event: eventOut(event, project, { issue }),
  };
}
