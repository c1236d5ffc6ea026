import { expect, test } from "vitest";
import { SvcError } from "../../src/contract/errors.ts";
import {
  createFederationEnrollment,
  enableProjectFederation,
  listFederationEnrollments,
  revokeFederationEnrollment,
} from "../../src/contract/federation.ts";
import {
  createFederationReplica,
  leaveFederationReplica,
} from "../../src/contract/federation-replicas.ts";
import { finishForHub } from "../../src/engines/federation.ts";
import type { Principal } from "../../src/ops/deps.ts";
import { type AdoptionRequest, adoptExisting } from "../../src/ops/federation/adopt-existing.ts";
import { unfinishedAdoptions } from "../../src/ops/federation/adopt-project.ts";
import type { Federation } from "../../src/ops/federation/far-side.ts";
import { joinReplica } from "../../src/ops/federation/join.ts";
import { forgetLeftCredentials } from "../../src/ops/federation/left-credentials.ts";
import { expectFolded } from "../store/fold.ts";
import { mapped } from "../support/mapped.ts";
import { answer } from "../support/replica.ts";
import { describeStore } from "../support/store.ts";
import type { OpenStore } from "../support/world.ts";
import { mortalDaemon } from "./mortal-daemon.ts";
import { portableRows } from "./nodes/portable.ts";

const ANYBODY: Principal = { kind: "none", local: true };
const OTHER_UID = "01J0000000000000000000HXB2";
const UNKNOWN = new SvcError("outcome_unknown");

/**
 * A hub of the project `b`, and a daemon with an own project `a` of two issues, which it may hand over to `b`. It sends
 * the token that its file of credentials has.
 */
async function given(open: OpenStore) {
  const all = await mapped(open);
  const { hub, spoke, server, credentials } = all;
  const project = await hub.given.project("b");
  const metadata = await hub.call(enableProjectFederation, { params: project.path, body: {} });
  const own = await spoke.given.project("a");
  for (const title of ["x", "y"]) await spoke.given.issue({ project: own, title });

  const enroll = async (changes: object = {}) => {
    const body = {
      ...{ spoke_instance_uid: spoke.store.instanceUid, project_id: project.id, actor: "sam" },
      ...{ capabilities: ["pull", "push"], allow_adoption_snapshot_authors: true, ...changes },
    };
    return await hub.call(createFederationEnrollment, { body });
  };
  const joinWith = (token: string, changes: object = {}) => ({
    ...{ hub_url: server.origin, hub_project_id: project.id, hub_project_uid: project.uid },
    ...{ project_name: "a", token, actor: "sam", capabilities: ["pull", "push"] },
    ...{ replay_horizon_event_id: metadata.replay_horizon_event_id, adopt_existing: true },
    ...changes,
  });
  const joining = async (body: ReturnType<typeof joinWith>, changes: Partial<Federation> = {}) =>
    await joinReplica(
      { store: spoke.store, federation: { ...spoke.replicas, ...changes } },
      ANYBODY,
      body,
    ).then(
      () => "joined",
      (error: unknown) => (error instanceof SvcError ? error.code : String(error)),
    );
  const stored = async () => (await credentials.all()).get(project.uid);
  /** What the next daemon does: it forgets tokens, finishes the adoption, and sends and reads. */
  const restart = async () => {
    await forgetLeftCredentials({ store: spoke.store, federation: spoke.replicas });
    for (const uid of await spoke.store.read(unfinishedAdoptions))
      await finishForHub.run(spoke, { uid });
    for (let passes = 0; passes < 2; passes += 1) await all.pass(project.uid);
  };
  const active = async () =>
    (await hub.call(listFederationEnrollments)).enrollments.filter(
      ({ revoked_at }) => revoked_at === undefined,
    );
  /** Passes if the hub has all issues of the project, with their authors. */
  const expectHandedOver = async () => {
    const uids = new Set([project.uid]);
    const found = await portableRows(hub.store, uids);
    expect(found["issue"]).toHaveLength(2);
    expect(await portableRows(spoke.store, uids)).toEqual(found);
    for (const w of [hub, spoke]) await expectFolded(w.store);
  };
  return {
    ...{ ...all, project, own, enroll, joinWith, joining },
    ...{ stored, restart, active, expectHandedOver },
  };
}

