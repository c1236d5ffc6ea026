import { expect, test } from "vitest";
import { assignIssue, claimIssue, closeIssue, unassignIssue } from "../../src/contract/actions.ts";
import { createComment } from "../../src/contract/comments.ts";
import { revokeFederationEnrollment } from "../../src/contract/federation.ts";
import { editIssue, showIssue } from "../../src/contract/issues.ts";
import {
  acquireIssueLease,
  forceReleaseIssueLease,
  getIssueLeaseStatus,
  releaseIssueLease,
  renewIssueLease,
  takeReadyIssue,
  takeReadyIssueGlobal,
} from "../../src/contract/leases.ts";
import { issueAssigned } from "../../src/domain/drafts/issues.ts";
import { copyIn } from "../../src/ops/leases/copy.ts";
import { endOf, isReserved, reserve } from "../../src/ops/leases/reserve.ts";
import { sweepLeases } from "../../src/ops/leases/sweep.ts";
import { leasingHub, leasingSpoke } from "../support/leasing.ts";
import { describeStore } from "../support/store.ts";
import type { OpenStore } from "../support/world.ts";

const TIMED = { claim_kind: "timed", ttl_seconds: 60 } as const;
const LEASE = { lease: { ttl_seconds: 60 } } as const;

/** A hub with issues of these titles, the first one the most urgent, and two spokes. */
async function given(open: OpenStore, titles: readonly string[] = ["one"]) {
  const uids: string[] = [];
  const at = await leasingHub(open, async (hub, project) => {
    for (const [at, title] of titles.entries()) {
      const priority = at > 4 ? {} : { priority: at };
      uids.push((await hub.given.issue({ project, title, ...priority })).uid);
    }
  });
  const a = await leasingSpoke(open, at);
  const b = await leasingSpoke(open, at, { start: 40_000 });
  const [uid = ""] = uids;
  const atHub = { project_id: at.project.id, ref: uid };
  return { ...at, uids, uid, a, b, atHub };
}

