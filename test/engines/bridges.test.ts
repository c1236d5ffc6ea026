import { expect, test, vi } from "vitest";
import { instantToMs } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { closeIssue } from "../../src/contract/actions.ts";
import { createComment } from "../../src/contract/comments.ts";
import { removeProject, restoreProject } from "../../src/contract/project-actions.ts";
import { bridgeEngineOf } from "../../src/daemon/bridges.ts";
import { accountDigest } from "../../src/domain/bridges/pauses.ts";
import type { ExternalRoots } from "../../src/ops/bridges/external-roots.ts";
import { ConnectorFault } from "../../src/ops/bridges/far-side.ts";
import { type Bridged, bridgedWorld } from "../ops/bridges/bridged.ts";
import { givenBridge } from "../support/bridges.ts";
import { startEngines } from "../support/engines.ts";
import { describeStore } from "../support/store.ts";
import type { OpenStore } from "../support/world.ts";

/** A daemon whose engine of bridges runs, with a connector `files` and what `roots` adds. */
async function running(
  open: OpenStore,
  roots: (b: Bridged) => Partial<ExternalRoots> = () => ({}),
) {
  const b = await bridgedWorld(open);
  const found: ExternalRoots = {
    instances: () => ["files"],
    health: async () => await b.provider.health(),
    client: (instance) => b.provider.client(instance),
    ...roots(b),
  };
  const work = { mayBegin: true, underWay: 0 };
  const connectors = {
    ...{ get: async () => await Promise.resolve(found as never), isStopped: false },
    during: async <T>(run: () => Promise<T>) => await run(),
  };
  const engine = bridgeEngineOf(connectors, {
    ...{ store: b.store, clock: b.clock, ids: b.ids, settings: b.settings, log: silentLog },
    beginWork: () => {
      if (!work.mayBegin) return undefined;
      work.underWay += 1;
      return () => void (work.underWay -= 1);
    },
  });
  const engines = startEngines({ store: b.store, clock: b.clock }, engine);
  const health = () => engines.health(true)["bridges"];
  /** Moves the time on by steps, so that sleeps begin where others ended. */
  const move = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1000) {
      b.clock.advance(Math.min(left, 1000));
      await b.store.read(async () => await Promise.resolve());
    }
  };
  /** The same, and waits for the runs. */
  const pass = async (ms: number) => {
    await move(ms);
    await eventually(() => expect(work.underWay).toBe(0));
  };
  /** Moves the time on until the check succeeds, by so little that two in a row come before the next scan. */
  const soon = async (check: () => unknown) => {
    const most = b.clock.nowMs() + 10_000;
    await eventually(async () => {
      if (b.clock.nowMs() < most) b.clock.advance(100);
      await check();
    });
  };
  return { ...b, b, engines, health, move, pass, soon, work };
}

/** Waits until the check succeeds. */
const eventually = async (check: () => unknown) =>
  await vi.waitFor(async () => void (await check()), { timeout: 30_000, interval: 20 });

const say = async ({ call, issue }: Bridged, body: string) =>
  await call(createComment, { params: issue.path, body: { body } });

/** Stores bridges of the connector whose roots the provider has, without a first run, and returns their rows. */
async function manyBridges(b: Bridged, instance: string, count: number) {
  const rows = [];
  for (let number = 0; number < count; number += 1) {
    const key = `${instance}-${number}`;
    b.provider.add(key, { title: `title of ${key}` });
    const issue = await b.given.issue({ title: "before" });
    const external_account_digest = accountDigest(instance, b.provider.account);
    const root = { connector_instance: instance, external_root_key: key, external_account_digest };
    rows.push(await givenBridge(b, issue, root));
  }
  return rows;
}

const lastRuns = async (b: Bridged, rows: readonly { readonly uid: string }[]) =>
  await b.store.read(async ({ bridges }) =>
    Promise.all(rows.map(async ({ uid }) => (await bridges.byUid(uid))?.last_success_at ?? null)),
  );