type Given = Awaited<ReturnType<typeof given>>;

/** Hands the project over, until the daemon ends in the middle of it. */
async function begunWith(at: Given, token: string): Promise<void> {
  const { project, spoke, joinWith, stored } = at;
  for (let calls = 1; ; calls += 1) {
    const { store, federation } = mortalDaemon(spoke, calls);
    const join = joinReplica({ store, federation }, ANYBODY, joinWith(token));
    await expect(join).rejects.toThrow("the daemon has ended");
    if ((await spoke.store.read(unfinishedAdoptions)).length > 0) break;
  }
  expect(await spoke.store.read(unfinishedAdoptions)).toEqual([project.uid]);
  expect((await stored())?.token).toBe(token);
}

/** Returns a function that says whether anything was stored since it was called last. */
function changesOf({ spoke, stored }: Given): () => Promise<boolean> {
  let before = "";
  return async () => {
    const bindings = await spoke.store.read(
      async ({ unfolded }) => await unfolded.list("federation_binding", 10),
    );
    const now = JSON.stringify([await stored(), bindings, await spoke.events()]);
    const isChanged = now !== before;
    before = now;
    return isChanged;
  };
}

/** A token of a leave that was cut off: the hub has ended its enrollment. */
async function leftToken({ credentials, spoke, server, project }: Given) {
  const left = {
    ...{ hub_url: server.origin, hub_project_id: project.id, token: `svc_fed_${"l".repeat(32)}` },
    ...{ capabilities: ["pull"], actor: "sam", allow_insecure: false },
    spoke_instance_uid: spoke.store.instanceUid,
  };
  await credentials.store(project.uid, left);
  return left;
}

describeStore("the token of an adoption whose outcome is unknown", (open) => {
  test.each([
    ["none", false],
    ["another token", true],
  ])(
    "gives way to what was stored before (%s) if nothing was adopted and the hub then gives no answer",
    async (_what, hadOther) => {
      const at = await given(open);
      const { server, enroll, joinWith, joining, stored } = at;
      const before = hadOther ? await leftToken(at) : undefined;
      const { token } = await enroll();
      const adopt = async () => {
        expect((await stored())?.token).toBe(token);
        server.intercept((_request, response) => response.writeHead(503).end("{}"));
        return await Promise.reject(UNKNOWN);
      };
      expect(await joining(joinWith(token), { adopt })).toBe("federation_offline");
      expect(await stored()).toEqual(before);
      server.intercept(undefined);
      expect(await joining(joinWith(token))).toBe("joined");
      await at.restart();
      await at.expectHandedOver();
    },
  );

  test("gives way to what was stored before if nothing was adopted twice", async () => {
    const at = await given(open);
    const before = await leftToken(at);
    const { token } = await at.enroll();
    const adopt = async () => await Promise.reject(UNKNOWN);
    expect(await at.joining(at.joinWith(token), { adopt })).toBe("outcome_unknown");
    expect(await at.stored()).toEqual(before);
  });

  test("stays if the adoption has begun, and the engine goes on with it", async () => {
    const at = await given(open);
    const { spoke, server, enroll, joinWith, joining, stored } = at;
    await leftToken(at);
    const { token } = await enroll();
    const adopt = async (request: AdoptionRequest) => {
      const { store } = mortalDaemon(spoke, 5);
      await expect(adoptExisting({ store }, request, 1)).rejects.toThrow("has ended");
      server.intercept((_request, response) => response.writeHead(503).end("{}"));
      throw UNKNOWN;
    };
    expect(await joining(joinWith(token), { adopt })).toBe("federation_offline");
    expect((await stored())?.token).toBe(token);
    server.intercept(undefined);
    await at.restart();
    await at.expectHandedOver();
  });

  test("stays while the database writes nothing, since the adoption may show later", async () => {
    const at = await given(open);
    const { spoke, enroll, joinWith, stored } = at;
    await leftToken(at);
    const { token } = await enroll();
    const store = {
      ...{ instanceUid: spoke.store.instanceUid, read: spoke.store.read.bind(spoke.store) },
      write: async () => await Promise.reject(new SvcError("unavailable")),
    };
    const adopt = async () => await Promise.reject(UNKNOWN);
    const federation = { ...spoke.replicas, adopt };
    const join = joinReplica({ store: store as never, federation }, ANYBODY, joinWith(token));
    await expect(join).rejects.toMatchObject({ code: "outcome_unknown" });
    expect((await stored())?.token).toBe(token);
  });
});