describeStore("a lease on a copy", (open) => {
  test("a lease has the fence and the uid that the hub gave, and another spoke is told who has the lease", async () => {
    const { hub, uid, a, b, atHub } = await given(open);
    const mine = await a.spoke.call(acquireIssueLease, {
      params: a.path(uid),
      actor: "bea",
      body: TIMED,
    });
    expect(mine).toMatchObject({
      granted: true,
      holder: { holder: "bea" },
      lease: { claim_kind: "timed" },
    });
    const there = await hub.call(getIssueLeaseStatus, { params: atHub });
    expect(there).toMatchObject({
      held: true,
      holder: { holder: "sam", holder_instance_uid: a.spoke.store.instanceUid },
      lease: { claim_uid: mine.lease?.claim_uid, fence: mine.lease?.fence },
    });
    expect(String(mine.lease?.expires_at) <= String(there.lease?.expires_at)).toBe(true);
    const theirs = await b.spoke.call(acquireIssueLease, {
      params: b.path(uid),
      actor: "bea",
      body: TIMED,
    });
    expect(theirs).toMatchObject({ granted: false, holder: there.holder });
    expect(await b.spoke.call(getIssueLeaseStatus, { params: b.path(uid) })).toMatchObject({
      held: true,
      holder: there.holder,
    });
    expect(await a.spoke.call(getIssueLeaseStatus, { params: a.path(uid) })).toMatchObject({
      held: true,
      holder: { holder: "bea" },
    });
    expect(await a.pending()).toEqual([]);
    expect(await b.pending()).toEqual([]);
  });

  test("a lease is renewed and released at the hub too, and the next holder gets the next fence", async () => {
    const { hub, uid, a, b, atHub } = await given(open);
    const params = a.path(uid);
    await a.spoke.call(acquireIssueLease, { params, actor: "bea", body: TIMED });
    hub.clock.advance(30_000);
    await a.spoke.call(renewIssueLease, { params, actor: "bea", body: { ttl_seconds: 60 } });
    hub.clock.advance(45_000);
    expect(await hub.call(getIssueLeaseStatus, { params: atHub })).toMatchObject({ held: true });
    expect(await a.spoke.refused(releaseIssueLease, { params, actor: "cam" })).toMatchObject({
      code: "claim_not_held",
    });
    await a.spoke.call(releaseIssueLease, { params, actor: "bea" });
    expect(await hub.call(getIssueLeaseStatus, { params: atHub })).toMatchObject({ held: false });
    expect(
      await b.spoke.call(acquireIssueLease, { params: b.path(uid), actor: "dan" }),
    ).toMatchObject({ granted: true, lease: { fence: 2, claim_kind: "hard" } });
    expect(await a.spoke.call(acquireIssueLease, { params, actor: "bea" })).toMatchObject({
      granted: false,
    });
  });

  test("a lease is released once the hub has accepted what was changed under it", async () => {
    const { hub, uid, a, atHub } = await given(open);
    const params = a.path(uid);
    await a.spoke.call(acquireIssueLease, { params, actor: "bea", body: TIMED });
    await a.spoke.call(closeIssue, { params, actor: "bea", body: { source: "tui" } });
    expect((await hub.call(showIssue, { params: atHub })).issue.status).toBe("open");
    await a.spoke.call(releaseIssueLease, { params, actor: "bea" });
    expect((await hub.call(showIssue, { params: atHub })).issue.status).toBe("closed");
    expect(await hub.call(getIssueLeaseStatus, { params: atHub })).toMatchObject({ held: false });
  });

  test("a lease belongs to one agent of the daemon, and another agent gets a new one after its release", async () => {
    const { uid, a, asked } = await given(open);
    const params = a.path(uid);
    await a.spoke.call(acquireIssueLease, { params, actor: "bea", body: TIMED });
    const before = asked.length;
    expect(await a.spoke.call(acquireIssueLease, { params, actor: "cam" })).toMatchObject({
      granted: false,
      holder: { holder: "bea" },
    });
    expect(asked).toHaveLength(before);
    await a.spoke.call(releaseIssueLease, { params, actor: "bea" });
    expect(await a.spoke.call(acquireIssueLease, { params, actor: "cam" })).toMatchObject({
      granted: true,
      lease: { fence: 2 },
    });
  });

  test("if the hub's answer to a lease request is lost, the next pass gives the lease back", async () => {
    const { hub, uid, a, b, atHub, trouble } = await given(open);
    trouble((request) => (request.url?.endsWith("/acquire") === true ? "lost" : undefined));
    const body = LEASE;
    const take = async (of: typeof a) =>
      await of.spoke.send(takeReadyIssue, { params: { project_id: of.project_id }, body });
    expect((await take(a)).status).toBe(503);
    expect(await hub.call(getIssueLeaseStatus, { params: atHub })).toMatchObject({ held: true });
    trouble(undefined);
    await a.pass();
    expect(await a.pending()).toEqual([]);
    expect(await hub.call(getIssueLeaseStatus, { params: atHub })).toMatchObject({ held: false });
    expect(
      (await b.spoke.call(takeReadyIssue, { params: { project_id: b.project_id }, body })).issue
        ?.uid,
    ).toBe(uid);
  });

  test("if the hub's answer to a lease request is lost, the same daemon can take the issue again at once", async () => {
    const { uid, a, trouble } = await given(open);
    trouble((request) => (request.url?.endsWith("/acquire") === true ? "lost" : undefined));
    const params = { project_id: a.project_id };
    await a.spoke.send(takeReadyIssue, { params, body: LEASE });
    trouble(undefined);
    const taken = await a.spoke.call(takeReadyIssue, { params, body: LEASE });
    expect(taken).toMatchObject({ issue: { uid }, lease: { fence: 2 } });
    await a.pass();
    expect(await a.spoke.call(getIssueLeaseStatus, { params: a.path(uid) })).toMatchObject({
      held: true,
    });
  });

  test("while the hub cannot be reached, a request to acquire a lease waits, and other lease requests are refused", async () => {
    const { hub, uid, a, atHub, trouble } = await given(open);
    trouble(() => "cut");
    const params = a.path(uid);
    const waiting = await a.spoke.call(acquireIssueLease, { params, actor: "bea", body: TIMED });
    expect(waiting).toMatchObject({ granted: false, pending: true });
    expect(await a.pending()).toMatchObject([{ request_uid: waiting.request_uid, holder: "bea" }]);
    const offline = { code: "federation_offline" };
    expect(await a.spoke.refused(getIssueLeaseStatus, { params })).toMatchObject(offline);
    expect(
      await a.spoke.refused(takeReadyIssue, { params: { project_id: a.project_id }, body: LEASE }),
    ).toMatchObject(offline);
    expect(await a.pass()).toMatchObject({ outcome: "failed", code: "hub_unavailable" });
    trouble(undefined);
    hub.clock.advance(10_000);
    await a.pass();
    expect(await a.pending()).toEqual([]);
    expect(await a.spoke.call(getIssueLeaseStatus, { params })).toMatchObject({
      held: true,
      holder: { holder: "bea" },
      lease: { claim_uid: waiting.request_uid },
    });
    expect(await hub.call(getIssueLeaseStatus, { params: atHub })).toMatchObject({ held: true });
    trouble(() => "cut");
    expect(
      await a.spoke.refused(renewIssueLease, { params, actor: "bea", body: { ttl_seconds: 60 } }),
    ).toMatchObject(offline);
    expect(await a.spoke.refused(releaseIssueLease, { params, actor: "bea" })).toMatchObject(
      offline,
    );
  });

  test("a lease request that waits for the hub takes nothing from a faster agent of the same daemon", async () => {
    const { hub, uids, a, atHub, trouble } = await given(open, ["one", "two"]);
    const [claimed = "", leased = ""] = uids;
    trouble(() => "cut");
    for (const uid of uids)
      await a.spoke.call(acquireIssueLease, { params: a.path(uid), actor: "bea" });
    trouble(undefined);
    await a.spoke.call(acquireIssueLease, { params: a.path(leased), actor: "cam", body: TIMED });
    await a.spoke.call(claimIssue, { params: a.path(claimed), actor: "cam" });
    for (let passes = 0; passes < 3; passes += 1) await a.pass();
    for (const [w, params] of [
      [hub, atHub],
      [a.spoke, a.path(claimed)],
    ] as const)
      expect((await w.call(showIssue, { params })).issue.owner).toBe("cam");
    const status = async (uid: string) =>
      await a.spoke.call(getIssueLeaseStatus, { params: a.path(uid) });
    expect(await status(leased)).toMatchObject({ held: true, holder: { holder: "cam" } });
    expect(await status(claimed)).toMatchObject({ held: true, holder: { holder: "bea" } });
    expect(await a.pending()).toEqual([]);
  });

  test("a lease request that waits for the hub is given up if somebody else got the lease or the hub refuses", async () => {
    const { hub, uid, a, b, atHub, trouble } = await given(open);
    trouble(() => "cut");
    await a.spoke.call(acquireIssueLease, { params: a.path(uid), actor: "bea" });
    await b.spoke.call(acquireIssueLease, { params: b.path(uid), actor: "bea" });
    trouble(undefined);
    await hub.call(acquireIssueLease, { params: atHub, actor: "kim" });
    await a.pass();
    expect(await a.pending()).toEqual([]);
    await hub.call(revokeFederationEnrollment, { params: { enrollment_id: b.enrollment.id } });
    await b.pass();
    expect(await b.pending()).toEqual([]);
  });

  test("a lease request that the hub refuses is refused here with the hub's status and reason", async () => {
    const { hub, uid, a } = await given(open, ["one", "two"]);
    const [params, actor] = [a.path(uid), "bea"];
    await a.spoke.call(acquireIssueLease, { params, actor, body: TIMED });
    await hub.call(revokeFederationEnrollment, { params: { enrollment_id: a.enrollment.id } });
    const all = { params: { project_id: a.project_id }, body: LEASE };
    const two = await a.spoke.call(takeReadyIssue, all).catch((error: unknown) => String(error));
    expect(two).toContain("answered 403");
    for (const refused of [
      await a.spoke.refused(takeReadyIssue, all),
      await a.spoke.refused(takeReadyIssueGlobal, { body: LEASE }),
      await a.spoke.refused(getIssueLeaseStatus, { params }),
      await a.spoke.refused(renewIssueLease, { params, actor, body: { ttl_seconds: 60 } }),
      await a.spoke.refused(releaseIssueLease, { params, actor }),
    ])
      expect(refused).toMatchObject({ code: "hub_claim_failed", data: { reason: "auth_invalid" } });
    hub.clock.advance(60_000);
    expect(await a.spoke.refused(acquireIssueLease, { params, actor })).toMatchObject({
      code: "hub_claim_failed",
    });
  });

  test("a lease that the hub had not confirmed when the daemon ended expires in time and is given back", async () => {
    const { hub, uid, a, atHub } = await given(open);
    // The reservation of a daemon that ended before the hub answered.
    const claim_uid = "01J0000000000000000XEASEA9";
    const issue = await a.spoke.store.read(async ({ issues }) => await issues.find(uid));
    if (issue === undefined) throw new Error("the copy has the issue");
    const reserved = await a.spoke.store.write(async (tx) => {
      const project = await tx.projects.findById(a.project_id);
      const replica = project && (await copyIn(tx, project));
      if (project === undefined || replica === undefined) throw new Error("it is a copy");
      const holder = { holder: "bea", holder_instance_uid: a.spoke.store.instanceUid };
      const terms = { claim_kind: "hard", purpose: "" } as const;
      const ids = { ulid: () => claim_uid };
      return await reserve(
        { ids },
        tx,
        { replica, project, issue },
        { actor: "bea", holder, terms },
      );
    });
    expect(reserved.lease).toMatchObject({ claim_kind: "timed", claim_uid });
    await a.pass();
    expect(await a.pending()).toHaveLength(1);
    hub.clock.advance(31_000);
    await sweepLeases({ store: a.spoke.store });
    const own = await a.spoke.store.read(async ({ leases }) => await leases.of(uid));
    expect(own).toMatchObject({ release_reason: "expired" });
    await a.pass();
    expect(await a.pending()).toEqual([]);
    expect(await hub.call(getIssueLeaseStatus, { params: atHub })).toMatchObject({ held: false });
  });

  test("a lease ends here once it has ended at the hub, and at the hub once it has ended here", async () => {
    const { hub, uid, a, b, atHub } = await given(open);
    const params = a.path(uid);
    await a.spoke.call(acquireIssueLease, { params, actor: "bea" });
    await hub.call(forceReleaseIssueLease, { params: atHub, actor: "kim" });
    await a.pass();
    const own = await a.spoke.store.read(async ({ leases }) => await leases.of(uid));
    expect(own).toMatchObject({ release_reason: "ended at the hub" });
    const granted = await b.spoke.call(acquireIssueLease, { params: b.path(uid), actor: "bea" });
    await b.spoke.store.write(async (tx) => {
      const [issue, lease] = [await tx.issues.find(uid), await tx.leases.of(uid)];
      const { leaseForceReleased } = await import("../../src/domain/drafts/leases.ts");
      if (issue === undefined || lease === undefined) throw new Error("it is leased");
      await tx.append(leaseForceReleased(issue, lease, "undo", { actor: "bea", now: tx.now }));
    });
    expect(granted.granted).toBe(true);
    await b.pass();
    expect(await hub.call(getIssueLeaseStatus, { params: atHub })).toMatchObject({ held: false });
    expect(await b.mirrored(uid)).toBeUndefined();
  });

  test("a lease ends early if the clock of its daemon is set back", async () => {
    const { hub, uid, a } = await given(open);
    const params = a.path(uid);
    await a.spoke.call(acquireIssueLease, { params, actor: "bea", body: TIMED });
    hub.clock.advance(-3_600_000);
    await sweepLeases({ store: a.spoke.store });
    const own = await a.spoke.store.read(async ({ leases }) => await leases.of(uid));
    expect(own?.release_reason).toBe("the clock was set back");
  });

  test("a lease is not given without permission, and a copy cannot end the lease of somebody else", async () => {
    const { hub, uid, a, project, origin, asked, trouble } = await given(open);
    const at = { hub, project, origin, asked, trouble };
    const reader = await leasingSpoke(open, at, { start: 60_000, capabilities: "pull,push" });
    const refused = { code: "federated_read_only" };
    expect(
      await reader.spoke.refused(acquireIssueLease, { params: reader.path(uid) }),
    ).toMatchObject(refused);
    const params = { project_id: reader.project_id };
    expect(await reader.spoke.refused(takeReadyIssue, { params, body: LEASE })).toMatchObject(
      refused,
    );
    expect(await reader.spoke.refused(takeReadyIssue, { params })).toMatchObject(refused);
    expect(await reader.spoke.refused(claimIssue, { params: reader.path(uid) })).toMatchObject({
      ...refused,
      hint: expect.stringContaining("svc assign"),
    });
    for (const body of [LEASE, {}])
      expect(await reader.spoke.call(takeReadyIssueGlobal, { body })).toMatchObject({
        issue: null,
      });
    await reader.spoke.call(assignIssue, { params: reader.path(uid), body: { owner: "kim" } });
    expect(await reader.pending()).toEqual([]);
    await a.spoke.call(acquireIssueLease, { params: a.path(uid), actor: "bea" });
    expect(await a.spoke.refused(forceReleaseIssueLease, { params: a.path(uid) })).toMatchObject(
      refused,
    );
  });

  test("two takes at once lease different issues, and an issue closed or owned at the hub is passed over", async () => {
    const { hub, project, uids, a } = await given(open, [
      "closed",
      "owned",
      "leased",
      "free",
      "late",
    ]);
    const at = (ref: string | undefined) => ({ project_id: project.id, ref: ref ?? "" });
    await hub.call(closeIssue, { params: at(uids[0]), body: { source: "tui" } });
    await hub.call(assignIssue, { params: at(uids[1]), body: { owner: "kim" } });
    await hub.call(acquireIssueLease, { params: at(uids[2]), actor: "kim" });
    const params = { project_id: a.project_id };
    const [first, second] = await Promise.all([
      a.spoke.call(takeReadyIssue, { params, body: LEASE, actor: "bea" }),
      a.spoke.call(takeReadyIssue, { params, body: LEASE, actor: "cam" }),
    ]);
    expect([first.issue?.title, second.issue?.title].sort()).toEqual(["free", "late"]);
    for (const uid of uids.slice(0, 2))
      expect(await hub.call(getIssueLeaseStatus, { params: at(uid) })).toMatchObject({
        held: false,
      });
    expect(await a.pending()).toEqual([]);
  });

  test("a take is refused after the hub has denied the lease of five issues in a row", async () => {
    const titles = ["a", "b", "c", "d", "e", "f"];
    const { hub, project, uids, a } = await given(open, titles);
    for (const ref of uids.slice(0, 5))
      await hub.call(acquireIssueLease, { params: { project_id: project.id, ref }, actor: "kim" });
    const params = { project_id: a.project_id };
    const denied = { code: "claim_denied", data: { denials: 5 } };
    expect(await a.spoke.refused(takeReadyIssue, { params, body: LEASE })).toMatchObject(denied);
    expect(await a.spoke.refused(takeReadyIssueGlobal, { body: LEASE })).toMatchObject(denied);
    await hub.call(releaseIssueLease, {
      params: { project_id: project.id, ref: uids[4] ?? "" },
      actor: "kim",
    });
    const taken = await a.spoke.call(takeReadyIssue, { params, body: LEASE });
    expect(taken.issue?.uid).toBe(uids[4]);
  });

  test("a take in all projects leases an issue of another project if a hub cannot be reached, or else is refused", async () => {
    const { a, trouble } = await given(open);
    trouble(() => "cut");
    const own = await a.spoke.given.project("own");
    const issue = await a.spoke.given.issue({ project: own, title: "at home", priority: 4 });
    const first = await a.spoke.call(takeReadyIssueGlobal, { body: LEASE });
    expect(first.issue?.uid).toBe(issue.uid);
    expect(await a.spoke.refused(takeReadyIssueGlobal, { body: LEASE })).toMatchObject({
      code: "federation_offline",
    });
  });

  test("a take that is repeated with the same idempotency key gets the same lease again", async () => {
    const { uid, a } = await given(open, ["one", "two"]);
    const request = {
      params: { project_id: a.project_id },
      headers: { "idempotency-key": "k1" },
      body: LEASE,
    };
    const first = await a.spoke.call(takeReadyIssue, request);
    expect(first.issue?.uid).toBe(uid);
    expect(await a.spoke.call(takeReadyIssue, request)).toMatchObject({
      reused: true,
      issue: { uid },
      lease: { claim_uid: first.lease?.claim_uid },
    });
  });

  test.each([LEASE, {}])(
    "a take with an idempotency key skips issues that the hub denies, and can be repeated if the hub did not answer",
    async (body) => {
      const { project, hub, uid, uids, a, trouble } = await given(open, ["one", "two", "three"]);
      await hub.call(acquireIssueLease, {
        params: { project_id: project.id, ref: uid },
        actor: "kim",
      });
      const take = async (key: string) =>
        await a.spoke.send(takeReadyIssue, {
          ...{ params: { project_id: a.project_id }, headers: { "idempotency-key": key }, body },
        });
      expect(await (await take("k1")).json()).toMatchObject({
        changed: true,
        issue: { uid: uids[1] },
      });
      trouble(() => "cut");
      expect((await take("k2")).status).toBe(503);
      trouble(undefined);
      expect(await (await take("k2")).json()).toMatchObject({
        changed: true,
        issue: { uid: uids[2] },
      });
      expect(await (await take("k2")).json()).toMatchObject({
        reused: true,
        issue: { uid: uids[2] },
      });
    },
  );
});

