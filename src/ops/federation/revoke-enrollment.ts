import { SvcError } from "../../contract/errors.ts";
import type { revokeFederationEnrollment as contract } from "../../contract/federation.ts";
import { requireWriter } from "../actor.ts";
import type { Op } from "../deps.ts";
import { endLeasesOf } from "./ended-grants.ts";

/**
 * Revokes an enrollment, and ends the leases of the spoke that nobody can return any more. An enrollment that was
 * revoked before keeps the time of its revocation.
 */
export const revokeFederationEnrollment: Op<typeof contract> = async (
  { store },
  who,
  { params: { enrollment_id: id } },
) => {
  requireWriter(who);
  const spoke = await store.write(async ({ unfolded, now }) => {
    const known = await unfolded.find("federation_enrollment", { id });
    if (known === undefined) throw new SvcError("federation_enrollment_not_found", { id });
    if (known.revoked_at === null)
      await unfolded.put("federation_enrollment", { ...known, revoked_at: now, updated_at: now });
    return known.spoke_instance_uid;
  });
  await endLeasesOf(store, spoke);
  return { id, revoked: true };
};
