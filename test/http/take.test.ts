import { expect, test } from "vitest";
import { systemIds } from "../../src/base/ids.ts";
import { assignIssue } from "../../src/contract/actions.ts";
import {
  acquireIssueLease,
  takeReadyIssue,
  takeReadyIssueGlobal,
} from "../../src/contract/leases.ts";
import type { Input } from "../../src/contract/route.ts";
import { sweepLeases } from "../../src/ops/leases/sweep.ts";
import { describePostgres, describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const LEASE = { lease: { ttl_seconds: 60 } } as const;
const MINUTE = 60_000;

function taker(w: World, project_id: number) {
  return async (body: Partial<Input<typeof takeReadyIssue>["body"]> = {}) =>
    await w.call(takeReadyIssue, { params: { project_id }, body });
}

describeStore("taking the best ready issue", (open) => {
  test("a take gives the most urgent issue first, then the last changed, then those without priority", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const titles = [];
    for (const [title, priority] of [
      ["plain", undefined],
      ["low", 4],
      ["old urgent", 1],
      ["new urgent", 1],
    ] as const) {
      await w.given.issue({ project, title, ...(priority === undefined ? {} : { priority }) });
      w.clock.advance(1000);
    }
    const take = taker(w, project.id);
    for (let at = 0; at < 4; at++) titles.push((await take()).issue?.title);
    expect(titles).toEqual(["new urgent", "old urgent", "low", "plain"]);
  });

  test("a take as a claim makes the taker the owner, and a second claim gets another issue", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    await w.given.issue({ project, title: "one" });
    const take = taker(w, project.id);
    expect(await take({ actor: "bea" })).toMatchObject({
      changed: true,
      issue: { title: "one", owner: "bea" },
      event: { type: "issue.assigned", actor: "bea" },
    });
    expect(await take({ actor: "bea" })).toEqual({
      issue: null,
      event: null,
      events: [],
      changed: false,
    });
  });

  test("a take as a lease leaves the owner unchanged and returns a fence", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    await w.given.issue({ project, title: "one" });
    const take = taker(w, project.id);
    const taken = await take({ lease: { ttl_seconds: 60, purpose: "repair", client_kind: "cli" } });
    expect(taken).toMatchObject({
      issue: { title: "one" },
      lease: { holder: "ann", fence: 1, claim_kind: "timed", purpose: "repair" },
      event: { type: "claim.acquired" },
    });
    expect(taken.issue?.owner).toBeUndefined();
    // Not even for another process with the same name.
    expect((await take(LEASE)).issue).toBeNull();
    expect((await take()).issue).toBeNull();
  });

  test("a take leaves owned issues to their owner, who may lease them", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const issue = await w.given.issue({ project });
    await w.call(assignIssue, { params: issue.path, body: { owner: "bea" } });
    const take = taker(w, project.id);
    expect((await take()).issue).toBeNull();
    expect((await take(LEASE)).issue).toBeNull();
    expect((await take({ actor: "bea" })).issue).toBeNull();
    expect((await take({ ...LEASE, actor: "bea" })).lease).toMatchObject({ holder: "bea" });
  });

  test("a take as a lease prefers the more urgent among the taker's own and free issues", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    await w.given.issue({ project, title: "own", owner: "ann", priority: 2 });
    await w.given.issue({ project, title: "free", priority: 1 });
    const take = taker(w, project.id);
    const order = [await take(LEASE), await take(LEASE), await take(LEASE)];
    expect(order.map(({ issue }) => issue?.title)).toEqual(["free", "own", undefined]);
  });

  test("a take skips issues that are blocked, parked, planned, filtered out or in another project", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const other = await w.given.project("other");
    const blocked = await w.given.issue({ project, title: "blocked" });
    const blocker = await w.given.issue({ project, title: "blocker", owner: "bea" });
    await w.given.link(blocker, "blocks", blocked);
    await w.given.metadata(await w.given.issue({ project }), { someday: true });
    await w.given.metadata(await w.given.issue({ project }), { scheduled_on: "2026-06-01" });
    await w.given.issue({ project, title: "ui", labels: ["ui"] });
    await w.given.issue({ project: other, title: "elsewhere" });
    const take = taker(w, project.id);
    expect((await take({ exclude_labels: ["ui"] })).issue).toBeNull();
    expect((await take({ labels: ["api"] })).issue).toBeNull();
    expect((await take({ labels: ["ui"] })).issue?.title).toBe("ui");
    expect((await take()).issue).toBeNull();
    const anywhere = await w.call(takeReadyIssueGlobal, {});
    expect(anywhere.issue).toMatchObject({ title: "elsewhere", owner: "ann" });
  });

  test("a take takes a parent issue only if containers are requested", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const parent = await w.given.issue({ project, title: "parent" });
    const child = await w.given.issue({ project, title: "child", owner: "bea" });
    await w.given.link(child, "parent", parent);
    const take = taker(w, project.id);
    expect((await take()).issue).toBeNull();
    expect((await take({ containers: true })).issue?.title).toBe("parent");
  });

  test("a take offers the issue of a dead worker again at most one second after its lease ends", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    await w.given.issue({ project });
    const take = taker(w, project.id);
    const dead = await take({ ...LEASE, actor: "dead" });
    w.clock.advance(MINUTE - 1);
    expect((await take(LEASE)).issue).toBeNull();
    w.clock.advance(1001);
    const taken = await take(LEASE);
    expect(taken.issue?.uid).toBe(dead.issue?.uid);
    expect(taken.lease?.fence).toBe(2);
    expect(await sweepLeases(w)).toBe(0);
  });

  test("a take never takes an issue under a hard lease", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    await w.call(acquireIssueLease, { params: issue.path, body: { actor: "bea" } });
    w.clock.advance(400 * 86_400_000);
    const take = taker(w, issue.path.project_id);
    expect((await take()).issue).toBeNull();
    expect((await take(LEASE)).issue).toBeNull();
  });

  test.each([
    ["claims", {}],
    ["leases", LEASE],
  ])(
    "64 workers get 1,000 %s from 1,000 issues, and no issue twice",
    { timeout: 120_000 },
    async (_, how) => {
      const w = await world({ store: open });
      const project = await w.given.project();
      const create = async (at: number) =>
        await w.given.issue({ project, title: `issue ${at}`, priority: at % 5 });
      for (let at = 0; at < 1000; at += 50)
        await Promise.all(Array.from({ length: 50 }, async (_, more) => await create(at + more)));
      const take = taker(w, project.id);
      const taken: string[] = [];
      const work = async (actor: string): Promise<void> => {
        for (;;) {
          const { issue } = await take({ ...how, actor });
          if (issue === null) return;
          taken.push(issue.uid);
        }
      };
      await Promise.all(Array.from({ length: 64 }, async (_, at) => await work(`worker-${at}`)));
      expect(taken).toHaveLength(1000);
      expect(new Set(taken).size).toBe(1000);
    },
  );
});

describePostgres("taking from two daemons on one database", (open) => {
  test.each([
    ["claims", {}],
    ["leases", LEASE],
  ])("two daemons give each of 200 %s to one worker", { timeout: 60_000 }, async (_, how) => {
    const database = await open.database();
    const daemon = async () =>
      await world({
        store: async (options) => await database.open({ ...options, ids: systemIds() }),
      });
    const [one, other] = [await daemon(), await daemon()];
    const project = await one.given.project();
    for (let at = 0; at < 200; at++) await one.given.issue({ project });
    const taken: string[] = [];
    const work = async (w: World, actor: string): Promise<void> => {
      const take = taker(w, project.id);
      for (;;) {
        const { issue } = await take({ ...how, actor });
        if (issue === null) return;
        taken.push(issue.uid);
      }
    };
    await Promise.all(
      Array.from({ length: 16 }, async (_, at) => await work(at % 2 === 0 ? one : other, `w${at}`)),
    );
    expect(taken).toHaveLength(200);
    expect(new Set(taken).size).toBe(200);
  });
});
