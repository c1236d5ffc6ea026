import { sha256Hex } from "../../base/hash.ts";
import { newSecret } from "../../base/secret.ts";
import { invalidField, SvcError } from "../../contract/errors.ts";
import type { createFederationEnrollment as contract } from "../../contract/federation.ts";
import { RIGHTS } from "../../domain/access/rights.ts";
import { canonicalCapabilities } from "../../domain/federation/capabilities.ts";
import type { EnrollmentRow } from "../../store/types/federation.ts";
import type { Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Op, Principal } from "../deps.ts";
import { requireProject } from "../find.ts";
import { requireHub } from "./binding.ts";
import { enrollmentOut } from "./enrollment-out.ts";

/** What a repeated request must have in common with the one that made the enrollment (doc 1, note 10). */
type Attributes = Pick<
  EnrollmentRow,
  | "spoke_instance_uid"
  | "project_uid"
  | "capabilities"
  | "bound_actor"
  | "allow_adoption_snapshot_authors"
>;

/**
 * Makes an enrollment, or returns the one that the same request made before (facts federation 3.2). An enrollment for
 * all projects reaches also those that come later, so it needs the right to administer tokens.
 */
export const createFederationEnrollment: Op<typeof contract> = async (
  { store },
  who,
  { body: { token, project_id, actor, ...rest } },
) => {
  // A person may have typed it in lower case. Exports and comparisons know one form.
  const spoke_instance_uid = rest.spoke_instance_uid.toUpperCase();
  const capabilities = canonicalCapabilities(rest.capabilities);
  const allowsAuthors = rest.allow_adoption_snapshot_authors === true;
  if (project_id === null) requireForAll(who, allowsAuthors);
  if (spoke_instance_uid === store.instanceUid)
    throw invalidField("spoke_instance_uid", "is this daemon itself");
  const bound_actor = actorOf(who, actor);
  const secret = token ?? `svc_fed_${newSecret()}`;
  return await store.write(async (tx) => {
    const attributes: Attributes = {
      spoke_instance_uid,
      project_uid: project_id === null ? null : await hubProject(tx, project_id),
      capabilities,
      bound_actor,
      allow_adoption_snapshot_authors: allowsAuthors ? 1 : 0,
    };
    const row = await findOrMake(tx, who, sha256Hex(secret), attributes);
    return { ...enrollmentOut(row, project_id), token: secret };
  });
};

function requireForAll({ kind }: Principal, allowsAuthors: boolean): void {
  const { tokens } = RIGHTS[kind];
  if (tokens !== "yes") throw new SvcError(tokens, {}, FOR_ALL);
  if (allowsAuthors)
    throw invalidField("allow_adoption_snapshot_authors", "needs project_id: one project");
}

const FOR_ALL = {
  message: "an enrollment for all projects needs the right to administer tokens",
  hint: "name one project",
};

async function hubProject(tx: Tx, project_id: number): Promise<string> {
  const project = await requireProject(tx, project_id);
  await requireHub(tx, project);
  return project.uid;
}

async function findOrMake(
  tx: Tx,
  who: Principal,
  token_hash: string,
  attributes: Attributes,
): Promise<EnrollmentRow> {
  const known = await tx.federation.byToken(token_hash);
  if (known !== undefined) {
    if (known.revoked_at === null && isSame(known, attributes)) return known;
    throw new SvcError("federation_enrollment_token_conflict");
  }
  if ((await tx.tokens.active(token_hash)) !== undefined)
    throw invalidField("token", "is a token of this daemon; an enrollment needs one of its own");
  const maker = who.tokenId === undefined ? undefined : await tx.tokens.find(who.tokenId);
  const row: EnrollmentRow = {
    id: (await tx.federation.lastEnrollmentId()) + 1,
    token_hash,
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

function isSame(known: EnrollmentRow, asked: Attributes): boolean {
  return (
    known.spoke_instance_uid === asked.spoke_instance_uid &&
    known.project_uid === asked.project_uid &&
    known.bound_actor === asked.bound_actor &&
    known.allow_adoption_snapshot_authors === asked.allow_adoption_snapshot_authors &&
    known.capabilities.join() === asked.capabilities.join()
  );
}
