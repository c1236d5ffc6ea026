import { expect, test } from "vitest";
import { sha256Hex } from "../../../src/base/hash.ts";
import {
  createFederationEnrollment,
  getProjectFederation,
  listFederationEnrollments,
  revokeFederationEnrollment,
} from "../../../src/contract/federation.ts";
import {
  getFederationStatus,
  getProjectFederationStatus,
} from "../../../src/contract/federation-status.ts";
import { rewriteAuthorIdentity } from "../../../src/contract/project-actions.ts";
import type { Input } from "../../../src/contract/route.ts";
import { createToken, revokeToken } from "../../../src/contract/tokens.ts";
import type { PrincipalKind } from "../../../src/domain/access/rights.ts";
import type { Principal } from "../../../src/ops/deps.ts";
import { makeHub, poll, SPOKE } from "../../support/federated.ts";
import { describeStore } from "../../support/store.ts";
import { type OpenStore, world } from "../../support/world.ts";

type Body = Input<typeof createFederationEnrollment>["body"];

const TOKEN = "svc_fed_0123456789012345678901234567890123456789012";
const ANOTHER = "01J00000000000000000SPXKE2";

/** A hub of one project, and what callers of any kind do with it. */
async function hub(open: OpenStore) {
  let caller: Principal = { kind: "none", local: true };
  const w = await world({ store: open, authenticate: async () => caller });
  const project = await w.given.project();
  await makeHub(w, project);
  const body = (changes: Partial<Body> = {}): Body => ({
    spoke_instance_uid: SPOKE,
    project_id: project.id,
    capabilities: ["pull"],
    actor: "sam",
    ...changes,
  });
  return {
    w,
    project,
    as: (changes: Partial<Principal> & { readonly kind: PrincipalKind }) => {
      caller = { local: false, ...changes };
    },
    enroll: async (changes?: Partial<Body>) =>
      await w.call(createFederationEnrollment, { body: body(changes) }),
    refuse: async (changes?: Partial<Body>) =>
      await w.refused(createFederationEnrollment, { body: body(changes) }),
    list: async () => (await w.call(listFederationEnrollments)).enrollments,
  };
}

