import { describe, expect, test } from "vitest";
import { assignIssue } from "../../src/contract/actions.ts";
import { pollEvents, pollProjectEvents } from "../../src/contract/activity.ts";
import { showIssue } from "../../src/contract/issues.ts";
import { addLabel } from "../../src/contract/labels.ts";
import { removeProject } from "../../src/contract/project-actions.ts";
import { moveIssue } from "../../src/contract/removal.ts";
import type { Input } from "../../src/contract/route.ts";
import { describeStore } from "../support/store.ts";
import { type OpenStore, world } from "../support/world.ts";

type Query = Partial<Input<typeof pollEvents>["query"]>;

/**
 *  1 web created    3 one created       6 one labeled by bea     9 two blocks one
 *  2 shop created   4 two created       7 one assigned by bea   10 there closed by cy
 *                   5 there created     8 two commented by cy
 */
async function history(open: OpenStore) {
  const w = await world({ store: open });
  const [web, shop] = [await w.given.project("web"), await w.given.project("shop")];
  const one = await w.given.issue({ project: web });
  const two = await w.given.issue({ project: web });
  const there = await w.given.issue({ project: shop, actor: "bea" });
  await w.call(addLabel, { params: one.path, body: { label: "ui", actor: "bea" } });
  await w.call(assignIssue, { params: one.path, body: { owner: "ann", actor: "bea" } });
  await w.given.comment({ on: two, author: "cy" });
  await w.given.link(two, "blocks", one);
  await w.append({
    type: "issue.closed",
    actor: "cy",
    project_uid: shop.uid,
    issue_uid: there.uid,
    payload: {
      reason: "done",
      closed_at: w.clock.now(),
      parent_uid: "",
      parent_short_id: "",
    },
  });
  const ids = async (query: Query): Promise<readonly number[]> =>
    (await w.call(pollEvents, { query })).events.map(({ event_id }) => event_id);
  return { ...w, web, shop, one, two, there, ids };
}

describeStore("events can be filtered", (open) => {
  test("events are filtered by kind, by group of kinds, and by several kinds", async () => {
    const w = await history(open);
    expect(await w.ids({ type: ["issue.created"] })).toEqual([3, 4, 5]);
    expect(await w.ids({ type: ["project.*"] })).toEqual([1, 2]);
    expect(await w.ids({ type: ["issue.closed", "issue.labeled"] })).toEqual([6, 10]);
    expect(await w.ids({ type: ["issue.reopened"] })).toEqual([]);
  });

  test("events are filtered by the exact name of the actor", async () => {
    const w = await history(open);
    expect(await w.ids({ actor: ["bea"] })).toEqual([5, 6, 7]);
    expect(await w.ids({ actor: ["cy", "bea"] })).toEqual([5, 6, 7, 8, 10]);
    expect(await w.ids({ actor: ["Bea"] })).toEqual([]);
  });

  test("events are filtered by issue, including links from other issues", async () => {
    const w = await history(open);
    expect(await w.ids({ issue: [w.one.uid] })).toEqual([3, 6, 7, 9]);
    expect(await w.ids({ issue: [w.one.uid, w.two.uid] })).toEqual([3, 4, 6, 7, 8, 9]);
    expect(await w.ids({ issue: [w.one.uid.toLowerCase()] })).toEqual([3, 6, 7, 9]);
  });

  test("events are filtered by one project or several", async () => {
    const w = await history(open);
    expect(await w.ids({ project_id: [w.shop.id] })).toEqual([2, 5, 10]);
    expect(await w.ids({ project_id: [w.shop.id, w.web.id] })).toHaveLength(10);
  });

  test.each<[string, (w: Awaited<ReturnType<typeof history>>) => Query, readonly number[]]>([
    ["kind and actor", () => ({ type: ["issue.created"], actor: ["bea"] }), [5]],
    ["project and actor", (w) => ({ project_id: [w.web.id], actor: ["bea"] }), [6, 7]],
    ["issue and kind", (w) => ({ issue: [w.one.uid], type: ["issue.linked"] }), [9]],
    ["issue and actor", (w) => ({ issue: [w.one.uid], actor: ["bea"] }), [6, 7]],
    ["issue and another project", (w) => ({ issue: [w.one.uid], project_id: [w.shop.id] }), []],
    [
      "all of them",
      (w) => ({
        issue: [w.one.uid],
        project_id: [w.web.id],
        actor: ["bea"],
        type: ["issue.assigned"],
      }),
      [7],
    ],
  ])("events are filtered by %s together", async (_what, query, expected) => {
    const w = await history(open);
    expect(await w.ids(query(w))).toEqual(expected);
  });

  test("events are filtered by the short id of an issue if the request names its project, and by project#id otherwise", async () => {
    const w = await history(open);
    const { short_id, qualified_id } = w.one;
    const own = await w.call(pollProjectEvents, {
      params: w.web.path,
      query: { issue: [short_id] },
    });
    expect(own.events.map(({ event_id }) => event_id)).toEqual([3, 6, 7, 9]);
    expect(await w.ids({ issue: [short_id], project_id: [w.web.id] })).toHaveLength(4);
    expect(await w.ids({ issue: [qualified_id] })).toHaveLength(4);
    const without = await w.refused(pollEvents, { query: { issue: [short_id] } });
    expect(without.code).toBe("issue_not_found");
    const two = { issue: [short_id], project_id: [w.web.id, w.shop.id] };
    expect((await w.refused(pollEvents, { query: two })).code).toBe("issue_not_found");
  });

  test("events are filtered by an issue that was moved or deleted, or whose project was archived", async () => {
    const w = await history(open);
    const { issue } = await w.call(showIssue, { params: w.one.path });
    await w.call(moveIssue, {
      params: w.one.path,
      headers: { "if-match": `"rev-${issue.revision}"` },
      body: { to_project_uid: w.shop.uid },
    });
    await w.given.deleted({ uid: w.one.uid, project_uid: w.shop.uid });
    expect((await w.ids({ issue: [w.one.uid] })).slice(4)).toEqual([11, 12]);
    await w.call(removeProject, { params: w.shop.path, query: { actor: "ann", force: true } });
    expect((await w.ids({ issue: [w.one.uid] })).slice(4)).toEqual([11, 12, 13]);
    expect(await w.ids({ issue: [w.two.uid], type: ["project.*"] })).toEqual([]);
  });

  test("a poll with a filter moves its cursor past events that do not match, up to the end of the log", async () => {
    const w = await history(open);
    const first = await w.call(pollEvents, { query: { actor: ["bea"], limit: 2 } });
    expect(first.next_after_id).toBe(6);
    const query = { actor: ["bea"], after_id: first.next_after_id };
    expect(await w.call(pollEvents, { query })).toMatchObject({
      events: [{ event_id: 7 }],
      next_after_id: 10,
    });
    await w.given.comment({ on: w.two, author: "ann" });
    expect(await w.call(pollEvents, { query: { ...query, after_id: 10 } })).toEqual({
      reset_required: false,
      events: [],
      next_after_id: 11,
      epoch: expect.any(String),
    });
  });
});

