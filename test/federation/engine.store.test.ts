import { expect, test } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { yieldToLoop } from "../../src/base/yield-to-loop.ts";
import { SvcError } from "../../src/contract/errors.ts";
import { createFederationReplica } from "../../src/contract/federation-replicas.ts";
import { getProjectFederationStatus } from "../../src/contract/federation-status.ts";
import { federationOf } from "../../src/daemon/federation.ts";
import { databaseChecks } from "../../src/engines/checks/all.ts";
import { federationEngine } from "../../src/engines/federation.ts";
import { Wake } from "../../src/engines/wake.ts";
import { runPass } from "../../src/federation/pass.ts";
import { withGuard } from "../../src/ops/guarded.ts";
import { HUB_UID, JOIN, spoke as machine } from "../ops/federation/replica-world.ts";
import { joined, spokeOf } from "../support/replica.ts";
import { describePostgres, describeStore } from "../support/store.ts";
import { type OpenStore, type World, world } from "../support/world.ts";
import { statusOf } from "./copies.ts";

/** One sweep of the world's engine; returns the wait until the next one. */
async function sweep({ store, federation }: Pick<World, "store" | "federation">): Promise<number> {
  return await sweepOf(store, federation.engine);
}

async function sweepOf(
  store: World["store"],
  engine: World["federation"]["engine"],
): Promise<number> {
  const { signal } = new AbortController();
  const bulk = async () => await Promise.reject(new Error("the engine has its own"));
  return await engine.sweep({ store: withGuard(store, {}), bulk, term: undefined, signal });
}

const forgetTokens = async (): Promise<void> => undefined;

const blockOf = ({ federation }: Pick<World, "federation">) => federation.engine.health?.read(true);

