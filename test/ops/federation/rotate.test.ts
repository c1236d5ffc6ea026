import { expect, test } from "vitest";
import { sha256Hex } from "../../../src/base/hash.ts";
import {
  createFederationEnrollment,
  listFederationEnrollments,
  revokeFederationEnrollment,
  rotateFederationEnrollment,
} from "../../../src/contract/federation.ts";
import { acquireIssueLease, getIssueLeaseStatus } from "../../../src/contract/leases.ts";
import type { Input } from "../../../src/contract/route.ts";
import { createToken } from "../../../src/contract/tokens.ts";
import type { Principal } from "../../../src/ops/deps.ts";
import { makeHub, poll, SPOKE } from "../../support/federated.ts";
import { leasingHub, leasingSpoke } from "../../support/leasing.ts";
import { describeStore } from "../../support/store.ts";
import { type OpenStore, world } from "../../support/world.ts";

type Body = Input<typeof rotateFederationEnrollment>["body"];

const [TOKEN, NEXT] = ["svc_fed_first-0123456789012345678", "svc_fed_second-012345678901234567"];
const ANOTHER = "01J00000000000000000SPXKE2";

/** A hub of one project, whose spoke has an enrollment with the token `TOKEN`. */
async function hub(open: OpenStore) {
  let caller: Principal = { kind: "none", local: true };
  const w = await world({ store: open, authenticate: async () => caller });
  const project = await w.given.project();
  await makeHub(w, project);
  const grant = { spoke_instance_uid: SPOKE, capabilities: ["pull"], actor: "sam" };
  const body = (changes: Partial<Body> = {}): Body => ({
    ...grant,
    project_id: project.id,
    token: NEXT,
    ...changes,
  });
  const enroll = async (changes: object) => {
    const made = { ...grant, project_id: project.id, ...changes };
    return await w.call(createFederationEnrollment, { body: made });
  };
  await enroll({ token: TOKEN });
  return {
    w,
    project,
    enroll,
    as: (changes: Partial<Principal> & Pick<Principal, "kind">) => {
      caller = { local: false, ...changes };
    },
    rotate: async (changes?: Partial<Body>) =>
      await w.call(rotateFederationEnrollment, { body: body(changes) }),
    refuse: async (changes?: Partial<Body>) =>
      await w.refused(rotateFederationEnrollment, { body: body(changes) }),
    active: async () =>
      (await w.call(listFederationEnrollments)).enrollments
        .filter(({ revoked_at }) => revoked_at === undefined)
        .map(({ id }) => id),
  };
}

describeStore("a rotated enrollment", (open) => {
  test("a rotation replaces all enrollments of the spoke for the project: the old token is refused, the new one reads", async () => {
    const { w, project, as, enroll, rotate, active } = await hub(open);
    await enroll({ capabilities: "pull,push" });
    const rotated = await rotate({ spoke_instance_uid: SPOKE.toLowerCase() });
    expect(rotated).toMatchObject({
      ...{ id: 3, token: NEXT, spoke_instance_uid: SPOKE, project_id: project.id, actor: "sam" },
      capabilities: ["pull"],
    });
    expect(await active()).toEqual([3]);
    as({ kind: "enrollment", enrollmentHash: sha256Hex(TOKEN) });
    expect(await poll(w, project.id)).toMatchObject({ status: 403, code: "auth_invalid" });
    as({ kind: "enrollment", enrollmentHash: sha256Hex(NEXT) });
    expect((await poll(w, project.id)).status).toBe(200);
  });

  test("a rotation leaves the enrollments of other daemons, of other projects and for all projects", async () => {
    const { w, enroll, rotate, active } = await hub(open);
    const other = await w.given.project("other");
    await makeHub(w, other);
    await enroll({ spoke_instance_uid: ANOTHER });
    await enroll({ project_id: other.id });
    await enroll({ project_id: null });
    await rotate();
    expect(await active()).toEqual([2, 3, 4, 5]);
  });

  test("a repeated rotation gives the same enrollment, and ends those that were made meanwhile", async () => {
    const { enroll, rotate, active } = await hub(open);
    const first = await rotate({ capabilities: ["pull", "claim"] });
    await enroll({});
    expect(await active()).toEqual([2, 3]);
    expect(await rotate({ capabilities: "lease, pull,pull" })).toEqual(first);
    expect(await active()).toEqual([2]);
  });

  test("a rotation to the token that an enrollment already has only ends the others", async () => {
    const { enroll, rotate, active } = await hub(open);
    await enroll({});
    expect(await rotate({ token: TOKEN })).toMatchObject({ id: 1, token: TOKEN });
    expect(await active()).toEqual([1]);
  });

  test("a rotation does not take a token that another enrollment has, or that was revoked, and then ends none", async () => {
    const { w, enroll, refuse, active } = await hub(open);
    const other = await w.given.project("other");
    await makeHub(w, other);
    for (const changes of [
      { spoke_instance_uid: ANOTHER },
      { project_id: other.id },
      { capabilities: "pull,push" },
      { actor: "bea" },
      { allow_adoption_snapshot_authors: true },
    ])
      expect((await refuse({ token: TOKEN, ...changes })).code).toBe(
        "federation_enrollment_token_conflict",
      );
    const { id } = await enroll({ token: NEXT });
    await w.call(revokeFederationEnrollment, { params: { enrollment_id: id } });
    expect((await refuse()).code).toBe("federation_enrollment_token_conflict");
    expect(await active()).toEqual([1]);
  });

  test.each<readonly [string, object, string]>([
    ["no token", { token: undefined }, "token"],
    ["a short token", { token: "secret" }, "token"],
    ["all projects", { project_id: null }, "project_id"],
    ["the project 0", { project_id: 0 }, "project_id"],
    ["no ULID as instance", { spoke_instance_uid: "spoke" }, "spoke_instance_uid"],
    ["an unknown capability", { capabilities: ["admin"] }, "capabilities"],
    ["no capability", { capabilities: [] }, "capabilities"],
    ["the actor bootstrap", { actor: "bootstrap" }, "actor"],
  ])("a rotation is refused with %s", async (_what, changes, field) => {
    const { refuse, active } = await hub(open);
    const { code, message } = await refuse(changes as Partial<Body>);
    expect([code, message]).toEqual(["validation", expect.stringContaining(field)]);
    expect(await active()).toEqual([1]);
  });

  test("a rotation needs a project of which this daemon is the hub, and takes no API token", async () => {
    const { w, refuse, active } = await hub(open);
    const alone = await w.given.project("alone");
    const copy = await w.given.project("copy");
    await makeHub(w, copy, { role: "spoke", hub_url: "https://hub.example" });
    expect((await refuse({ project_id: alone.id })).code).toBe("federation_not_found");
    expect((await refuse({ project_id: copy.id })).code).toBe("not_a_hub");
    expect((await refuse({ project_id: 99 })).code).toBe("project_not_found");
    const { plaintext = "" } = await w.call(createToken, { body: { actor: "tom" } });
    expect((await refuse({ token: plaintext })).code).toBe("validation");
    expect((await refuse({ spoke_instance_uid: w.store.instanceUid })).code).toBe("validation");
    expect(await active()).toEqual([1]);
  });

  test("a rotation takes the actor of the caller's token, whatever the body says, and is the same when it is repeated", async () => {
    const { w, as, rotate } = await hub(open);
    const { token } = await w.call(createToken, { body: { actor: "tom" } });
    as({ kind: "db_token", actor: "tom", tokenId: token.id });
    const first = await rotate({ actor: "mallory" });
    expect(first.actor).toBe("tom");
    expect(await rotate({ actor: "somebody else" })).toEqual(first);
  });

  test("two requests for a rotation at once leave the enrollment of one of them", async () => {
    const { rotate, active } = await hub(open);
    const third = `${NEXT}-third`;
    const made = await Promise.all([rotate(), rotate({ token: third })]);
    expect(await active()).toEqual([Math.max(...made.map(({ id }) => id))]);
  });
});