describeStore("a claim on a copy", (open) => {
  test("a claim repeated with its idempotency key gets the same issue, although older owner changes arrive later", async () => {
    const { hub, uid, a, atHub } = await given(open);
    await hub.call(assignIssue, { params: atHub, body: { owner: "kim" } });
    await hub.call(unassignIssue, { params: atHub });
    hub.clock.advance(1000);
    const params = { project_id: a.project_id };
    const headers = { "idempotency-key": "k1" };
    const take = async () => await a.spoke.send(takeReadyIssue, { params, headers, actor: "bea" });
    expect(await (await take()).json()).toMatchObject({ changed: true, issue: { uid } });
    await a.pass();
    const again = { reused: true, issue: { uid, owner: "bea" } };
    expect(await (await take()).json()).toMatchObject(again);
    hub.clock.advance(1000);
    await hub.call(unassignIssue, { params: atHub });
    await a.pass();
    expect(await (await take()).json()).toMatchObject({ error: { code: "claim_expired" } });
  });

  test("a claim is answered only once the hub has accepted it, and then the hub's lease is given back", async () => {
    const { hub, uid, a, b, atHub } = await given(open, ["one", "two"]);
    const claimed = await a.spoke.call(claimIssue, { params: a.path(uid), actor: "bea" });
    expect(claimed).toMatchObject({ changed: true, issue: { owner: "bea" } });
    expect((await hub.call(showIssue, { params: atHub })).issue.owner).toBe("bea");
    expect(await hub.call(getIssueLeaseStatus, { params: atHub })).toMatchObject({ held: false });
    // The other copy has not read that yet.
    expect(await b.spoke.refused(claimIssue, { params: b.path(uid), actor: "bob" })).toMatchObject({
      code: "already_claimed",
      data: { current_owner: "bea" },
    });
    const next = await b.spoke.call(takeReadyIssue, { params: { project_id: b.project_id } });
    expect(next).toMatchObject({ changed: true, issue: { title: "two" } });
    expect(next.event?.type).toBe("issue.assigned");
    for (const of of [a, b]) expect(await of.pending()).toEqual([]);
    expect(await hub.call(getIssueLeaseStatus, { params: atHub })).toMatchObject({ held: false });
  });

  test("a claim keeps the hub's lease until the hub has accepted the event", async () => {
    const { hub, uid, a, trouble } = await given(open);
    const owners: Promise<string | null | undefined>[] = [];
    const ownerAtHub = async () =>
      await hub.store.read(async ({ issues }) => (await issues.find(uid))?.owner);
    trouble((request) => {
      if (request.url?.endsWith("/release") === true) owners.push(ownerAtHub());
      return undefined;
    });
    await a.spoke.call(claimIssue, { params: a.path(uid), actor: "bea" });
    // The pass that sends the event gives the lease back too.
    expect([...new Set(await Promise.all(owners))]).toEqual(["bea"]);
  });

  test("a claim by force takes over an owned issue, and an issue that was just created can be claimed", async () => {
    const { hub, uid, a, atHub } = await given(open);
    await hub.call(assignIssue, { params: atHub, body: { owner: "kim" } });
    expect(await a.spoke.refused(claimIssue, { params: a.path(uid) })).toMatchObject({
      code: "already_claimed",
    });
    await a.spoke.call(claimIssue, { params: a.path(uid), actor: "bea", body: { force: true } });
    expect((await hub.call(showIssue, { params: atHub })).issue.owner).toBe("bea");
    const made = await a.spoke.given.issue({ project: { id: a.project_id }, title: "new" });
    await a.spoke.call(claimIssue, { params: made.path, actor: "bea" });
    const there = { project_id: atHub.project_id, ref: made.uid };
    expect((await hub.call(showIssue, { params: there })).issue.owner).toBe("bea");
  });

  test("a claim under the caller's own lease keeps that lease", async () => {
    const { hub, uid, a, atHub } = await given(open);
    const [params, actor] = [a.path(uid), "bea"];
    await a.spoke.call(acquireIssueLease, { params, actor, body: TIMED });
    expect(await a.spoke.refused(claimIssue, { params, actor: "cam" })).toMatchObject({
      code: "claim_denied",
    });
    await a.spoke.call(claimIssue, { params, actor });
    expect(await hub.call(getIssueLeaseStatus, { params: atHub })).toMatchObject({ held: true });
    expect((await hub.call(showIssue, { params: atHub })).issue.owner).toBe("bea");
  });

  test("a claim is refused if the hub cannot be reached or rejects the token", async () => {
    const { hub, uid, a, trouble } = await given(open);
    trouble(() => "cut");
    const before = await a.spoke.events();
    expect(await a.spoke.refused(claimIssue, { params: a.path(uid) })).toMatchObject({
      code: "federation_offline",
    });
    const kinds = (await a.spoke.events()).slice(before.length).map(({ type }) => type);
    expect(kinds).toEqual(["claim.acquired", "claim.released"]);
    trouble(undefined);
    await hub.call(revokeFederationEnrollment, { params: { enrollment_id: a.enrollment.id } });
    expect(await a.spoke.refused(claimIssue, { params: a.path(uid) })).toMatchObject({
      code: "hub_claim_failed",
    });
  });
});