describeStore("the engine that reads hubs", (open) => {
  test("reads no credential and opens no connection if there is no copy", async () => {
    const w = await world({ store: open });
    await w.given.project();
    let asked = 0;
    const count = async (): Promise<never> => {
      asked += 1;
      return await Promise.reject(new Error("nobody asks"));
    };
    const settings = { intervalMs: 30_000, credential: count, hub: count };
    const { store, clock, ids, settings: ops } = w;
    const needs = {
      store,
      clock,
      ids,
      log: silentLog,
      settings: ops,
      worker: undefined,
      forgetTokens,
    };
    expect(await sweepOf(store, federationOf(settings, needs).engine)).toBe(30_000);
    expect(asked).toBe(0);
  });

  test("opens one connection each interval for an idle copy, and keeps none open", async () => {
    const { server, spoke } = await joined(open);
    for (let sweeps = 1; sweeps <= 3; sweeps += 1) {
      expect(await sweep(spoke)).toBe(30_000);
      expect(server.connections()).toBe(sweeps);
      expect(server.asked).toHaveLength(sweeps);
    }
  });

  test("asks no hub for a copy that is disabled, about to leave or archived", async () => {
    const { server, spoke, project } = await joined(open);
    const change = async (enabled: 0 | 1): Promise<void> =>
      await spoke.store.write(async (tx) => {
        const known = await tx.unfolded.find("federation_binding", { project_uid: project.uid });
        if (known !== undefined) await tx.unfolded.put("federation_binding", { ...known, enabled });
      });
    await change(0);
    await sweep(spoke);
    await change(1);
    const mark = { project_uid: project.uid, actor: "ann", prepared_at: spoke.clock.now() };
    await spoke.store.write(async (tx) => await tx.unfolded.put("federation_leave", mark));
    await sweep(spoke);
    expect(server.asked).toEqual([]);
    await spoke.store.write(async (tx) => await tx.unfolded.remove("federation_leave", mark));
    await sweep(spoke);
    expect(server.asked).toHaveLength(1);
    await spoke.given.archived(project);
    await sweep(spoke);
    expect(server.asked).toHaveLength(1);
  });

  test("waits as long as a failing hub asks it to, and status, health and doctor show the failure", async () => {
    const { hub, server, spoke, project } = await joined(open);
    await sweep(spoke);
    server.intercept(
      (_request, response) => void response.writeHead(503, { "retry-after": "100" }).end(),
    );
    await sweep(spoke);
    const local = await spoke.store.read(async ({ projects }) => await projects.find(project.uid));
    const params = { project_id: local?.id ?? 0 };
    const { statuses } = await spoke.call(getProjectFederationStatus, { params });
    expect(statuses).toMatchObject([
      {
        role: "spoke",
        hub_url: server.origin,
        hub_project_uid: project.uid,
        last_error: "hub_unavailable",
        last_pull_success_at: hub.clock.now(),
        last_successful_sync_at: hub.clock.now(),
      },
    ]);
    expect(JSON.stringify(statuses)).not.toContain("svc_");
    expect(blockOf(spoke)).toEqual({ running: false, failing: 1 });
    const check = databaseChecks().find(({ id }) => id === "storage.federation");
    const finding = await spoke.store.read(async (reader) => await check?.look(reader));
    expect(finding).toMatchObject({
      status: "warning",
      summary: expect.stringContaining("hub_unavailable"),
    });
    server.intercept(undefined);
    const asked = server.asked.length;
    hub.clock.advance(99_000);
    await sweep(spoke);
    expect(server.asked).toHaveLength(asked);
    hub.clock.advance(1000);
    await sweep(spoke);
    expect(server.asked).toHaveLength(asked + 1);
    expect(blockOf(spoke)).toEqual({ running: false, failing: 0 });
  });

  test("asks a hub at once if a project joins it again, although the hub had asked for a wait", async () => {
    const { server, spoke, project } = await joined(open);
    server.intercept(
      (_request, response) => void response.writeHead(503, { "retry-after": "100" }).end(),
    );
    await sweep(spoke);
    server.intercept(undefined);
    spoke.federation.wake("01J0000000000000000000HXB1");
    await sweep(spoke);
    expect(server.asked).toHaveLength(1);
    spoke.federation.wake(project.uid);
    await sweep(spoke);
    expect(server.asked).toHaveLength(2);
  });

  test("deletes the token of a project that has left its hub through another daemon on the database", async () => {
    const { w, credentials } = await machine(open);
    await w.call(createFederationReplica, { body: JOIN });
    await sweep(w);
    expect(await credentials.status(HUB_UID)).toBe("present");
    await w.store.write(async (tx) => {
      await tx.unfolded.remove("federation_binding", { project_uid: HUB_UID });
    });
    await sweep(w);
    expect(await credentials.status(HUB_UID)).toBe("missing");
  });

  test("reports a pass that fails by a fault of this daemon, with the error code, until a pass succeeds", async () => {
    const { hub, spoke, project } = await joined(open);
    const faults: Error[] = [new Error("a bug"), new SvcError("busy")];
    const { store, clock } = spoke;
    const engine = federationEngine({
      ...{ clock, log: silentLog, wake: new Wake(), intervalMs: 30_000, forgetTokens },
      ...{ joined: new Set(), written: new Set(), watchWrites: async () => undefined },
      release: async () => undefined,
      pull: async (uid, signal) => {
        const fault = faults.shift();
        if (fault === undefined) return await spoke.federation.pull(uid, signal);
        const hubOf = async () => await Promise.reject(fault);
        const unused = async () => await Promise.reject(new Error("no page was read"));
        const writes = { write: unused, reset: unused, beginSending: unused };
        return await runPass({ store, clock, hubOf, ...writes }, uid, signal);
      },
    });
    for (const code of ["internal", "busy"]) {
      await sweepOf(store, engine);
      expect(engine.health?.read(true)).toEqual({ running: false, failing: 1 });
      expect(await statusOf(spoke, project)).toMatchObject({
        last_error: code,
        last_error_at: hub.clock.now(),
      });
    }
    await sweepOf(store, engine);
    expect(engine.health?.read(true)).toEqual({ running: false, failing: 0 });
    expect(await statusOf(spoke, project)).toMatchObject({ last_error: null });
  });

  test.each([
    ["credential_missing", async () => await Promise.resolve(undefined)],
    ["credential_unreadable", async () => await Promise.reject(new SvcError("internal"))],
  ])("stores the error %s in the status, and doctor shows it", async (code, credential) => {
    const { hub, server, project } = await joined(open);
    const { spoke, federation } = await spokeOf(open, { hub, server, project }, { start: 40_000 });
    const { store, clock, ids, settings } = spoke;
    const needs = { store, clock, ids, settings, log: silentLog, worker: undefined, forgetTokens };
    const { engine } = federationOf({ ...federation, credential }, needs);
    await sweepOf(store, engine);
    expect(await statusOf(spoke, project)).toMatchObject({ last_error: code });
    expect(engine.health?.read(true)).toEqual({ running: false, failing: 1 });
    const check = databaseChecks().find(({ id }) => id === "storage.federation");
    const finding = await store.read(async (reader) => await check?.look(reader));
    expect(finding).toMatchObject({ status: "warning", summary: expect.stringContaining(code) });
  });

  test.each([
    ["at once after a pass that brought events", 1, 0],
    ["after the interval if fifty pages had none", 0, 30_000],
  ])("continues to read a hub %s", async (_, events, wait) => {
    const { spoke } = await joined(open);
    const { clock, store } = spoke;
    const engine = federationEngine({
      ...{ clock, log: silentLog, wake: new Wake(), intervalMs: 30_000, forgetTokens },
      ...{ joined: new Set(), written: new Set(), watchWrites: async () => undefined },
      release: async () => undefined,
      pull: async () => await Promise.resolve({ outcome: "more", events }),
    });
    expect(await sweepOf(store, engine)).toBe(wait);
  });

  test("wakes once if it is called many times within 50 ms", async () => {
    const { spoke, project } = await joined(open);
    const { wake = new Wake() } = spoke.federation.engine;
    for (let n = 0; n < 5; n += 1) spoke.federation.wake(project.uid);
    expect(wake.isSet).toBe(false);
    spoke.clock.advance(49);
    await yieldToLoop();
    expect(wake.isSet).toBe(false);
    spoke.clock.advance(1);
    await yieldToLoop();
    expect(wake.isSet).toBe(true);
  });

  test("reads other hubs while one hub does not answer, at most four hubs at a time", async () => {
    const { spoke, project } = await joined(open);
    const projects = [project.uid];
    for (let n = 0; n < 6; n += 1) {
      const { uid } = await spoke.given.project(`copy-${n}`);
      projects.push(uid);
      await bindLike(spoke, project.uid, uid);
    }
    const running = new Set<string>();
    let most = 0;
    const done: string[] = [];
    const silent = Promise.withResolvers<void>();
    const engine = federationEngine({
      ...{ clock: spoke.clock, log: silentLog, wake: new Wake(), intervalMs: 30_000 },
      ...{ joined: new Set(), written: new Set(), watchWrites: async () => undefined },
      release: async () => undefined,
      forgetTokens,
      pull: async (uid) => {
        running.add(uid);
        most = Math.max(most, running.size);
        if (uid === projects[0]) await silent.promise;
        else await new Promise((resolve) => setImmediate(resolve));
        running.delete(uid);
        done.push(uid);
        if (done.length === projects.length - 1) silent.resolve();
        return { outcome: "current" };
      },
    });
    await sweepOf(spoke.store, engine);
    expect(done.at(-1)).toBe(projects[0]);
    expect([...done].sort()).toEqual([...projects].sort());
    expect(most).toBeLessThanOrEqual(4);
  });
});

