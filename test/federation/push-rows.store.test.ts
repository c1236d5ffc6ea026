import { expect, test } from "vitest";
import { pollEvents } from "../../src/contract/activity.ts";
import { enableProjectFederation } from "../../src/contract/federation.ts";
import { resyncFederationReplica } from "../../src/contract/federation-replicas.ts";
import { editIssue } from "../../src/contract/issues.ts";
import { answer, bytesOf } from "../support/replica.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { world } from "../support/world.ts";
import { expectClean, rowsOf } from "./copies.ts";
import { Machine } from "./nodes/machine.ts";
import { Spoke } from "./nodes/spoke.ts";
import { writingCopy } from "./push-world.ts";

/** Rows of docs/contract/federation.md#13-outcomes about sending, as a copy sees them. */

/** A hub on a machine of its own, and a copy of its project. */
async function onMachines(open: OpenTestStore) {
  const clockOf = await world({ store: open });
  const { clock, ids } = clockOf;
  const machine = await Machine.start(open, { clock, ids, timezone: "UTC" });
  const hub = await world({ store: async () => await Promise.resolve(machine.store), clock, ids });
  const issue = await hub.given.issue({ title: "of the hub" });
  const project = { id: issue.path.project_id, uid: issue.project_uid ?? "", name: "web" };
  await hub.call(enableProjectFederation, { params: { project_id: project.id } });
  const spoke = await Spoke.start(open, hub, 1, [project], { writes: true });
  await spoke.join(project);
  expect(await spoke.pass()).toEqual(["current"]);
  const local = { id: await spoke.localId(project) };
  return { machine, hub, spoke, local, issue };
}

