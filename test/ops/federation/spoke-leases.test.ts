import { expect, test } from "vitest";
import {
  createFederationEnrollment,
  revokeFederationEnrollment,
} from "../../../src/contract/federation.ts";
import { acquireIssueLease, getIssueLeaseStatus } from "../../../src/contract/leases.ts";
import { BASE_PATH } from "../../../src/contract/version.ts";
import { makeHub, SPOKE } from "../../support/federated.ts";
import { describeStore } from "../../support/store.ts";
import { type OpenStore, world } from "../../support/world.ts";

const OTHER_SPOKE = "01J00000000000000000SPXKE2";
const [A, B] = ["01J0000000000000000XEASEA1", "01J0000000000000000XEASEB1"];

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly granted?: boolean;
  readonly held?: boolean;
  readonly holder?: { readonly holder: string; readonly holder_instance_uid: string };
  readonly lease?: {
    readonly claim_uid: string;
    readonly fence: number;
    readonly expires_at?: string;
  };
  readonly issue?: object;
  readonly hub_now?: string;
}

/** A hub with one issue, and what two spokes ask of its lease. */
async function hub(open: OpenStore) {
  const w = await world({ store: open });
  const project = await w.given.project();
  await makeHub(w, project);
  const issue = await w.given.issue({ project, owner: "kim" });
  const enroll = async (spoke_instance_uid: string, capabilities: string, more: object = {}) =>
    await w.call(createFederationEnrollment, {
      body: { spoke_instance_uid, project_id: project.id, capabilities, actor: "sam", ...more },
    });
  const first = await enroll(SPOKE, "pull,claim");
  const second = await enroll(OTHER_SPOKE, "pull,lease");
  const ask = async (
    action: string,
    body: object = {},
    { token = first.token, instance = SPOKE, project_id = project.id }: Partial<Caller> = {},
  ): Promise<Answer> => {
    const headers = new Headers();
    if (token !== "") headers.set("authorization", `Bearer ${token}`);
    if (instance !== "") headers.set("x-svc-instance", instance);
    const path = `/projects/${project_id}/issues/${issue.uid}/lease`;
    const isRead = action === "status";
    if (!isRead) headers.set("content-type", "application/json");
    const init = isRead ? {} : { method: "POST", body: JSON.stringify(body) };
    const url = `http://localhost${BASE_PATH}${path}${isRead ? "" : `/actions/${action}`}`;
    const response = await w.app.fetch(new Request(url, { headers, ...init }));
    const answer = (await response.json()) as { readonly error?: { readonly code: string } };
    return { ...answer, status: response.status, code: answer.error?.code };
  };
  return {
    w,
    project,
    issue,
    enroll,
    first,
    second,
    ask,
    asSecond: { token: second.token, instance: OTHER_SPOKE },
  };
}

interface Caller {
  readonly token: string;
  readonly instance: string;
  readonly project_id: number;
}

const timed = (claim_uid: string, more: object = {}) => ({
  claim_uid,
  claim_kind: "timed",
  ttl_seconds: 60,
  ...more,
});

