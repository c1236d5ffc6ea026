import { expect, test } from "vitest";
import { type Grant, type GrantEvent, nextGrants } from "../../../src/domain/federation/grants.ts";

const attributes = {
  spoke_instance_uid: "S",
  project_uid: "P",
  capabilities: ["pull"],
  bound_actor: "sam",
  allow_adoption_snapshot_authors: 0,
} as const;

const grant = (id: number, changes: Partial<Grant> = {}): Grant => ({
  ...attributes,
  id,
  token_hash: `hash ${id}`,
  revoked_at: null,
  ...changes,
});

const event = (action: GrantEvent["action"], changes: Partial<GrantEvent> = {}): GrantEvent => ({
  ...attributes,
  action,
  token_hash: "new",
  ...changes,
});

test("a new enrollment revokes no other, and a rotated one revokes those of the same spoke and project", () => {
  const grants = [
    grant(1),
    grant(2, { capabilities: ["pull", "push"], bound_actor: "tom" }),
    grant(3, { spoke_instance_uid: "T" }),
    grant(4, { project_uid: "Q" }),
    grant(5, { project_uid: null }),
    grant(6, { revoked_at: "2026-01-01T00:00:00.000Z" }),
  ];
  expect(nextGrants(grants, event("create"))).toEqual({ known: undefined, revoked: [] });
  expect(nextGrants(grants, event("rotate"))).toEqual({ known: undefined, revoked: [1, 2] });
});

test("a repeated event finds the enrollment that it made, and a repeated rotation again revokes the others", () => {
  const grants = [grant(1, { token_hash: "new" }), grant(2)];
  expect(nextGrants(grants, event("create"))).toEqual({ known: 1, revoked: [] });
  expect(nextGrants(grants, event("rotate"))).toEqual({ known: 1, revoked: [2] });
});

test.each<readonly [string, Partial<Grant>]>([
  ["another spoke", { spoke_instance_uid: "T" }],
  ["another project", { project_uid: "Q" }],
  ["all projects", { project_uid: null }],
  ["other capabilities", { capabilities: ["pull", "push"] }],
  ["another actor", { bound_actor: "tom" }],
  ["another policy", { allow_adoption_snapshot_authors: 1 }],
  ["a revoked grant", { revoked_at: "2026-01-01T00:00:00.000Z" }],
])("a token that is already used for %s is refused", (_what, changes) => {
  const grants = [grant(1, { token_hash: "new", ...changes }), grant(2)];
  for (const action of ["create", "rotate"] as const)
    expect(nextGrants(grants, event(action))).toEqual({ refused: "token" });
});