describeStore("the engine of bridges", (open) => {
  test("runs a bridge two seconds after the start and every 30 seconds, and health counts it", async () => {
    const r = await running(open);
    await r.bind();
    r.provider.edit("r", { title: "Second" });
    await r.pass(1999);
    expect((await r.shown()).title).toBe("Ship it");
    await r.pass(1);
    await eventually(async () => expect((await r.shown()).title).toBe("Second"));
    await r.pass(1);
    expect(r.health()).toEqual({ enabled: 1, failing: 0, running: 0 });
    r.provider.edit("r", { title: "Third" });
    r.provider.calls = [];
    await r.pass(29_998);
    expect(r.provider.calls).toEqual([]);
    await r.pass(1);
    await eventually(async () => expect((await r.shown()).title).toBe("Third"));
    await r.engines.stop();
  });

  test("runs the first bridge soon after a close, also if it was bound after the last scan", async () => {
    const r = await running(open);
    await r.pass(2000);
    await r.pass(1);
    await r.bind();
    await r.call(closeIssue, { params: r.issue.path, body: { source: "tui" } });
    await r.soon(() => expect(r.provider.record("r").state).toBe("complete"));
    await r.engines.stop();
  });

  test("runs a bridge soon after a comment and a close of its issue, and not after what the run writes", async () => {
    const r = await running(open);
    await r.bind({ publish: true });
    await r.pass(2000);
    await eventually(() => expect(r.provider.calls.length).toBeGreaterThan(6));
    await r.pass(1);
    await say(r.b, "done soon");
    await r.soon(() => expect(r.provider.record("r").comments).toHaveLength(1));
    r.provider.comment("r", "c2", "and from there");
    await r.call(closeIssue, { params: r.issue.path, body: { source: "tui" } });
    await r.soon(() => expect(r.provider.record("r").state).toBe("complete"));
    await r.soon(async () => expect(await r.comments()).toHaveLength(2));
    await r.pass(1);
    r.provider.calls = [];
    await r.pass(5000);
    expect(r.provider.calls).toEqual([]);
    await r.folded();
    await r.engines.stop();
  });

  test("runs a bridge again that was changed during its run", async () => {
    const r = await running(open);
    await r.bind({ publish: true });
    await r.pass(2000);
    await r.pass(1);
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await say(r.b, "first");
    // When the run completes nothing more, it has looked for comments already.
    r.provider.during("publish_comment", async () => {
      reached.resolve();
      await goOn.promise;
    });
    let isReached = false;
    void reached.promise.then(() => (isReached = true));
    await r.soon(() => expect(isReached).toBe(true));
    await say(r.b, "second");
    // The engine learns of the comment while the run is under way.
    await r.move(1000);
    goOn.resolve();
    await r.soon(() => expect(r.provider.record("r").comments).toHaveLength(2));
    await r.engines.stop();
  });

  test("waits longer after each failure, also if somebody changes the issue, and not after a resume", async () => {
    const r = await running(open);
    await r.bind({ publish: true });
    r.provider.failNext("describe", new ConnectorFault("process"));
    await r.pass(2000);
    await eventually(async () => expect((await r.bridge()).consecutive_failures).toBe(1));
    await r.pass(1);
    const failed = await r.show();
    const waitMs = instantToMs(failed.next_attempt_at ?? "") - r.clock.nowMs();
    expect(waitMs).toBeGreaterThan(26_000);
    r.provider.calls = [];
    await say(r.b, "not yet");
    await r.pass(1000);
    expect(r.provider.calls).toEqual([]);
    await r.pass(35_000);
    await r.pass(30_000);
    await eventually(() => expect(r.provider.record("r").comments).toHaveLength(1));
    await eventually(async () => expect(await r.show()).not.toHaveProperty("next_attempt_at"));
    await r.pause("a while");
    await say(r.b, "while paused");
    await r.pass(60_000);
    expect(r.provider.record("r").comments).toHaveLength(1);
    await r.resume();
    await r.soon(() => expect(r.provider.record("r").comments).toHaveLength(2));
    await r.engines.stop();
  });

  test("pauses a bridge whose root is gone, and asks for it no more", async () => {
    const r = await running(open);
    await r.bind();
    r.provider.records.delete("r");
    await r.pass(2000);
    await eventually(async () =>
      expect(await r.bridge()).toMatchObject({
        ...{ enabled: 0, paused_reason: "external_root_missing", consecutive_failures: 0 },
      }),
    );
    r.provider.calls = [];
    await r.pass(90_000);
    expect(r.provider.calls).toEqual([]);
    await r.soon(() => expect(r.health()).toEqual({ enabled: 0, failing: 0, running: 0 }));
    await r.engines.stop();
  });

  test("pauses a bridge whose connector is not configured", async () => {
    const r = await running(open);
    const [row] = await manyBridges(r.b, "removed", 1);
    await r.pass(2000);
    await eventually(async () => {
      const found = await r.store.read(async ({ bridges }) => bridges.byUid(row?.uid ?? ""));
      expect(found).toMatchObject({ enabled: 0, paused_reason: "external_connector_missing" });
    });
    await r.engines.stop();
  });

  test("runs no bridge of an archived project, and after its restore only what was resumed", async () => {
    const r = await running(open);
    await r.bind();
    const { path, body } = { path: { project_id: r.issue.path.project_id }, body: {} };
    await r.call(removeProject, { params: path, query: { force: true } });
    r.provider.calls = [];
    await r.pass(32_000);
    await r.call(restoreProject, { params: path, body });
    await r.pass(32_000);
    expect(r.provider.calls).toEqual([]);
    await r.resume();
    await r.soon(() => expect(r.provider.calls).toContain("list_comments"));
    await r.engines.stop();
  });

  test("takes over the claim of a run that was killed when it is stale", async () => {
    const r = await running(open);
    await r.bind();
    await r.claimed();
    r.provider.edit("r", { title: "Later" });
    await r.pass(299_000);
    expect((await r.shown()).title).toBe("Ship it");
    await r.pass(31_000);
    await eventually(async () => expect((await r.shown()).title).toBe("Later"));
    await r.engines.stop();
  });

  test("gives each of more than 100 bridges its turn in each round, and none two", async () => {
    const r = await running(open);
    const rows = await manyBridges(r.b, "files", 110);
    const reads = new Map<string, number>();
    const own = r.provider.record.bind(r.provider);
    vi.spyOn(r.provider, "record").mockImplementation((key) => {
      reads.set(key, (reads.get(key) ?? 0) + 1);
      return own(key);
    });
    const turns = () => new Set(reads.values());
    r.clock.advance(2000);
    await eventually(() => expect(reads.size).toBe(110));
    await r.pass(1);
    // A run asks for the root and for its comments.
    expect(turns()).toEqual(new Set([2]));
    expect(new Set(await lastRuns(r.b, rows)).has(null)).toBe(false);
    reads.clear();
    await r.pass(29_999);
    await eventually(() => expect(reads.size).toBe(110));
    await r.pass(1);
    expect(turns()).toEqual(new Set([2]));
    await r.engines.stop();
  }, 60_000);

  test("runs the others while a connector hangs, and gives that one run after a timeout", async () => {
    const hanging: { readonly fail: () => void }[] = [];
    const r = await running(open, (b) => ({
      client: (instance) => {
        const client = b.provider.client("files");
        if (instance !== "slow" || client === undefined) return client;
        const describe = async () => {
          const work = Promise.withResolvers<never>();
          hanging.push({ fail: () => work.reject(new ConnectorFault("timeout")) });
          return await work.promise;
        };
        return { ...client, describe };
      },
    }));
    // More than a look for due bridges returns, and all of them stand before the others.
    await manyBridges(r.b, "slow", 105);
    const others = await manyBridges(r.b, "files", 6);
    r.clock.advance(2000);
    await eventually(async () => expect(await lastRuns(r.b, others)).not.toContain(null));
    expect(hanging).toHaveLength(3);
    for (const { fail } of hanging.slice(0, 3)) fail();
    await eventually(() => expect(hanging).toHaveLength(4));
    await eventually(() => expect(r.health()).toMatchObject({ running: 1 }));
    expect([hanging.length, r.work.underWay]).toEqual([4, 1]);
    r.work.mayBegin = false;
    hanging[3]?.fail();
    await eventually(() => expect(r.work.underWay).toBe(0));
    await r.engines.stop();
  }, 60_000);

  test("begins no run after the deadline of idle shutdown", async () => {
    const r = await running(open);
    await r.bind();
    r.work.mayBegin = false;
    r.provider.calls = [];
    await r.pass(40_000);
    expect(r.provider.calls).toEqual([]);
    await r.engines.stop();
  });

  test("ends a run when it is stopped, without a failure and without a claim", async () => {
    const reached = Promise.withResolvers<void>();
    const r = await running(open, (b) => ({
      client: (instance, signal) => {
        const client = b.provider.client(instance);
        const describe = async () => {
          const stopped = Promise.withResolvers<never>();
          signal.addEventListener("abort", () => stopped.reject(signal.reason));
          reached.resolve();
          return await stopped.promise;
        };
        return client && { ...client, describe };
      },
    }));
    await r.bind();
    r.clock.advance(2000);
    await reached.promise;
    expect(r.work.underWay).toBe(1);
    await r.engines.stop();
    await eventually(() => expect(r.work.underWay).toBe(0));
    expect(await r.bridge()).toMatchObject({
      ...{ claim_token: null, consecutive_failures: 0, last_error: null, enabled: 1 },
    });
  });
});
