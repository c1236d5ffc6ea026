import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { SvcError } from "../../../src/contract/errors.ts";
import {
  createFederationEnrollment,
  revokeFederationEnrollment,
} from "../../../src/contract/federation.ts";
import {
  createFederationReplica,
  leaveFederationReplica,
  rebindFederationReplica,
} from "../../../src/contract/federation-replicas.ts";
import type { FederationSettings } from "../../../src/daemon/federation.ts";
import type { Row } from "../../../src/domain/tables/tables.ts";
import { HttpHub } from "../../../src/federation/http-hub.ts";
import { makeHub } from "../../support/federated.ts";
import { countingIds } from "../../support/ids.ts";
import { leasingHub } from "../../support/leasing.ts";
import { describeStore } from "../../support/store.ts";
import type { OpenStore, World } from "../../support/world.ts";
import { spoke } from "./replica-world.ts";

const [OLD, NEW] = ["https://hub.example", "https://moved.example"];
const BEHIND = "https://proxy.example/svc";
const MANAGED = {
  ...{ hub_catalog: "moved", hub_project_name: "web" },
  ...{ requested_actor: "sam", spoke_project_name: "web" },
};

/** A hub with two addresses, and a daemon with a copy at the first one. `at` says where an address leads. */
async function copied(open: OpenStore) {
  const { hub, project, origin } = await leasingHub(open, async (world, inside) => {
    await world.given.issue({ project: inside });
  });
  const places = new Map<string, string>([
    [OLD, origin],
    [NEW, origin],
    [BEHIND, origin],
  ]);
  const asked: { readonly at: string; readonly token: string }[] = [];
  /** The addresses at which somebody has got an answer. */
  const closed: string[] = [];
  const federation: FederationSettings = {
    intervalMs: 30_000,
    credential: async (uid) => (await at.credentials.all()).get(uid),
    hub: async ({ hub_url, ...replica }, { token, spoke_instance_uid }, clock, maxMs = 60_000) => {
      asked.push({ at: hub_url, token });
      const opened = new HttpHub(
        { clock, trustsPrivateNetwork: false, maxMs },
        { ...replica, hub_url: places.get(hub_url) ?? "", token, spoke_instance_uid },
      );
      const close = opened.close.bind(opened);
      opened.close = () => {
        close();
        closed.push(hub_url);
      };
      return await Promise.resolve(opened);
    },
  };
  const at = await spoke(open, { federation, ids: countingIds(20_000) });
  const { w, credentials } = at;
  const enrollment = await hub.call(createFederationEnrollment, {
    body: {
      ...{ spoke_instance_uid: w.store.instanceUid, project_id: project.id },
      ...{ capabilities: "pull,push", actor: "sam" },
    },
  });
  const { token } = enrollment;
  const join = async (changes: object = {}) =>
    await w.call(createFederationReplica, {
      body: {
        ...{ hub_url: OLD, hub_project_id: project.id, hub_project_uid: project.uid },
        ...{ project_name: project.name, replay_horizon_event_id: 1, token, actor: "sam" },
        ...{ capabilities: "pull,push", push_enabled: true },
        ...changes,
      },
    });
  const { project: copy } = await join();
  const params = { project_id: copy.id };
  const key = { project_uid: project.uid };
  const binding = async () =>
    await w.store.read(async ({ unfolded }) => await unfolded.find("federation_binding", key));
  const credential = async () => (await credentials.all()).get(project.uid);
  return {
    ...{
      ...at,
      hub,
      project,
      enrollment,
      token,
      join,
      places,
      asked,
      closed,
      params,
      binding,
      credential,
    },
    rebind: async (hub_catalog = "moved") =>
      await w.call(rebindFederationReplica, { params, body: { hub_catalog } }),
    refused: async (hub_catalog = "moved") =>
      await w.refused(rebindFederationReplica, { params, body: { hub_catalog } }),
    pull: async () => await w.federation.pull(project.uid, new AbortController().signal),
    changeBinding: async (changes: Partial<Row<"federation_binding">>) =>
      await w.store.write(async ({ unfolded }) => {
        const row = await unfolded.find("federation_binding", key);
        if (row !== undefined) await unfolded.put("federation_binding", { ...row, ...changes });
      }),
    changeCredential: async (changes: object) => {
      const known = await credential();
      if (known !== undefined) await credentials.store(project.uid, { ...known, ...changes });
    },
    /** Both stores, but for the time of the last change. */
    stores: async () => {
      const { updated_at: _at, ...row } = (await binding()) ?? {};
      return { row, credential: await credential() };
    },
  };
}

