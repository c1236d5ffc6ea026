import { expect, test } from "vitest";
import { circlesFound } from "../../src/archive/circle-check.ts";
import { importIssues } from "../../src/contract/imports.ts";
import type { Input } from "../../src/contract/route.ts";
import {
  readyIssues,
  readyIssuesGlobal,
  type WhyReason,
  whyIssue,
} from "../../src/contract/search.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type GivenIssue = Awaited<ReturnType<World["given"]["issue"]>>;

const DAY_MS = 86_400_000;

describeStore("readiness", (open) => {
  test("an issue that nothing holds back is ready, and the last changed comes first", async () => {
    const { w, issue, ready } = await tracker(open);
    const [one, two] = [await issue("one"), await issue("two")];
    expect(await ready()).toEqual(["two", "one"]);
    w.clock.advance(1000);
    await w.given.comment({ on: one });
    expect(await ready()).toEqual(["one", "two"]);
    expect(await why(w, two)).toEqual([]);
  });

  test("a blocked issue becomes ready when its blocker closes", async () => {
    const { w, issue, ready } = await tracker(open);
    const [blocker, blocked] = [await issue("blocker"), await issue("blocked")];
    await w.given.link(blocker, "blocks", blocked);
    expect(await ready()).toEqual(["blocker"]);
    expect(await why(w, blocked)).toEqual([
      { reason: "blocked", blockers: [{ issue: ref(blocker), because: [] }] },
    ]);
    await w.given.closed(blocker);
    expect(await ready()).toEqual(["blocked"]);
    expect(await why(w, blocked)).toEqual([]);
  });

  test("a blocker that is deleted or archived with its project no longer blocks", async () => {
    const { w, issue, ready } = await tracker(open);
    const shop = await w.given.project("shop");
    const there = await w.given.issue({ project: shop, title: "there" });
    const [here, blocked] = [await issue("here"), await issue("blocked")];
    await w.given.link(here, "blocks", blocked);
    await w.given.link(there, "blocks", blocked);
    await w.given.deleted(here);
    expect(await ready()).toEqual([]);
    await w.given.archived(shop);
    expect(await ready()).toEqual(["blocked"]);
  });

  test("why follows a chain of blockers to an issue that can be worked on", async () => {
    const { w, issue, ready } = await tracker(open);
    const [first, second, third] = [await issue("1"), await issue("2"), await issue("3")];
    await w.given.link(first, "blocks", second);
    await w.given.link(second, "blocks", third);
    expect(await why(w, third)).toEqual([
      {
        reason: "blocked",
        blockers: [
          {
            issue: ref(second),
            because: [{ reason: "blocked", blockers: [{ issue: ref(first), because: [] }] }],
          },
        ],
      },
    ]);
    expect(await ready()).toEqual(["1"]);
  });

  test("why explains issues that block each other only once each", async () => {
    const { w, issue, ready } = await tracker(open);
    const [one, two] = [await issue("one"), await issue("two")];
    await w.given.link(one, "blocks", two);
    await w.given.link(two, "blocks", one);
    expect(await ready()).toEqual([]);
    expect(await why(w, one)).toEqual([
      {
        reason: "blocked",
        blockers: [
          {
            issue: ref(two),
            because: [{ reason: "blocked", blockers: [{ issue: ref(one), because: [] }] }],
          },
        ],
      },
    ]);
  });

  test('a parked issue is not ready until its key "someday" is removed', async () => {
    const { w, issue, ready } = await tracker(open);
    const parked = await issue("parked");
    await w.given.metadata(parked, { someday: true });
    expect(await ready()).toEqual([]);
    expect(await why(w, parked)).toEqual([{ reason: "parked" }]);
    await w.given.metadata(parked, { someday: null });
    expect(await ready()).toEqual(["parked"]);
  });

  test("a scheduled issue becomes ready at its instant and not before", async () => {
    const { w, issue, ready } = await tracker(open);
    const scheduled = await issue("scheduled");
    await w.given.metadata(scheduled, { scheduled_on: "2026-01-02", timezone: "Europe/Berlin" });
    const until = "2026-01-01T23:00:00.000Z";
    expect(await ready()).toEqual([]);
    expect(await why(w, scheduled)).toEqual([{ reason: "scheduled", until }]);
    w.clock.advance(DAY_MS - 3_600_000 - 1);
    expect(await ready()).toEqual([]);
    w.clock.advance(1);
    expect(w.clock.now()).toBe(until);
    expect(await ready()).toEqual(["scheduled"]);
    expect(await why(w, scheduled)).toEqual([]);
  });

  test("a container is offered only on request, and why names the open issues below it", async () => {
    const { w, issue, ready } = await tracker(open);
    const [container, child] = [await issue("container"), await issue("child")];
    await w.given.link(child, "parent", container);
    expect(await ready()).toEqual(["child"]);
    expect((await ready({ containers: true })).sort()).toEqual(["child", "container"]);
    expect(await why(w, container)).toEqual([{ reason: "open_children", children: [ref(child)] }]);
    await w.given.closed(child);
    expect(await ready()).toEqual(["container"]);
  });

  test("a container that is also blocked is not offered even on request", async () => {
    const { w, issue, ready } = await tracker(open);
    const [container, child, blocker] = [await issue("c"), await issue("child"), await issue("b")];
    await w.given.link(child, "parent", container);
    await w.given.link(blocker, "blocks", container);
    expect(await ready({ containers: true })).toEqual(["b"]);
    expect((await why(w, container)).map(({ reason }) => reason)).toEqual([
      "blocked",
      "open_children",
    ]);
  });

  test("a blocked or parked parent holds all its descendants back", async () => {
    const { w, issue, ready } = await tracker(open);
    const [top, middle, leaf] = [await issue("top"), await issue("middle"), await issue("leaf")];
    await w.given.link(middle, "parent", top);
    await w.given.link(leaf, "parent", middle);
    expect(await ready()).toEqual(["leaf"]);
    await w.given.metadata(top, { someday: true });
    expect(await ready()).toEqual([]);
    expect(await why(w, leaf)).toEqual([
      {
        reason: "held",
        parent: {
          issue: ref(middle),
          because: [
            { reason: "held", parent: { issue: ref(top), because: [{ reason: "parked" }] } },
          ],
        },
      },
    ]);
    await w.given.metadata(top, { someday: null });
    expect(await ready()).toEqual(["leaf"]);
  });

  test("a parked ancestor holds an issue back even from 509 levels above", async () => {
    const { w, ready, params } = await tracker(open);
    const at = "2026-01-01T00:00:00Z";
    const items = Array.from({ length: 510 }, (_, level) => ({
      external_id: String(level),
      title: `level ${level}`,
      author: "ann",
      status: "open" as const,
      created_at: at,
      updated_at: at,
      ...(level === 0 ? { metadata: { someday: true } } : {}),
      ...(level === 0
        ? {}
        : { links: [{ type: "parent" as const, target_external_id: String(level - 1) }] }),
    }));
    const made = await w.call(importIssues, { params, body: { source: "old", items } });
    expect(made).toMatchObject({ created: 510, links: 509, errors: [] });
    expect(await ready({ containers: true })).toEqual([]);
    const leaf = { ...params, ref: made.items.at(-1)?.issue_short_id ?? "" };
    const { reasons } = await w.call(whyIssue, { params: leaf });
    expect(reasons.map(({ reason }) => reason)).toEqual(["held"]);
  });

  test("a closed parent and a scheduled parent hold nothing back", async () => {
    const { w, issue, ready } = await tracker(open);
    const [done, later] = [await issue("done"), await issue("later")];
    const [one, two] = [await issue("one"), await issue("two")];
    await w.given.metadata(done, { someday: true });
    await w.given.metadata(later, { scheduled_on: "2027-01-01" });
    await w.given.closed(done);
    await w.given.link(one, "parent", done);
    await w.given.link(two, "parent", later);
    expect((await ready()).sort()).toEqual(["one", "two"]);
  });

  test("why names all reasons at once", async () => {
    const { w, issue } = await tracker(open);
    const [it, blocker, child, parent] = [
      await issue("it"),
      await issue("blocker"),
      await issue("child"),
      await issue("parent"),
    ];
    await w.given.link(blocker, "blocks", it);
    await w.given.link(child, "parent", it);
    await w.given.link(it, "parent", parent);
    await w.given.metadata(it, { someday: true, scheduled_on: "2027-01-01" });
    await w.given.metadata(parent, { someday: true });
    expect((await why(w, it)).map(({ reason }) => reason)).toEqual([
      "blocked",
      "parked",
      "scheduled",
      "open_children",
      "held",
    ]);
  });

  test("a closed issue is not ready, and why says that it is closed", async () => {
    const { w, issue, ready } = await tracker(open);
    const closed = await issue("closed");
    await w.given.closed(closed);
    expect(await ready({ containers: true })).toEqual([]);
    const answer = await w.call(whyIssue, { params: closed.path });
    expect(answer).toMatchObject({
      issue: { uid: closed.uid, status: "closed" },
      ready: false,
      reasons: [{ reason: "closed" }],
    });
  });

  test("why names a circle of blockers for every issue in it and for issues that wait for it", async () => {
    const { w, issue } = await tracker(open);
    const [one, two, three] = [await issue("one"), await issue("two"), await issue("three")];
    const after = await issue("after");
    const circleOf = async (of: GivenIssue) => {
      const { circle } = await w.call(whyIssue, { params: of.path });
      return circle?.issues.map(({ title }) => title);
    };
    await w.given.link(one, "blocks", two);
    await w.given.link(two, "blocks", three);
    await w.given.link(three, "blocks", after);
    expect(await circleOf(after)).toBeUndefined();
    await w.given.link(three, "blocks", one);
    expect(await circleOf(one)).toEqual(["one", "three", "two"]);
    expect(await circleOf(two)).toEqual(["two", "one", "three"]);
    expect(await circleOf(after)).toEqual(["one", "three", "two"]);
    const { circle } = await w.call(whyIssue, { params: one.path });
    expect(circle).toMatchObject({ blocker_uid: three.uid, blocked_uid: one.uid });
    await w.given.closed(two);
    expect(await circleOf(one)).toBeUndefined();
  });

  test("why names a circle of parent links and a block", async () => {
    const { w, issue } = await tracker(open);
    const [parent, child, below] = [
      await issue("parent"),
      await issue("child"),
      await issue("below"),
    ];
    await w.given.link(child, "parent", parent);
    await w.given.link(below, "parent", child);
    await w.given.link(parent, "blocks", below);
    const titles = async (of: GivenIssue) => {
      const { circle } = await w.call(whyIssue, { params: of.path });
      return circle?.issues.map(({ title }) => title);
    };
    expect(await titles(below)).toEqual(["below", "parent", "child"]);
    expect(await titles(parent)).toEqual(["parent", "child", "below"]);
    expect(await titles(child)).toEqual(["child", "below", "parent"]);
  });

  test("doctor names every circle, and the command that breaks it", async () => {
    const { w, issue } = await tracker(open);
    const found = async () => await w.store.read(circlesFound);
    const [one, two, parent, child] = [
      await issue("one"),
      await issue("two"),
      await issue("parent"),
      await issue("child"),
    ];
    await w.given.link(one, "blocks", two);
    await w.given.link(child, "parent", parent);
    expect(await found()).toMatchObject({ status: "ok" });
    await w.given.link(two, "blocks", one);
    await w.given.link(child, "blocks", parent);
    const finding = await found();
    expect(finding.status).toBe("warning");
    expect(finding.summary).toContain("in 2 circles");
    expect(finding.fix).toContain("svc unblock ");
    for (const of of [one, two, parent, child])
      expect(JSON.stringify(finding.details)).toContain(of.short_id);
  });

  test("the answer to svc why has the title, status and owner of an issue", async () => {
    const { w, issue } = await tracker(open);
    const owned = await issue("owned", { owner: "bea" });
    const answer = await w.call(whyIssue, { params: owned.path });
    expect(answer).toEqual({
      issue: { ...ref(owned), owner: "bea" },
      ready: true,
      reasons: [],
    });
  });

  test("ready filters by owner, label and limit", async () => {
    const { issue, ready } = await tracker(open);
    await issue("mine", { owner: "ann", labels: ["ui"] });
    await issue("yours", { owner: "bea", labels: ["ui", "later"] });
    await issue("nobody's", { labels: ["ui"] });
    await issue("plain");
    expect(await ready({ owner: "ann" })).toEqual(["mine"]);
    expect(await ready({ unowned: true })).toEqual(["plain", "nobody's"]);
    expect(await ready({ label: ["UI"], exclude_label: ["Later"] })).toEqual(["nobody's", "mine"]);
    expect(await ready({ limit: 2 })).toEqual(["plain", "nobody's"]);
    expect(await ready({ limit: 0 })).toHaveLength(4);
  });

  test("ready across projects names the project and leaves out archived ones", async () => {
    const w = await world({ store: open });
    const projects = [await w.given.project("web"), await w.given.project("shop")];
    const old = await w.given.project("old");
    for (const project of [...projects, old]) await w.given.issue({ project, title: project.name });
    await w.given.archived(old);
    const { issues } = await w.call(readyIssuesGlobal, { query: { label: [] } });
    expect(issues.map(({ title, project_name }) => [title, project_name])).toEqual([
      ["shop", "shop"],
      ["web", "web"],
    ]);
  });

  test("a ready issue is shown with all its fields", async () => {
    const { w, issue, params } = await tracker(open);
    const [one, other] = [await issue("one", { labels: ["b", "a"] }), await issue("other")];
    await w.given.link(one, "related", other);
    const { issues } = await w.call(readyIssues, { params, query: { label: ["a"] } });
    expect(issues).toMatchObject([
      { uid: one.uid, labels: ["a", "b"], related: [{ uid: other.uid }], blocked: false },
    ]);
  });

  test.each([
    ["owner and unowned", { owner: "ann", unowned: true }, "owner and unowned exclude each other"],
    ["a negative limit", { limit: -1 }, "limit: must be at least 0"],
    [
      "a flag that is not true or false",
      { containers: "yes" },
      "containers: must be true or false",
    ],
  ])("a request for ready issues with %s is refused", async (_, query, message) => {
    const { w, params } = await tracker(open);
    // A cast, because the type of the query does not allow what the schema must refuse.
    const asked = { params, query: query as { limit: number } };
    const [here, everywhere] = [
      await w.refused(readyIssues, asked),
      await w.refused(readyIssuesGlobal, { query: asked.query }),
    ];
    expect([here, everywhere]).toMatchObject([
      { code: "validation", message },
      { code: "validation", message },
    ]);
  });

  test("why is refused for a deleted issue, a number and another project's issue", async () => {
    const { w, issue, params } = await tracker(open);
    const deleted = await issue("deleted");
    await w.given.deleted(deleted);
    const elsewhere = await w.given.issue({ project: await w.given.project("shop") });
    for (const to of [deleted.uid, String(deleted.id), elsewhere.uid]) {
      const refused = await w.refused(whyIssue, { params: { ...params, ref: to } });
      expect(refused.code).toBe("issue_not_found");
    }
  });
});

type Query = Partial<Input<typeof readyIssues>["query"]>;

async function tracker(open: Parameters<typeof world>[0]["store"]) {
  const w = await world({ store: open });
  const project = await w.given.project("web");
  const params = project.path;
  return {
    w,
    params,
    issue: async (title: string, fields: { owner?: string; labels?: string[] } = {}) =>
      await w.given.issue({ project, title, ...fields }),
    ready: async (query: Query = {}) => {
      const { issues } = await w.call(readyIssues, { params, query });
      return issues.map(({ title }) => title);
    },
  };
}

async function why(w: World, issue: GivenIssue): Promise<readonly WhyReason[]> {
  const { ready, reasons } = await w.call(whyIssue, { params: issue.path });
  expect(ready).toBe(reasons.length === 0);
  return reasons;
}

function ref({ uid, short_id, qualified_id, title }: GivenIssue) {
  return { uid, short_id, project: "web", qualified_id, title, status: "open" };
}
