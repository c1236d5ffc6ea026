import { sha256Hex } from "../../base/hash.ts";
import { newSecret } from "../../base/secret.ts";
import { invalidField, SvcError } from "../../contract/errors.ts";
import type { createFederationEnrollment as contract } from "../../contract/federation.ts";
import type { Input } from "../../contract/route.ts";
import { RIGHTS } from "../../domain/access/rights.ts";
import { canonicalCapabilities } from "../../domain/federation/capabilities.ts";
import {
  type GrantAttributes,
  type GrantEvent,
  nextGrants,
} from "../../domain/federation/grants.ts";
import type { EnrollmentRow } from "../../store/types/federation.ts";
import type { Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Op, OpStore, Principal } from "../deps.ts";
import { requireProject } from "../find.ts";
import { requireHub } from "./binding.ts";
import { enrollmentOut } from "./enrollment-out.ts";

/** A request for an enrollment, checked and in its canonical form. */
interface AskedGrant {
  readonly spoke_instance_uid: string;
  readonly project_id: number | null;
  readonly capabilities: readonly string[];
  readonly bound_actor: string;
  readonly allow_adoption_snapshot_authors: 0 | 1;
  readonly token_hash: string;
}

/**
 * Makes an enrollment, or returns the one that the same request made before
 * (docs/contract/federation.md#32-enrollments). An enrollment for all projects includes projects that are created
 * later, so only a caller who may administer tokens can make one.
 */
export const createFederationEnrollment: Op<typeof contract> = async ({ store }, who, { body }) => {
  const token = body.token ?? `svc_fed_${newSecret()}`;
  const asked = grantOf(store, who, { ...body, token });
  const row = await store.write(async (tx) => await findOrMakeEnrollment(tx, who, asked, "create"));
  return { ...enrollmentOut(row, body.project_id), token };
};

/** Returns the checked request. Throws if it is not valid, or if the caller may not make this enrollment. */
export function grantOf(
  { instanceUid }: Pick<OpStore, "instanceUid">,
  who: Principal,
  {
    token,
    project_id,
    actor,
    ...rest
  }: Input<typeof contract>["body"] & { readonly token: string },
): AskedGrant {
  // A person may have typed the uid in lower case; exports and comparisons use upper case only.
  const spoke_instance_uid = rest.spoke_instance_uid.toUpperCase();
  const capabilities = canonicalCapabilities(rest.capabilities);
  const allowsAuthors = rest.allow_adoption_snapshot_authors === true;
  if (project_id === null) requireForAll(who, allowsAuthors);
  if (spoke_instance_uid === instanceUid)
    throw invalidField("spoke_instance_uid", "is this daemon itself");
  return {
    spoke_instance_uid,
    project_id,
    capabilities,
    bound_actor: actorOf(who, actor),
    allow_adoption_snapshot_authors: allowsAuthors ? 1 : 0,
    token_hash: sha256Hex(token),
  };
}

/**
 * Finds the enrollment with the token, or makes it; `rotate` ends the other enrollments of the spoke for the project.
 */
export async function findOrMakeEnrollment(
  tx: Tx,
  who: Principal,
  { project_id, ...asked }: AskedGrant,
  action: GrantEvent["action"],
): Promise<EnrollmentRow> {
  const project_uid = project_id === null ? null : await hubProject(tx, project_id);
  const active = await tx.federation.grantsTo(asked.spoke_instance_uid);
  const known = await tx.federation.byToken(asked.token_hash);
  const step = nextGrants([...active, ...(known === undefined ? [] : [known])], {
    ...asked,
    project_uid,
    action,
  });
  if ("refused" in step) throw new SvcError("federation_enrollment_token_conflict");
  for (const row of active)
    if (step.revoked.includes(row.id))
      await tx.unfolded.put("federation_enrollment", {
        ...row,
        revoked_at: tx.now,
        updated_at: tx.now,
      });
  return known ?? (await insertEnrollment(tx, who, { ...asked, project_uid }));
}

function requireForAll({ kind }: Principal, allowsAuthors: boolean): void {
  const { tokens } = RIGHTS[kind];
  if (tokens !== "yes") throw new SvcError(tokens, {}, REFUSED_FOR_ALL);
  if (allowsAuthors)
    throw invalidField("allow_adoption_snapshot_authors", "needs project_id: one project");
}

const REFUSED_FOR_ALL = {
  message: "an enrollment for all projects needs the right to administer tokens",
  hint: "name one project",
};

async function hubProject(tx: Tx, project_id: number): Promise<string> {
  const project = await requireProject(tx, project_id);
  await requireHub(tx, project);
  return project.uid;
}

async function insertEnrollment(
  tx: Tx,
  who: Principal,
  attributes: GrantAttributes & Pick<EnrollmentRow, "token_hash">,
): Promise<EnrollmentRow> {
  if ((await tx.tokens.active(attributes.token_hash)) !== undefined)
    throw invalidField("token", "is a token of this daemon; an enrollment needs one of its own");
  const maker = who.tokenId === undefined ? undefined : await tx.tokens.find(who.tokenId);
  const row: EnrollmentRow = {
    id: (await tx.federation.lastEnrollmentId()) + 1,
    ...attributes,
    adoption_baseline_open: 0,
    adoption_baseline_next_source_event_id: null,
    adoption_baseline_end_source_event_id: null,
    made_with_token_uid: maker?.uid ?? null,
    created_at: tx.now,
    updated_at: tx.now,
    revoked_at: null,
  };
  await tx.unfolded.put("federation_enrollment", row);
  return row;
}