/** Lets the next write of the store succeed, but loses its answer. */
function loseNextAnswer({ store }: World): void {
  const write = store.write.bind(store);
  store.write = async (work, guard) => {
    store.write = write;
    await write(work, guard);
    throw new SvcError("outcome_unknown");
  };
}

describeStore("moving a copy to another address of its hub", (open) => {
  test.each([
    ["both at the old address", OLD, OLD, "rebound"],
    ["only the token moved", NEW, OLD, "resumed"],
    ["only the binding moved", OLD, NEW, "resumed"],
    ["both already moved", NEW, NEW, "unchanged"],
  ])(
    "a move leaves binding and token at the new address, starting with %s",
    async (_what, credentialAt, bindingAt, state) => {
      const at = await copied(open);
      await at.pull();
      const before = await at.stores();
      await at.changeCredential({ hub_url: credentialAt });
      await at.changeBinding({ hub_url: bindingAt });
      const wakes = at.w.federationWakes();
      const answer = await at.rebind();
      const { uid, name } = at.project;
      expect(answer).toEqual({
        project: { id: at.params.project_id, uid, name },
        old_origin: state === "unchanged" ? NEW : OLD,
        new_origin: NEW,
        state,
      });
      expect(await at.stores()).toEqual({
        row: { ...before.row, hub_url: NEW },
        credential: { ...before.credential, hub_url: NEW },
      });
      expect(at.w.federationWakes()).toBe(wakes + 1);
      expect(await at.pull()).toMatchObject({ outcome: "current" });
      expect(await at.rebind()).toMatchObject({ state: "unchanged" });
    },
  );

  test("a move may lead to a path under which a proxy serves the hub", async () => {
    const at = await copied(open);
    expect(await at.rebind("behind")).toMatchObject({
      ...{ old_origin: OLD, new_origin: new URL(BEHIND).origin, state: "rebound" },
    });
    expect((await at.binding())?.hub_url).toBe(BEHIND);
    expect((await at.credential())?.hub_url).toBe(BEHIND);
    expect(at.asked).toEqual([{ at: BEHIND, token: at.token }]);
    expect(await at.pull()).toMatchObject({ outcome: "current" });
  });

  test("a move asks the hub with the token of the copy, never with that of the entry in config.toml", async () => {
    const at = await copied(open);
    await at.rebind();
    expect(at.asked).toEqual([{ at: NEW, token: at.token }]);
  });

  test.each([
    ["plain", "has no https url"],
    ["own", "has no https url"],
    ["nobody", "names no daemon"],
    ["here", "is the address of this daemon"],
  ])("a move to the entry %s is refused before any hub is asked", async (name, message) => {
    const at = await copied(open);
    const before = await at.stores();
    const refused = await at.refused(name);
    expect([refused.code, refused.message]).toEqual([
      "validation",
      expect.stringContaining(message),
    ]);
    expect(at.asked).toEqual([]);
    expect(await at.stores()).toEqual(before);
  });

  test("a move is refused when binding and credential name two addresses, and neither is the new one", async () => {
    const at = await copied(open);
    await at.changeCredential({ hub_url: "https://third.example" });
    const before = await at.stores();
    const { code, data } = await at.refused();
    expect([code, data]).toMatchObject(["federation_binding_conflict", { reason: "disagreement" }]);
    expect(at.asked).toEqual([]);
    expect(await at.stores()).toEqual(before);
  });

  test("a move is refused by a hub that has another project there, does not take the token, or gives no answer", async () => {
    const at = await copied(open);
    const other = await leasingHub(open, async () => {}, countingIds(60_000));
    const before = await at.stores();
    at.places.set(NEW, other.origin);
    expect((await at.refused()).code).toBe("federation_credential_conflict");
    // The same token and the same id, in another database.
    await other.hub.call(createFederationEnrollment, {
      body: {
        ...{ spoke_instance_uid: at.w.store.instanceUid, project_id: other.project.id },
        ...{ capabilities: "pull,push", actor: "sam", token: at.token },
      },
    });
    const elsewhere = await at.refused();
    expect([elsewhere.code, elsewhere.data]).toMatchObject([
      "federation_binding_conflict",
      { reason: "project" },
    ]);
    at.places.set(NEW, "http://127.0.0.1:9");
    expect((await at.refused()).code).toBe("federation_hub_unavailable");
    at.places.set(NEW, `${at.places.get(OLD)}/nowhere`);
    expect((await at.refused()).code).toBe("federation_binding_conflict");
    at.places.set(NEW, at.places.get(OLD) ?? "");
    const params = { enrollment_id: at.enrollment.id };
    await at.hub.call(revokeFederationEnrollment, { params });
    const { code, data } = await at.refused();
    expect([code, data]).toMatchObject(["federation_credential_conflict", { reason: "token" }]);
    expect(JSON.stringify(data)).not.toContain(at.token);
    expect(await at.stores()).toEqual(before);
  });

  test("a move is refused when the hub names another project than the binding", async () => {
    const at = await copied(open);
    const uid = "01J0000000000000000000HXB9";
    await at.changeBinding({ hub_project_uid: uid });
    expect((await at.refused()).data).toMatchObject({ reason: "other_project" });
    await at.changeBinding({ hub_project_uid: at.project.uid });
    await at.changeCredential({ hub_project_id: 99 });
    expect((await at.refused()).data).toMatchObject({ reason: "other_project" });
    expect(at.asked).toEqual([]);
  });

  test("a move is refused for a project that is no copy, has no token, or belongs to another entry of config.toml", async () => {
    const at = await copied(open);
    const { w } = at;
    const alone = await w.given.project("alone");
    const own = await w.given.project("own");
    await makeHub(w, own);
    const refusedOf = async (project_id: number) => {
      const body = { hub_catalog: "moved" };
      return (await w.refused(rebindFederationReplica, { params: { project_id }, body })).code;
    };
    expect(await refusedOf(99)).toBe("project_not_found");
    expect(await refusedOf(alone.id)).toBe("federation_binding_conflict");
    expect(await refusedOf(own.id)).toBe("not_a_spoke");
    await at.changeCredential({ managed: { ...MANAGED, hub_catalog: "plain" } });
    expect((await at.refused()).data).toMatchObject({ reason: "other_catalog" });
    await at.changeCredential({ managed: MANAGED });
    expect(await at.rebind()).toMatchObject({ state: "rebound" });
    await at.credentials.delete(at.project.uid);
    expect(await at.refused()).toMatchObject({
      code: "federation_credential_conflict",
      data: { reason: "no_credential" },
    });
  });

  test("a move is refused while the project leaves, and while the file with the tokens cannot be used", async () => {
    const at = await copied(open);
    await at.w.call(leaveFederationReplica, { params: at.params, body: { prepare: true } });
    expect((await at.refused()).data).toMatchObject({ reason: "leaving" });
    await at.join();
    chmodSync(at.file, 0o644);
    expect((await at.refused()).code).toBe("federation_offline");
    chmodSync(at.file, 0o600);
    expect(await at.rebind()).toMatchObject({ state: "rebound" });
  });

  test("a move whose database answer was lost looks up whether the change was made, and is then complete", async () => {
    const at = await copied(open);
    loseNextAnswer(at.w);
    expect(await at.rebind()).toMatchObject({ state: "rebound" });
    expect((await at.binding())?.hub_url).toBe(NEW);
  });

  test("a move waits for a read from the hub that is running, and no other read begins before binding and token are moved", async () => {
    const at = await copied(open);
    const order: string[] = [];
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const { promise: reading, resolve: begun } = Promise.withResolvers<void>();
    const write = at.w.store.write.bind(at.w.store);
    // Stops the pass after the write in which it stores that it has begun.
    at.w.store.write = async (work, guard) => {
      at.w.store.write = write;
      const done = await write(work, guard);
      begun();
      await answered;
      return done;
    };
    const passing = at.pull().then(({ outcome }) => order.push(`pass ${outcome}`));
    await reading;
    const moving = at.rebind().then(({ state }) => order.push(state));
    await expect.poll(() => at.closed).toContain(NEW);
    const next = at.pull().then(({ outcome }) => order.push(`next ${outcome}`));
    expect((await at.credential())?.hub_url).toBe(OLD);
    answer();
    await Promise.all([passing, moving, next]);
    expect(order).toEqual(["pass current", "rebound", "next current"]);
    const places = at.asked.map(({ at: place }) => place);
    expect(places.toSorted()).toEqual([OLD, NEW, NEW].toSorted());
    expect(places.at(-1)).toBe(NEW);
  });
});
