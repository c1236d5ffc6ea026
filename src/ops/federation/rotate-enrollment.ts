import type { rotateFederationEnrollment as contract } from "../../contract/federation.ts";
import type { Op } from "../deps.ts";
import { findOrMakeEnrollment, grantOf } from "./create-enrollment.ts";
import { endLeasesOf } from "./ended-grants.ts";
import { enrollmentOut } from "./enrollment-out.ts";

/**
 * Makes an enrollment with another token, and ends all others of the same spoke for the same project, in one write
 * (docs/contract/federation.md#32-enrollments). A repeated request is answered with the same enrollment.
 */
export const rotateFederationEnrollment: Op<typeof contract> = async ({ store }, who, { body }) => {
  const { token, project_id } = body;
  const asked = grantOf(store, who, body);
  const row = await store.write(async (tx) => await findOrMakeEnrollment(tx, who, asked, "rotate"));
  // The new enrollment may permit less than the old one.
  if (!row.capabilities.includes("claim")) await endLeasesOf(store, row.spoke_instance_uid);
  return { ...enrollmentOut(row, project_id), token };
};
