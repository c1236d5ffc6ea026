import { expect, test } from "vitest";
import { pollEvents, pollProjectEvents } from "../../src/contract/activity.ts";
import {
  EVENT_FEATURES,
  FEATURES_HEADER,
  getCronCapabilities,
} from "../../src/contract/capabilities.ts";
import { createIssue, showIssue } from "../../src/contract/issues.ts";
import { renameProject } from "../../src/contract/projects.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

describeStore("polling events", (open) => {
  test("polling returns every event in order, and then nothing until something happens", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    await w.given.comment({ on: issue });
    const first = await w.call(pollEvents);
    expect(first).toMatchObject({ reset_required: false, next_after_id: 3 });
    expect(first).not.toHaveProperty("reset_after_id");
    expect(first.events.map(({ type }) => type)).toEqual([
      "project.created",
      "issue.created",
      "issue.commented",
    ]);
    expect(first.events.map(({ event_id }) => event_id)).toEqual([1, 2, 3]);
    const after = { query: { after_id: first.next_after_id } };
    expect(await w.call(pollEvents, after)).toEqual({
      reset_required: false,
      events: [],
      next_after_id: 3,
      epoch: first.epoch,
    });
    await w.given.comment({ on: issue });
    expect((await w.call(pollEvents, after)).events).toHaveLength(1);
  });

  test("the answer to a poll names the same features of the daemon as the answer about its capabilities", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.project();
    const answers = [
      await w.send(pollEvents),
      await w.send(pollProjectEvents, { params }),
      await w.send(getCronCapabilities, { params }),
    ];
    const [all, ofProject, asked] = answers.map(({ headers }) => headers.get(FEATURES_HEADER));
    expect([all, ofProject]).toEqual([asked, asked]);
    expect(asked).toBe(EVENT_FEATURES.join(", "));
  });

  test("an event has its position, its actor, its clock and its payload as an object", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ title: "one", labels: ["ui"], actor: "bea" });
    const { events } = await w.call(pollEvents, { query: { after_id: 1 } });
    expect(events).toEqual([
      {
        event_id: 2,
        event_uid: expect.stringMatching(/^[0-9A-Z]{26}$/),
        origin_instance_uid: w.store.instanceUid,
        project_id: issue.project_id,
        project_uid: issue.project_uid,
        project_name: "web",
        issue_id: issue.id,
        issue_uid: issue.uid,
        issue_short_id: issue.short_id,
        type: "issue.created",
        actor: "bea",
        payload: expect.objectContaining({ title: "one", labels: ["ui"], author: "bea" }),
        hlc_physical_ms: w.clock.nowMs(),
        hlc_counter: expect.any(Number),
        content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        created_at: w.clock.now(),
        chain: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    ]);
  });

  test("the event of a link names the issue at its other end", async () => {
    const w = await world({ store: open });
    const [one, two] = [await w.given.issue(), await w.given.issue()];
    await w.given.link(one, "blocks", two);
    const { events } = await w.call(pollEvents, { query: { after_id: 3 } });
    expect(events).toMatchObject([
      {
        issue_uid: one.uid,
        related_issue_uid: two.uid,
        related_issue_id: two.id,
        related_issue_short_id: two.short_id,
      },
    ]);
  });

  test("a change without effect and a refused change make no event", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const before = await w.call(pollEvents);
    await w.refused(createIssue, { params: issue.path, body: { title: " " } });
    await w.call(showIssue, { params: issue.path });
    await w.call(renameProject, { params: issue.path, body: { name: "web" } });
    expect(await w.call(pollEvents)).toEqual(before);
  });

  test("old events show the present name of their project", async () => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    await w.call(renameProject, { params, body: { name: "site" } });
    const { events } = await w.call(pollEvents);
    expect(events.map(({ project_name }) => project_name)).toEqual(["site", "site", "site"]);
  });

  test("a project's poll returns only its own events, with the same cursors", async () => {
    const w = await world({ store: open });
    const [web, shop] = [await w.given.project("web"), await w.given.project("shop")];
    await w.given.issue({ project: web });
    await w.given.issue({ project: shop });
    const page = await w.call(pollProjectEvents, { params: shop.path });
    expect(page.events.map(({ event_id, type }) => [event_id, type])).toEqual([
      [2, "project.created"],
      [4, "issue.created"],
    ]);
    expect(page.next_after_id).toBe(4);
    const rest = await w.call(pollProjectEvents, { params: web.path, query: { after_id: 3 } });
    expect(rest).toMatchObject({ events: [], next_after_id: 3 });
  });

  test.each([
    [undefined, 100],
    [1, 1],
    [101, 101],
    [1000, 1000],
    [5000, 1000],
  ])(
    "a poll of 1,003 events with a limit of %s returns %i, and the next poll continues",
    async (limit, count) => {
      const w = await world({ store: open });
      await many(w, 1002);
      const query = limit === undefined ? {} : { limit };
      const page = await w.call(pollEvents, { query });
      expect(page.events).toHaveLength(count);
      expect(page.next_after_id).toBe(count);
      const next = await w.call(pollEvents, { query: { after_id: count, limit: 1 } });
      expect(next.events[0]?.event_id).toBe(count + 1);
    },
  );

  test("reading page by page misses nothing and repeats nothing", async () => {
    const w = await world({ store: open });
    await many(w, 50);
    const seen: number[] = [];
    for (let after_id = 0; ; ) {
      const page = await w.call(pollEvents, { query: { after_id, limit: 7 } });
      if (page.events.length === 0) break;
      seen.push(...page.events.map(({ event_id }) => event_id));
      after_id = page.next_after_id;
    }
    expect(seen).toEqual(Array.from({ length: 51 }, (_, at) => at + 1));
  });

  test.each([
    ["a limit of 0", "limit=0", "limit: must be more than 0"],
    ["a negative limit", "limit=-5", "limit: must be more than 0"],
    ["a limit that is no number", "limit=x", "limit: must be a number"],
    ["a negative cursor", "after_id=-1", "after_id: must be at least 0"],
    ["a cursor that is no number", "after_id=1e3", "after_id: must be a number"],
    ["two cursors", "after_id=1&after_id=2", "after_id: must be a number"],
  ])("%s is refused", async (_, query, message) => {
    const w = await world({ store: open });
    const { id } = await w.given.project();
    for (const path of ["events", `projects/${id}/events`]) {
      const response = await w.app.fetch(new Request(`http://localhost/api/v1/${path}?${query}`));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: "validation", message } });
    }
  });

  test("a missing project and an archived project cannot be polled", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    await w.given.archived(project);
    for (const project_id of [project.id, 99]) {
      const refused = await w.refused(pollProjectEvents, { params: { project_id } });
      expect(refused.code).toBe("project_not_found");
    }
  });
});

/** Writes that wait at the same time share a commit, which is fast. */
async function many(w: World, count: number): Promise<void> {
  const { path: params } = await w.given.project();
  const body = { title: "x", force_new: true };
  await Promise.all(
    Array.from({ length: count }, async () => await w.call(createIssue, { params, body })),
  );
}