describeStore("a lease that a spoke asks its hub for", (open) => {
  test("a lease is held in the name of the enrollment's actor, and the answer has the issue and the clock of the hub", async () => {
    const { w, issue, ask } = await hub(open);
    const answer = await ask("acquire", timed(A, { holder: "mallory", actor: "mallory" }));
    expect(answer).toMatchObject({
      granted: true,
      holder: { holder: "sam", holder_instance_uid: SPOKE, client_kind: "" },
      lease: { claim_uid: A, fence: 1 },
      issue: { uid: issue.uid, owner: "kim", status: "open", revision: issue.revision },
      hub_now: w.clock.now(),
    });
    expect((await w.events()).at(-1)).toMatchObject({ type: "claim.acquired", actor: "sam" });
    const shown = await w.call(getIssueLeaseStatus, { params: issue.path });
    expect(shown).toMatchObject({ held: true, holder: { holder: "sam" } });
    expect(shown).not.toHaveProperty("issue");
  });

  test("a lease whose answer was lost is granted again when the request is repeated, and nothing is written", async () => {
    const { w, ask } = await hub(open);
    const first = await ask("acquire", timed(A));
    const before = (await w.events()).length;
    w.clock.advance(5000);
    expect(await ask("acquire", timed(A))).toMatchObject({ granted: true, lease: first.lease });
    expect(await w.events()).toHaveLength(before);
  });

  test("a lease that has ended is not revived by a late request", async () => {
    const { w, ask } = await hub(open);
    await ask("acquire", timed(A));
    expect(await ask("release", { claim_uid: A })).toMatchObject({ status: 200, granted: false });
    expect(await ask("acquire", timed(A))).toMatchObject({ status: 409, code: "claim_expired" });
    await ask("acquire", timed(B));
    w.clock.advance(60_000);
    expect(await ask("acquire", timed(B))).toMatchObject({ status: 409, code: "claim_expired" });
  });

  test("a request of the same spoke for another holder replaces the lease by a new one with a new fence", async () => {
    const { w, ask } = await hub(open);
    await ask("acquire", timed(A));
    expect(await ask("acquire", timed(B))).toMatchObject({
      granted: true,
      lease: { claim_uid: B, fence: 2 },
    });
    expect((await w.events()).map(({ type }) => type).slice(-2)).toEqual([
      "claim.released",
      "claim.acquired",
    ]);
    for (const action of ["renew", "release"])
      expect(await ask(action, timed(A))).toMatchObject({ status: 409, code: "claim_not_held" });
    expect(await ask("renew", timed(B))).toMatchObject({ granted: true, lease: { claim_uid: B } });
  });

  test("a lease is denied without an error while another spoke, or somebody at the hub, has it", async () => {
    const { w, issue, ask, asSecond } = await hub(open);
    await ask("acquire", timed(A));
    const denied = { status: 200, granted: false, holder: { holder_instance_uid: SPOKE } };
    expect(await ask("acquire", timed(B), asSecond)).toMatchObject(denied);
    expect(await ask("status", {}, asSecond)).toMatchObject({ held: true, holder: denied.holder });
    expect(await w.call(acquireIssueLease, { params: issue.path, actor: "sam" })).toMatchObject({
      granted: false,
      holder: denied.holder,
    });
    await ask("release", { claim_uid: A });
    await w.call(acquireIssueLease, { params: issue.path, actor: "sam" });
    expect(await ask("acquire", timed(B), asSecond)).toMatchObject({
      granted: false,
      holder: { holder: "sam", holder_instance_uid: w.store.instanceUid },
    });
  });

  test("a lease gets at least the fence that the spoke has seen, but at most a million above the hub's own", async () => {
    const { ask } = await hub(open);
    expect(await ask("acquire", timed(A, { fence: 7 }))).toMatchObject({ lease: { fence: 7 } });
    expect(await ask("acquire", timed(B, { fence: 3 }))).toMatchObject({ lease: { fence: 8 } });
    await ask("release", { claim_uid: B });
    const far = await ask("acquire", timed(`${B.slice(0, -1)}2`, { fence: 9_000_000_000 }));
    expect(far.lease?.fence).toBe(1_000_008);
  });

  test("a lease needs an enrollment that permits leases of this project for this daemon", async () => {
    const { w, project, first, enroll, ask } = await hub(open);
    const reads = await enroll("01J00000000000000000SPXKE3", "pull,push");
    const elsewhere = await w.given.project("other");
    await makeHub(w, elsewhere);
    for (const action of ["acquire", "renew", "release", "force_release", "status"]) {
      const refused = async (by: Partial<Caller>) => {
        const { status, code } = await ask(action, timed(A), by);
        return [status, code];
      };
      expect(await refused({ token: "" })).toEqual([401, "auth_required"]);
      for (const by of [
        { token: "svc_fed_wrong" },
        { instance: OTHER_SPOKE },
        { token: reads.token, instance: "01J00000000000000000SPXKE3" },
        { project_id: elsewhere.id },
      ])
        expect(await refused(by)).toEqual([403, "auth_invalid"]);
    }
    await w.call(revokeFederationEnrollment, { params: { enrollment_id: first.id } });
    expect(await ask("acquire", timed(A))).toMatchObject({ status: 403, code: "auth_invalid" });
    await makeHub(w, project, { enabled: 0 });
    expect(await ask("status")).toMatchObject({ status: 403 });
  });

  test("a request for a lease is refused without a valid uid, and another spoke cannot end a lease", async () => {
    const { ask, asSecond } = await hub(open);
    for (const action of ["acquire", "renew", "release"])
      for (const claim_uid of [undefined, "x", A.toLowerCase()])
        expect(await ask(action, { claim_uid })).toMatchObject({ status: 400, code: "validation" });
    await ask("acquire", timed(A));
    expect(await ask("force_release", { claim_uid: A }, asSecond)).toMatchObject({
      status: 409,
      code: "federated_read_only",
    });
    expect(await ask("release", { claim_uid: A }, asSecond)).toMatchObject({
      code: "claim_not_held",
    });
  });
});