describeStore("filtered events in a long log", (open) => {
  test("filtered events are found page by page, both rare ones and those that match two frequent conditions", async () => {
    const w = await world({ store: open });
    const project = await w.given.project("web");
    const { uid: project_uid } = project;
    const issue = await w.given.issue({ project });
    // Kinds alternate and the actor changes half-way. So no event before 6,003 matches both filters, and few events
    // match the third.
    await w.store.write(async (tx) => {
      for (let n = 3; n <= 12_000; n++) {
        const place = { actor: n <= 6002 ? "ann" : "bea", project_uid, issue_uid: issue.uid };
        const rare = n % 3000 === 0;
        const { now: updated_at } = tx;
        if (rare)
          await tx.append({
            type: "issue.unassigned",
            ...place,
            payload: { owner: null, updated_at },
          });
        else if (n % 2 === 0 || n > 6002)
          await tx.append({
            type: "issue.updated",
            ...place,
            payload: { title: `${n}`, updated_at },
          });
        else
          await tx.append({
            type: "issue.priority_set",
            ...place,
            payload: { priority: 1, updated_at },
          });
      }
    });
    const read = async (query: Query): Promise<readonly number[]> => {
      const ids: number[] = [];
      for (let after_id = 0; ; ) {
        const page = await w.call(pollEvents, { query: { ...query, after_id, limit: 1000 } });
        ids.push(...page.events.map(({ event_id }) => event_id));
        if (page.next_after_id === 12_000 && page.events.length < 1000) return ids;
        after_id = page.next_after_id;
      }
    };
    expect(await read({ type: ["issue.unassigned"] })).toEqual([3000, 6000, 9000, 12_000]);
    const both = await read({ type: ["issue.updated"], actor: ["bea"] });
    expect(both).toHaveLength(5996);
    expect([both[0], both.at(-1)]).toEqual([6003, 11_999]);
    expect(await read({ type: ["issue.priority_set"], actor: ["bea"] })).toEqual([]);
    const all = await read({ issue: [issue.uid], type: ["issue.updated", "issue.unassigned"] });
    expect(all).toHaveLength(5998 + 3000);
    const first = { type: ["issue.updated"], actor: ["bea"], limit: 1 };
    expect(await w.call(pollEvents, { query: first })).toMatchObject({
      events: [{ event_id: 6003 }],
      next_after_id: 6003,
    });
  }, 60_000);
});

describe("filters of events", () => {
  describeStore("are checked", (open) => {
    test.each([
      ["an unknown kind", "type=issue.nonsense", 400, "validation"],
      ["an empty kind", "type=", 400, "validation"],
      ["a missing project", "project_id=99", 404, "project_not_found"],
      ["a project that is no number", "project_id=web", 400, "validation"],
      ["a missing issue", "issue=01M7YPD9HK0SR9DFRB44M11X64", 404, "issue_not_found"],
      ["a missing issue of a project", "issue=web%23zzzz", 404, "issue_not_found"],
      ["an issue of a missing project", "issue=shop%23zzzz", 404, "issue_not_found"],
      ["a value that is no reference", "issue=a%20b", 404, "issue_not_found"],
      ["more than 100 values", "actor=a&".repeat(101), 400, "validation"],
    ])("a filter with %s is refused with the right code", async (_what, query, status, code) => {
      const w = await world({ store: open });
      await w.given.project("web");
      const response = await w.app.fetch(new Request(`http://localhost/api/v1/events?${query}`));
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ error: { code } });
    });

    test("a filter with 100 values is accepted", async () => {
      const w = await world({ store: open });
      const project = await w.given.project("web");
      const many = Array.from({ length: 100 }, async () => await w.given.issue({ project }));
      const issue = (await Promise.all(many)).map(({ uid }) => uid);
      const { events } = await w.call(pollEvents, { query: { issue, limit: 200 } });
      expect(events.map(({ event_id }) => event_id)).toEqual(issue.map((_, at) => at + 2));
      const response = await w.app.fetch(
        new Request(`http://localhost/api/v1/events?${"actor=a&".repeat(100)}`),
      );
      expect(response.status).toBe(200);
    });
  });
});