describeStore("the token of an unfinished adoption", (open) => {
  test.each([
    ["that the hub does not know", undefined, {}, "federation_hub_refused"],
    [
      "that does not permit the adoption",
      { allow_adoption_snapshot_authors: false },
      {},
      "invalid_adoption_baseline",
    ],
    [
      "that cannot send, with capabilities that say so",
      { capabilities: ["pull"] },
      { capabilities: ["pull"], adopt_existing: false },
      "federation_capability_mismatch",
    ],
    [
      "that cannot send, with capabilities that do not say so",
      { capabilities: ["pull"] },
      {},
      "federation_capability_mismatch",
    ],
    ["of another actor", { actor: "tom" }, { actor: "tom" }, "federation_binding_conflict"],
    ["of another actor than the request says", { actor: "tom" }, {}, "federation_binding_conflict"],
  ] as const)(
    "is not replaced by a token %s, and the engine sends with it",
    async (_what, enrolled, changes, code) => {
      const at = await given(open);
      const { enroll, joinWith, joining, stored } = at;
      const first = await enroll();
      await begunWith(at, first.token);
      const other = enrolled === undefined ? { token: "u".repeat(40) } : await enroll(enrolled);
      expect(await joining(joinWith(other.token, changes))).toBe(code);
      expect((await stored())?.token).toBe(first.token);
      await at.restart();
      await at.expectHandedOver();
    },
  );

  test("is replaced by a token that the hub accepts for the adoption, even if that join fails later", async () => {
    const at = await given(open);
    const { hub, enroll, joinWith, joining, stored } = at;
    const first = await enroll();
    await begunWith(at, first.token);
    await hub.call(revokeFederationEnrollment, { params: { enrollment_id: first.id } });
    const second = await enroll();
    const adopt = async () => await Promise.reject(new SvcError("unavailable"));
    expect(await joining(joinWith(second.token), { adopt })).toBe("unavailable");
    expect((await stored())?.token).toBe(second.token);
    await at.restart();
    await at.expectHandedOver();
  });

  test("is the one of the join if the daemon is killed after every change, and the hub has one enrollment", async () => {
    const at = await given(open);
    const { spoke, enroll, joinWith, stored } = at;
    const { token } = await enroll();
    let begun = 0;
    const changed = changesOf(at);
    for (let calls = 0; ; calls = (await changed()) ? Math.floor(calls / 2) : calls + 1) {
      const { store, federation, isDead } = mortalDaemon(spoke, calls);
      const join = joinReplica({ store, federation }, ANYBODY, joinWith(token));
      await join.catch(() => undefined);
      if (!isDead()) break;
      const isBegun = (await spoke.store.read(unfinishedAdoptions)).length > 0;
      await forgetLeftCredentials({ store: spoke.store, federation: spoke.replicas });
      if (!isBegun && begun === 0) expect(await stored()).toBeUndefined();
      else expect(await stored()).toMatchObject({ token, actor: "sam" });
      if (isBegun) begun += 1;
    }
    expect(begun).toBeGreaterThan(4);
    await at.restart();
    expect(await stored()).toMatchObject({ token, actor: "sam" });
    await at.expectHandedOver();
    expect(await at.active()).toHaveLength(1);
  });
});

/** A mapping that has reserved its token, which the hub has enrolled, or not. */
async function reserved(open: OpenStore, isEnrolled: boolean) {
  const at = await given(open);
  const { hub, server } = at;
  server.intercept((request, response) => {
    if (request.url?.endsWith("/federation/enrollments") !== true)
      return void answer(hub, request, response);
    if (!isEnrolled) return void response.writeHead(503).end();
    const lost = { writeHead: () => undefined, end: () => response.destroy() };
    void answer(hub, request, lost as never);
  });
  const { sweep } = await at.start();
  await sweep();
  server.intercept(undefined);
  const reservation = await at.stored();
  expect(reservation).toMatchObject({ actor: "", managed: { spoke_project_name: "a" } });
  expect(await at.active()).toHaveLength(isEnrolled ? 1 : 0);
  return { ...at, reservation };
}