describeStore("an issue of a copy that another daemon has leased", (open) => {
  test("a leased issue can be commented on but not changed here, until the hub reports the end of the lease", async () => {
    const { hub, uid, a, atHub, trouble, asked } = await given(open);
    const [params, body] = [a.path(uid), { title: "other" }];
    await hub.call(acquireIssueLease, { params: atHub, actor: "kim" });
    await a.spoke.call(getIssueLeaseStatus, { params });
    const denied = { code: "claim_denied", data: { holder: { holder: "kim" } } };
    expect(await a.spoke.refused(editIssue, { params, body })).toMatchObject(denied);
    await a.spoke.call(createComment, { params, body: { body: "hello" } });
    await hub.call(releaseIssueLease, { params: atHub, actor: "kim" });
    trouble(() => "cut");
    expect(await a.spoke.refused(editIssue, { params, body })).toMatchObject(denied);
    trouble(undefined);
    await a.spoke.call(editIssue, { params, body });
    const before = asked.length;
    await a.spoke.call(editIssue, { params, body: { title: "third" } });
    expect(asked).toHaveLength(before);
  });
});

describeStore("a claim that the hub has not accepted", (open) => {
  test.each([
    ["kept if the hub has it after all", "bea", "bea"],
    ["taken back if the hub gave the issue to somebody else", "kim", "kim"],
  ])("a claim that the hub has not accepted is %s", async (_, owner, expected) => {
    const { hub, uid, a, atHub } = await given(open);
    const holder_instance_uid = a.spoke.store.instanceUid;
    // A claim whose event was not sent, after the hub's lease has run out.
    await a.spoke.store.write(async (tx) => {
      const issue = await tx.issues.find(uid);
      if (issue === undefined) throw new Error("the copy has the issue");
      await tx.append(issueAssigned(issue, "bea", { actor: "bea", now: tx.now }));
      await tx.unfolded.put("mirrored_lease", {
        ...{ issue_uid: uid, project_uid: issue.project_uid, holder: "sam", holder_instance_uid },
        ...{ claim_uid: "01J0000000000000000XEASEA8", client_kind: "", purpose: "claim" },
        ...{ claim_kind: "timed", acquired_at: tx.now, expires_at: tx.now, released_at: null },
        ...{ release_reason: null, revision: 1, updated_at: tx.now, heard_at: tx.now },
      });
    });
    await hub.call(assignIssue, { params: atHub, body: { owner } });
    await a.pass();
    for (const [w, params] of [
      [hub, atHub],
      [a.spoke, a.path(uid)],
    ] as const)
      expect((await w.call(showIssue, { params })).issue.owner).toBe(expected);
    const claim = (await a.spoke.events()).find(
      ({ type, origin_instance_uid }) =>
        type === "issue.assigned" && origin_instance_uid === holder_instance_uid,
    );
    expect(claim?.skipped_at !== undefined).toBe(owner !== "bea");
    expect(await a.mirrored(uid)).toBeUndefined();
  });

  test("a claim is not confirmed any more once a pass has given up the request to the hub", async () => {
    const { uid, a } = await given(open);
    const held = await a.spoke.store.write(async (tx) => {
      const [issue, project] = [
        await tx.issues.find(uid),
        await tx.projects.findById(a.project_id),
      ];
      const replica = project && (await copyIn(tx, project));
      if (issue === undefined || project === undefined || replica === undefined)
        throw new Error("it is a copy");
      const holder = { holder: "bea", holder_instance_uid: a.spoke.store.instanceUid };
      const wanted = { actor: "bea", holder, terms: { claim_kind: "hard", purpose: "" } } as const;
      const ids = { ulid: () => "01J0000000000000000XEASEA7" };
      const { lease } = await reserve({ ids }, tx, { replica, project, issue }, wanted);
      const key = { request_uid: lease.claim_uid };
      const open = await isReserved(tx, lease, lease.claim_uid);
      const row = await tx.unfolded.find("pending_lease", key);
      if (row !== undefined)
        await tx.unfolded.put("pending_lease", { ...row, rejected_at: tx.now });
      return [open, await isReserved(tx, lease, lease.claim_uid)];
    });
    expect(held).toEqual([true, false]);
  });
});

test("the time of a lease counts from the moment of the request to the hub", () => {
  expect(endOf("2026-01-01T00:00:10.000Z", 60, 2500)).toBe("2026-01-01T00:01:07.500Z");
  expect(endOf("2026-01-01T00:00:10.000Z", undefined, 2500)).toBeUndefined();
});