/** Binds another project as the first one is bound. */
async function bindLike({ store }: World, first: string, project_uid: string): Promise<void> {
  await store.write(async (tx) => {
    const known = await tx.unfolded.find("federation_binding", { project_uid: first });
    if (known !== undefined) await tx.unfolded.put("federation_binding", { ...known, project_uid });
  });
}

describePostgres("several daemons on one database", (open) => {
  test("read a project in a daemon with the credential, and in another daemon once that one has lost it", async () => {
    const { hub, server, project } = await joined(open);
    const database = await open.database();
    const from: OpenStore = async (options) => await database.open(options);
    const { spoke, federation } = await spokeOf(from, { hub, server, project }, { start: 40_000 });
    const second = await database.open({ clock: hub.clock, ids: spoke.ids });
    const has = { first: false, second: true };
    const daemon = (store: World["store"], which: keyof typeof has) => {
      const { clock, ids, settings } = spoke;
      const credential = async (uid: string) =>
        has[which] ? await federation.credential(uid) : undefined;
      const needs = {
        store,
        clock,
        ids,
        settings,
        log: silentLog,
        worker: undefined,
        forgetTokens,
      };
      return federationOf({ ...federation, credential }, needs);
    };
    const [one, two] = [daemon(spoke.store, "first"), daemon(second, "second")];
    const { signal } = new AbortController();
    const outcomes = async () => [
      (await one.pull(project.uid, signal)).outcome,
      (await two.pull(project.uid, signal)).outcome,
    ];
    expect(await outcomes()).toEqual(["failed", "current"]);
    has.first = true;
    expect(await outcomes()).toEqual(["gone", "current"]);
    has.second = false;
    expect(await outcomes()).toEqual(["gone", "failed"]);
    expect(await outcomes()).toEqual(["current", "failed"]);
  });

  test("read a project in another daemon if the hub refuses the first daemon's token, or its pass fails", async () => {
    const { hub, server, project } = await joined(open);
    const database = await open.database();
    const from: OpenStore = async (options) => await database.open(options);
    const { spoke, federation } = await spokeOf(from, { hub, server, project }, { start: 40_000 });
    const second = await database.open({ clock: hub.clock, ids: spoke.ids });
    const { clock, ids, settings } = spoke;
    const needs = { clock, ids, settings, log: silentLog, worker: undefined, forgetTokens };
    const daemon = (store: World["store"], own: Partial<typeof federation>) =>
      federationOf({ ...federation, ...own }, { ...needs, store });
    const { signal } = new AbortController();
    const credential = async (uid: string) => {
      const known = await federation.credential(uid);
      return known && { ...known, token: `svc_fed_${"wrong".repeat(8)}` };
    };
    const broken = async () => await Promise.reject(new Error("a bug"));
    const two = daemon(second, {});
    const refused = daemon(spoke.store, { credential });
    expect(await refused.pull(project.uid, signal)).toMatchObject({ outcome: "failed" });
    expect(await two.pull(project.uid, signal)).toMatchObject({ outcome: "current" });
    await two.release(project.uid);
    await expect(daemon(spoke.store, { hub: broken }).pull(project.uid, signal)).rejects.toThrow(
      "a bug",
    );
    expect(await two.pull(project.uid, signal)).toMatchObject({ outcome: "current" });
  });
});