describeStore("the token that a mapping of config.toml has reserved", (open) => {
  test.each([
    ["handing over, enrolled", true, {}],
    ["handing over, not enrolled", false, {}],
    ["of a new copy, enrolled", true, { adopt_existing: false, project_name: "other" }],
    ["of another project of the hub for the same one here", true, { hub_project_uid: OTHER_UID }],
  ])(
    "is not replaced by a join with another token (%s), and the mapping goes on with it",
    async (_what, isEnrolled, changes) => {
      const at = await reserved(open, isEnrolled);
      const { spoke, hub, enroll, joinWith, stored, reservation } = at;
      const made = await enroll();
      const refusal = await spoke.refused(createFederationReplica, {
        body: joinWith(made.token, changes),
      });
      expect(refusal).toMatchObject({
        code: "federation_credential_conflict",
        data: { fields: ["token"] },
        hint: expect.stringContaining("svc federation leave a"),
      });
      expect(await stored()).toEqual(reservation);
      await hub.call(revokeFederationEnrollment, { params: { enrollment_id: made.id } });
      await at.restart();
      expect(await stored()).toEqual(reservation);
      const { sweep, health } = await at.start();
      await sweep();
      expect(health()).toMatchObject({ reconciled: 1 });
      await at.restart();
      await at.expectHandedOver();
      expect(await at.active()).toHaveLength(1);
    },
  );

  test("gives way to a leave, after which a join by hand leaves one active enrollment", async () => {
    const at = await reserved(open, true);
    const { spoke, hub, own, enroll, joinWith, joining, stored } = at;
    const leave = async (body: object) =>
      await spoke.call(leaveFederationReplica, { params: own.path, body });
    const { pending_enrollment } = await leave({ prepare: true });
    expect(pending_enrollment).toMatchObject({ hub_project_uid: at.project.uid });
    for (const { id } of await at.active())
      await hub.call(revokeFederationEnrollment, { params: { enrollment_id: id } });
    await leave({});
    expect(await stored()).toBeUndefined();
    const { token } = await enroll();
    expect(await joining(joinWith(token))).toBe("joined");
    await at.restart();
    await at.expectHandedOver();
    const { sweep, health } = await at.start();
    await sweep();
    expect(health()).toMatchObject({ reconciled: 1 });
    expect(await at.active()).toHaveLength(1);
    expect(await stored()).toMatchObject({ token });
  });

  test("is stored before the project is handed over, and is the same if the daemon is killed after every change", async () => {
    const at = await given(open);
    let token: string | undefined;
    let begun = 0;
    const changed = changesOf(at);
    for (let calls = 0; ; calls = (await changed()) ? Math.floor(calls / 2) : calls + 1) {
      const daemon = mortalDaemon(at.spoke, calls);
      const { sweep, health } = await at.start([{}], { daemon });
      await sweep();
      if (!daemon.isDead()) {
        expect(health()).toMatchObject({ reconciled: 1 });
        break;
      }
      if ((await at.spoke.store.read(unfinishedAdoptions)).length > 0) begun += 1;
      await forgetLeftCredentials({ store: at.spoke.store, federation: at.spoke.replicas });
      token ??= (await at.stored())?.token;
      expect((await at.stored())?.token).toBe(token);
    }
    expect(begun).toBeGreaterThan(4);
    await at.restart();
    await at.expectHandedOver();
    expect(await at.active()).toHaveLength(1);
    expect(await at.stored()).toMatchObject({ token, actor: "sam" });
  });

  test("is what the engine sends with if the daemon was killed in the middle of the adoption, without the mapping", async () => {
    const at = await given(open);
    for (let calls = 0; ; calls += 1) {
      const { sweep } = await at.start([{}], { daemon: mortalDaemon(at.spoke, calls) });
      await sweep();
      if ((await at.spoke.store.read(unfinishedAdoptions)).length > 0) break;
    }
    const reservation = await at.stored();
    expect(reservation).toMatchObject({ actor: "" });
    await at.restart();
    await at.expectHandedOver();
    expect(await at.stored()).toEqual(reservation);
    const { sweep, health } = await at.start();
    await sweep();
    expect(health()).toMatchObject({ reconciled: 1 });
    expect(await at.active()).toHaveLength(1);
    expect(await at.stored()).toMatchObject({ token: reservation?.token, actor: "sam" });
  });
});