describeStore("a copy that sends what is written to it", (open) => {
  test("a copy gets one answer, and the hub adds a batch once, if the network delivers the batch twice at once", async () => {
    const it = await writingCopy(open);
    for (const title of ["one", "two"]) await it.spoke.given.issue({ project: it.local, title });
    const { hub, server } = it;
    const statuses: number[] = [];
    server.intercept((request, response) => {
      if (request.method !== "POST") return void answer(hub, request, response);
      void bytesOf(request).then(async (body) => {
        const writeHead = (status: number) => {
          statuses.push(status);
          return unread;
        };
        const unread = { writeHead, end: () => undefined } as never;
        await Promise.all([
          answer(hub, request, unread, undefined, body),
          answer(hub, request, response, undefined, body),
        ]);
      });
    });
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    expect(statuses).toEqual([200]);
    const made = (await hub.events()).filter(({ type }) => type === "issue.created");
    expect(made).toHaveLength(2);
    expect(await it.status()).toMatchObject({ pending_push_count: 0 });
    await it.expectOneHistory();
  });

  test("a copy sends a batch again if the hub ended after it stored the batch, and readers find each event once", async () => {
    const { machine, hub, spoke, local } = await onMachines(open);
    await spoke.world.given.issue({ project: local, title: "committed" });
    const before = await hub.store.read(async ({ events }) => await events.lastId());
    expect(await spoke.pass("unanswered")).toEqual(["hub_unavailable"]);
    await machine.restart();
    const after = await hub.store.read(async ({ events }) => await events.lastId());
    expect(await spoke.pass()).toEqual(["current"]);
    expect(await hub.store.read(async ({ events }) => await events.lastId())).toBe(after);
    const { events } = await hub.call(pollEvents, { query: { after_id: before } });
    expect(events.map(({ type }) => type)).toEqual(["issue.created"]);
    expect(await rowsOf(spoke.machine)).toEqual(await rowsOf(hub));
  });

  test("a copy sets changes of an issue aside that the hub has lost, and asks no more until somebody decides", async () => {
    const { machine, hub, spoke, local, issue } = await onMachines(open);
    await machine.back();
    const made = await hub.given.issue({ project: { id: issue.path.project_id }, title: "lost" });
    expect(await spoke.pass()).toEqual(["current"]);
    const params = { project_id: local.id, ref: made.uid };
    await spoke.world.call(editIssue, { params, body: { title: "of the copy" } });
    await machine.restore();
    expect(await spoke.pass()).toEqual(["validation"]);
    // A pass that asked the hub would get no answer.
    expect(await spoke.pass("lost")).toEqual(["validation"]);
    expect(await spoke.decide("skip")).toBe(true);
    for (let pass = 0; pass < 3; pass += 1) await spoke.pass();
    expect(await spoke.pass()).toEqual(["current"]);
    expect(await rowsOf(spoke.machine)).toEqual(await rowsOf(hub));
  });

  test("a copy restored from an older backup sends new changes, and a resync brings back what it had sent before", async () => {
    const { hub, spoke, local } = await onMachines(open);
    await spoke.machine.back();
    await spoke.world.given.issue({ project: local, title: "sent before" });
    expect(await spoke.pass()).toEqual(["current"]);
    await spoke.machine.restore();
    await spoke.world.given.issue({ project: local, title: "written after" });
    // The copy is not told that its database is an older one. It does not take its own events for those of others.
    expect(await spoke.pass()).toEqual(["own_event_missing"]);
    const titles = (await hub.events()).flatMap(({ payload }) =>
      "title" in payload ? [payload.title] : [],
    );
    expect(titles).toEqual(["of the hub", "of the hub", "sent before", "written after"]);
    const { clock } = spoke.world;
    clock.advance(1000);
    const params = { project_id: local.id };
    await spoke.world.call(resyncFederationReplica, { params });
    expect(await spoke.pass()).toEqual(["current"]);
    expect(await rowsOf(spoke.machine)).toEqual(await rowsOf(hub));
  });

  test("the hub gets each change once, even if the copy is killed before or after any read or write of a pass", async () => {
    const { hub, spoke, local } = await onMachines(open);
    const titles: string[] = [];
    let isCut = true;
    for (let moments = 0; isCut; moments += 1) {
      const title = `killed after ${moments}`;
      titles.push(title);
      await spoke.world.given.issue({ project: local, title });
      isCut = false;
      const pass = async () => {
        isCut = true;
        const outcome = await spoke.pass();
        isCut = outcome[0] !== "current";
      };
      await spoke.machine.killedDuring(moments, pass);
      for (let again = 0; again < 2; again += 1) await spoke.pass();
      expect(await rowsOf(spoke.machine), title).toEqual(await rowsOf(hub));
    }
    expect(titles.length).toBeGreaterThan(10);
    const made = (await hub.events()).flatMap(({ type, payload }) =>
      type === "issue.created" && "title" in payload ? [payload.title] : [],
    );
    expect(made).toEqual(["of the hub", ...titles]);
    await expectClean(spoke.machine);
  });

  test("the hub has each change once, even if the hub is killed before or after any read or write of a batch", async () => {
    const { machine, hub, spoke, local } = await onMachines(open);
    const titles: string[] = [];
    let isCut = true;
    for (let moments = 0; isCut; moments += 1) {
      const title = `killed after ${moments}`;
      titles.push(title);
      await spoke.world.given.issue({ project: local, title });
      let outcome: readonly string[] = [];
      await machine.killedDuring(moments, async () => (outcome = await spoke.pass()));
      isCut = outcome[0] !== "current";
      expect(await spoke.decide("retry"), title).toBe(false);
      expect(await spoke.pass(), title).toEqual(["current"]);
      expect(await rowsOf(spoke.machine), title).toEqual(await rowsOf(hub));
    }
    expect(titles.length).toBeGreaterThan(5);
    const made = (await hub.events()).flatMap(({ type, payload }) =>
      type === "issue.created" && "title" in payload ? [payload.title] : [],
    );
    expect(made).toEqual(["of the hub", ...titles]);
    await expectClean({ store: machine.store });
  });
});