const ROTATE = {
  ...{ spoke_instance_uid: SPOKE, project_id: 1, capabilities: "pull", actor: "sam" },
  token: NEXT,
};

describeStore("the leases of a spoke at its hub", (open) => {
  test("end with the spoke's last enrollment that permits leases, and stay while it has another such enrollment", async () => {
    let uid = "";
    const at = await leasingHub(open, async (hub, project) => {
      ({ uid } = await hub.given.issue({ project }));
    });
    const { hub, project } = at;
    const { spoke, enrollment, path } = await leasingSpoke(open, at);
    await spoke.call(acquireIssueLease, { params: path(uid), body: { actor: "ann" } });
    const atHub = { project_id: project.id, ref: uid };
    const held = async () => (await hub.call(getIssueLeaseStatus, { params: atHub })).held;
    expect(await held()).toBe(true);
    const grant = {
      spoke_instance_uid: spoke.store.instanceUid,
      project_id: project.id,
      actor: "sam",
    };
    const rotated = await hub.call(rotateFederationEnrollment, {
      body: { ...grant, capabilities: "pull,push,claim", token: NEXT },
    });
    expect(await held()).toBe(true);
    const all = await hub.call(createFederationEnrollment, {
      body: { ...grant, project_id: null, capabilities: "pull,push,claim" },
    });
    for (const { id } of [enrollment, rotated])
      await hub.call(revokeFederationEnrollment, { params: { enrollment_id: id } });
    expect(await held()).toBe(true);
    await hub.call(revokeFederationEnrollment, { params: { enrollment_id: all.id } });
    expect(await held()).toBe(false);
    const own = await hub.call(acquireIssueLease, { params: atHub, body: { actor: "bea" } });
    expect(own.granted).toBe(true);
    await hub.call(revokeFederationEnrollment, { params: { enrollment_id: all.id } });
    expect(await held()).toBe(true);
  });

  test("end when a rotation replaces the enrollment by one that permits no leases", async () => {
    let uid = "";
    const at = await leasingHub(open, async (hub, project) => {
      ({ uid } = await hub.given.issue({ project }));
    });
    const { hub, project } = at;
    const { spoke, path } = await leasingSpoke(open, at);
    await spoke.call(acquireIssueLease, { params: path(uid), body: { actor: "ann" } });
    const { instanceUid: spoke_instance_uid } = spoke.store;
    await hub.call(rotateFederationEnrollment, {
      body: { ...ROTATE, spoke_instance_uid, project_id: project.id },
    });
    const params = { project_id: project.id, ref: uid };
    expect(await hub.call(getIssueLeaseStatus, { params })).toMatchObject({ held: false });
  });
});