describeStore("an enrollment", (open) => {
  test("an enrollment is answered with a new token, of which only the hash is stored, and listed without it", async () => {
    const { w, project, enroll, list } = await hub(open);
    const { token, ...made } = await enroll({ capabilities: ["push", "lease", "pull"] });
    expect(token).toMatch(/^svc_fed_[\w-]{43}$/);
    expect(made).toEqual({
      id: 1,
      spoke_instance_uid: SPOKE,
      project_id: project.id,
      capabilities: ["claim", "pull", "push"],
      actor: "sam",
      allow_adoption_snapshot_authors: false,
      created_at: w.clock.now(),
      updated_at: w.clock.now(),
    });
    expect(await list()).toEqual([made]);
    const [row] = await w.store.read(
      async ({ unfolded }) => await unfolded.list("federation_enrollment", 10),
    );
    expect(row?.token_hash).toBe(sha256Hex(token));
    expect((await enroll()).token).not.toBe(token);
    expect((await list()).map(({ id }) => id)).toEqual([1, 2]);
  });

  test("an enrollment with the caller's own token is the same when the request is repeated, in any spelling", async () => {
    const { enroll, list } = await hub(open);
    const first = await enroll({ token: TOKEN, capabilities: ["pull", "claim"] });
    expect(first.token).toBe(TOKEN);
    expect(await enroll({ token: TOKEN, capabilities: "lease, pull,pull" })).toEqual(first);
    const lower = { spoke_instance_uid: SPOKE.toLowerCase(), capabilities: "claim,pull" };
    expect(await enroll({ token: TOKEN, ...lower })).toEqual(first);
    expect(await list()).toMatchObject([{ spoke_instance_uid: SPOKE }]);
  });

  test("an enrollment does not take a token that another enrollment has, or that was revoked", async () => {
    const { w, enroll, refuse, list } = await hub(open);
    const other = await w.given.project("other");
    await makeHub(w, other);
    const { id } = await enroll({ token: TOKEN });
    for (const changes of [
      { spoke_instance_uid: ANOTHER },
      { project_id: other.id },
      { project_id: null },
      { capabilities: "pull,push" },
      { actor: "bea" },
      { allow_adoption_snapshot_authors: true },
    ])
      expect((await refuse({ token: TOKEN, ...changes })).code).toBe(
        "federation_enrollment_token_conflict",
      );
    await w.call(revokeFederationEnrollment, { params: { enrollment_id: id } });
    expect((await refuse({ token: TOKEN })).code).toBe("federation_enrollment_token_conflict");
    expect(await list()).toHaveLength(1);
  });

  test.each<readonly [string, Partial<Body>, string]>([
    ["no ULID as instance", { spoke_instance_uid: "spoke" }, "spoke_instance_uid"],
    ["the instance of the hub itself", {}, "spoke_instance_uid"],
    ["an unknown capability", { capabilities: ["admin"] }, "capabilities"],
    ["no capability", { capabilities: [] }, "capabilities"],
    ["an empty text of capabilities", { capabilities: "" }, "capabilities"],
    ["the project 0", { project_id: 0 }, "project_id"],
    ["a short token", { token: "secret" }, "token"],
    ["a token with a space", { token: `${TOKEN} x` }, "token"],
    ["a blank actor", { actor: " " }, "actor"],
    ["the actor bootstrap", { actor: "bootstrap" }, "actor"],
    [
      "foreign authors in all projects",
      { project_id: null, allow_adoption_snapshot_authors: true },
      "allow_adoption_snapshot_authors",
    ],
  ])("an enrollment is refused with %s", async (what, changes, field) => {
    const { w, refuse, list } = await hub(open);
    const own = what.startsWith("the instance") ? { spoke_instance_uid: w.store.instanceUid } : {};
    const { code, message } = await refuse({ ...changes, ...own });
    expect([code, message]).toEqual(["validation", expect.stringContaining(field)]);
    expect(await list()).toEqual([]);
  });

  test("an enrollment is made only for an active project of which this daemon is the hub", async () => {
    const { w, refuse, list } = await hub(open);
    const [alone, copy, gone] = [
      await w.given.project("alone"),
      await w.given.project("copy"),
      await w.given.project("gone"),
    ];
    await makeHub(w, copy, { role: "spoke", hub_url: "https://hub.example" });
    await makeHub(w, gone);
    await w.given.archived(gone);
    expect((await refuse({ project_id: alone.id })).code).toBe("federation_not_found");
    expect((await refuse({ project_id: copy.id })).code).toBe("not_a_hub");
    expect((await refuse({ project_id: gone.id })).code).toBe("project_not_found");
    expect((await refuse({ project_id: 99 })).code).toBe("project_not_found");
    expect(await list()).toEqual([]);
  });

  test("an enrollment is bound to the actor of the caller's token, whatever the body says, and its use is shown", async () => {
    const { w, project, as, enroll, list } = await hub(open);
    const { token } = await w.call(createToken, { body: { actor: "tom" } });
    as({ kind: "db_token", actor: "tom", tokenId: token.id });
    const made = await enroll({ actor: "mallory" });
    expect(made.actor).toBe("tom");
    as({ kind: "enrollment", enrollmentHash: sha256Hex(made.token) });
    w.clock.advance(60_000);
    expect((await poll(w, project.id)).status).toBe(200);
    as({ kind: "none" });
    expect((await list())[0]?.last_used_at).toBe(w.clock.now());
    const revoked = await w.call(revokeToken, { params: { id: token.id } });
    expect(revoked.enrollments).toEqual([made.id]);
  });

  test("an enrollment takes no token that is one of this daemon's API tokens", async () => {
    const { w, refuse } = await hub(open);
    const { plaintext = "" } = await w.call(createToken, { body: { actor: "tom" } });
    expect((await refuse({ token: plaintext })).code).toBe("validation");
  });

  test("an enrollment for all projects needs the right to administer tokens", async () => {
    const { as, enroll, refuse } = await hub(open);
    expect(await enroll({ project_id: null })).toMatchObject({ id: 1, project_id: null });
    as({ kind: "static_token" });
    expect((await enroll({ project_id: null })).id).toBe(2);
    for (const kind of ["db_token", "trusted_proxy"] as const) {
      as({ kind, actor: "tom" });
      expect((await refuse({ project_id: null })).code).toBe("token_admin_forbidden");
    }
  });

  test("an enrollment keeps the time of its first revocation, and a missing enrollment is not found", async () => {
    const { w, enroll, list } = await hub(open);
    const { id } = await enroll();
    const params = { enrollment_id: id };
    expect(await w.call(revokeFederationEnrollment, { params })).toEqual({ id, revoked: true });
    const [revoked] = await list();
    w.clock.advance(60_000);
    expect(await w.call(revokeFederationEnrollment, { params })).toEqual({ id, revoked: true });
    expect(await list()).toEqual([revoked]);
    const missing = await w.refused(revokeFederationEnrollment, { params: { enrollment_id: 9 } });
    expect(missing.code).toBe("federation_enrollment_not_found");
  });

  test("an enrollment stays active when its daemon is enrolled again with another token, until it is revoked", async () => {
    const { w, enroll, list } = await hub(open);
    const { id } = await enroll();
    await enroll();
    const active = async () =>
      (await list()).flatMap(({ id, revoked_at }) => (revoked_at === undefined ? [id] : []));
    expect(await active()).toEqual([1, 2]);
    await w.call(revokeFederationEnrollment, { params: { enrollment_id: id } });
    expect(await active()).toEqual([2]);
  });

  test("an enrollment is made for a request that arrives after its daemon has left, unless its token was revoked then", async () => {
    const { w, enroll, refuse, list } = await hub(open);
    const { id } = await enroll({ token: TOKEN });
    await w.call(revokeFederationEnrollment, { params: { enrollment_id: id } });
    const { code } = await refuse({ token: TOKEN });
    expect(code).toBe("federation_enrollment_token_conflict");
    const late = await enroll({ token: `${TOKEN}-2` });
    expect(await list()).toMatchObject([
      { id, revoked_at: w.clock.now() },
      { id: late.id, spoke_instance_uid: SPOKE },
    ]);
    expect((await list())[1]).not.toHaveProperty("revoked_at");
  });

  test("an enrollment is the same for two requests with one token at once", async () => {
    const { enroll, list } = await hub(open);
    const both = await Promise.all([enroll({ token: TOKEN }), enroll({ token: TOKEN })]);
    expect(both[0]).toEqual(both[1]);
    expect(await list()).toHaveLength(1);
  });
});

