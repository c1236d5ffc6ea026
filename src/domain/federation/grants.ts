import type { Row } from "../tables/tables.ts";

/**
 * The attributes that a repeated request must share with the request that made the enrollment
 * (docs/contract/federation.md#32-enrollments).
 */
export type GrantAttributes = Pick<
  Row<"federation_enrollment">,
  | "spoke_instance_uid"
  | "project_uid"
  | "capabilities"
  | "bound_actor"
  | "allow_adoption_snapshot_authors"
>;

/** The fields of an enrollment that decide how a request for an enrollment is answered. */
export type Grant = GrantAttributes &
  Pick<Row<"federation_enrollment">, "id" | "token_hash" | "revoked_at">;

export type GrantEvent = GrantAttributes & {
  /** `rotate` also revokes the other enrollments of this spoke for this project. */
  readonly action: "create" | "rotate";
  readonly token_hash: string;
};

export type GrantStep =
  /** `token`: the token belongs to an enrollment with other attributes, or to one that was revoked. */
  | { readonly refused: "token" }
  | {
      /** The id of the existing enrollment that the answer contains; undefined if a new enrollment is made. */
      readonly known: number | undefined;
      /** The ids of the enrollments that are revoked. */
      readonly revoked: readonly number[];
    };

/**
 * Decides what becomes of a hub's enrollments when one is created or rotated
 * (docs/contract/federation.md#32-enrollments). `grants` has the enrollment with the token of the request, if there is
 * one, and the active enrollments of the spoke.
 */
export function nextGrants(grants: readonly Grant[], event: GrantEvent): GrantStep {
  const known = grants.find(({ token_hash }) => token_hash === event.token_hash);
  if (known !== undefined && (known.revoked_at !== null || !isSame(known, event)))
    return { refused: "token" };
  const others = grants.filter(
    (grant) =>
      grant.revoked_at === null &&
      grant.token_hash !== event.token_hash &&
      grant.spoke_instance_uid === event.spoke_instance_uid &&
      grant.project_uid === event.project_uid,
  );
  return {
    known: known?.id,
    revoked: event.action === "rotate" ? others.map(({ id }) => id) : [],
  };
}

function isSame(known: GrantAttributes, asked: GrantAttributes): boolean {
  return (
    known.spoke_instance_uid === asked.spoke_instance_uid &&
    known.project_uid === asked.project_uid &&
    known.bound_actor === asked.bound_actor &&
    known.allow_adoption_snapshot_authors === asked.allow_adoption_snapshot_authors &&
    known.capabilities.join() === asked.capabilities.join()
  );
}
