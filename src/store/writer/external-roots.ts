import { SvcError } from "../../contract/errors.ts";
import type { BridgeClaim, Bridges, StoredBridge } from "../types/bridges.ts";

/** Returns the bridge of the claim. Throws `external_root_claim_lost` if its run must end. */
export async function requireClaim(
  bridges: Pick<Bridges, "byUid">,
  { binding_uid, claim_token }: BridgeClaim,
): Promise<StoredBridge> {
  const bridge = await bridges.byUid(binding_uid);
  if (
    bridge === undefined ||
    bridge.active === 0 ||
    bridge.enabled === 0 ||
    bridge.claim_token !== claim_token
  )
    throw new SvcError("external_root_claim_lost", { binding_uid });
  return bridge;
}