describeStore("the status of federation", (open) => {
  test("is empty where no project is federated", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    expect(await w.call(getFederationStatus)).toEqual({ statuses: [] });
    const params = project.path;
    expect(await w.call(getProjectFederationStatus, { params })).toEqual({ statuses: [] });
    const { code } = await w.refused(getProjectFederation, { params });
    expect(code).toBe("federation_not_found");
  });

  test("counts active enrollments, those for all projects too, and shows archived projects on request", async () => {
    const { w, project, enroll } = await hub(open);
    const gone = await w.given.project("gone");
    await makeHub(w, gone, { enabled: 0, disabled_reason: "new_instance" });
    const { id } = await enroll();
    await enroll();
    await enroll({ project_id: null });
    await w.call(revokeFederationEnrollment, { params: { enrollment_id: id } });
    await w.given.archived(gone);

    const { statuses } = await w.call(getFederationStatus);
    expect(statuses).toEqual([
      {
        project_id: project.id,
        project_uid: project.uid,
        project_name: "web",
        archived: false,
        role: "hub",
        enabled: true,
        push_enabled: false,
        replay_horizon_event_id: 2,
        pull_cursor_event_id: 1,
        push_cursor_event_id: 0,
        enrollment_count: 2,
        live_claim_count: 0,
        pending_claim_count: 0,
        pending_push_count: 0,
        pending_push_high_water_event_id: 0,
        active_quarantine_count: 0,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    const all = await w.call(getFederationStatus, { query: { include: "x, archived" } });
    expect(all.statuses[1]).toMatchObject({
      ...{ project_name: "gone", archived: true, enabled: false, disabled_reason: "new_instance" },
      enrollment_count: 1,
    });
    const one = await w.call(getProjectFederationStatus, { params: project.path });
    expect(one.statuses).toEqual(statuses);
  });
});

describeStore("a federated project", (open) => {
  test("refuses to rewrite the name of an author", async () => {
    const { w, project } = await hub(open);
    await w.given.issue({ project });
    const body = { from: "ann", to: "bea" };
    const { code } = await w.refused(rewriteAuthorIdentity, { params: project.path, body });
    expect(code).toBe("federated_read_only");
  });
});
