import { expect, test } from "vitest";
import { assignIssue } from "../../src/contract/actions.ts";
import { listAllIssues, listIssues, showIssue, showIssueByUID } from "../../src/contract/issues.ts";
import type { Input } from "../../src/contract/route.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type Query = Partial<Input<typeof listIssues>["query"]>;

/** Makes seven issues that differ in everything that a list can filter by, one second apart. */
async function shelf(w: World) {
  const web = await w.given.project("web");
  const make = async (title: string, fields: Parameters<World["given"]["issue"]>[0] = {}) => {
    w.clock.advance(1000);
    return await w.given.issue({ project: web, title, ...fields });
  };
  const plain = await make("plain");
  await make("urgent", { priority: 0, owner: "ann", labels: ["bug"] });
  await make("middle", { priority: 2, owner: "Ann", labels: ["bug", "ui"] });
  await make("last", { priority: 4, labels: ["ui"] });
  await make("noted", { metadata: { note: "a=b", flag: true, empty: "", "work.branch": "main" } });
  const closed = await make("closed", { owner: "ann", labels: ["bug", "old"] });
  const gone = await make("gone", { priority: 0, owner: "ann", labels: ["bug"] });
  w.clock.advance(1000);
  await w.given.closed(closed);
  await w.given.deleted(gone);
  return { web, plain };
}

describeStore("the list of a project's issues", (open) => {
  test("has every live issue, last changed first, and nothing of other projects", async () => {
    const w = await world({ store: open });
    const { web, plain } = await shelf(w);
    await w.given.issue({ project: await w.given.project("shop"), title: "foreign" });
    const titles = async () =>
      (await w.call(listIssues, { params: web.path })).issues.map(({ title }) => title);
    expect(await titles()).toEqual(["closed", "noted", "last", "middle", "urgent", "plain"]);
    w.clock.advance(1000);
    await w.call(assignIssue, { params: plain.path, body: { owner: "bea" } });
    expect(await titles()).toEqual(["plain", "closed", "noted", "last", "middle", "urgent"]);
  });

  test("puts the newer of two issues first if both changed at the same moment", async () => {
    const w = await world({ store: open });
    const web = await w.given.project("web");
    for (const title of ["one", "two", "three"]) await w.given.issue({ project: web, title });
    const { issues } = await w.call(listIssues, { params: web.path });
    expect(issues.map(({ title }) => title)).toEqual(["three", "two", "one"]);
  });

  test.each<[Query, readonly string[]]>([
    [{ status: "open" }, ["noted", "last", "middle", "urgent", "plain"]],
    [{ status: "closed" }, ["closed"]],
    [
      { status: "", limit: 0, priority: "", owner: "" },
      ["closed", "noted", "last", "middle", "urgent", "plain"],
    ],
    [{ limit: 2 }, ["closed", "noted"]],
    [{ limit: 2, label: ["bug"] }, ["closed", "middle"]],
    [{ priority: "0" }, ["urgent"]],
    [{ priority: "1" }, []],
    [{ max_priority: "0" }, ["urgent"]],
    [{ max_priority: "2" }, ["middle", "urgent"]],
    [{ max_priority: "4" }, ["last", "middle", "urgent"]],
    [{ priority: "2", max_priority: "1" }, []],
    [{ owner: "ann" }, ["closed", "urgent"]],
    [{ owner: "nobody" }, []],
    [{ unowned: true }, ["noted", "last", "plain"]],
    [{ unowned: false, owner: "Ann" }, ["middle"]],
    [{ label: ["bug"] }, ["closed", "middle", "urgent"]],
    [{ label: ["BUG", "ui"] }, ["middle"]],
    [{ label: ["bug", "bug"] }, ["closed", "middle", "urgent"]],
    [{ label: ["none"] }, []],
    [{ exclude_label: ["bug"] }, ["noted", "last", "plain"]],
    [{ exclude_label: ["OLD", "ui"] }, ["noted", "urgent", "plain"]],
    [{ label: ["bug"], exclude_label: ["ui"], status: "open" }, ["urgent"]],
    [{ meta: ["note"] }, ["noted"]],
    [{ meta: ["note=a=b"] }, ["noted"]],
    [{ meta: ["note=a"] }, []],
    [{ meta: ["flag"] }, ["noted"]],
    [{ meta: ["flag=true"] }, []],
    [{ meta: ["empty="] }, ["noted"]],
    [{ meta: ["note="] }, []],
    [{ meta: ["work.branch=main", "note"] }, ["noted"]],
    [{ meta: ["work.branch=main", "absent"] }, []],
  ])("filtered by %j contains %j", async (query, titles) => {
    const w = await world({ store: open });
    const { web } = await shelf(w);
    const { issues } = await w.call(listIssues, { params: web.path, query });
    expect(issues.map(({ title }) => title)).toEqual(titles);
  });

  test.each<[object]>([
    [{ owner: "ann", unowned: true }],
    [{ limit: -1 }],
    [{ priority: "5" }],
    [{ max_priority: "high" }],
    [{ status: "done" }],
    [{ meta: ["=x"] }],
    [{ meta: [""] }],
  ])("refuses the filter %j", async (query) => {
    const w = await world({ store: open });
    const web = await w.given.project("web");
    const refused = await w.refused(listIssues, { params: web.path, query });
    expect(refused.code).toBe("validation");
    expect((await w.refused(listAllIssues, { query })).code).toBe("validation");
  });

  test("has the same fields for each issue as the answer to a change", async () => {
    const w = await world({ store: open });
    const web = await w.given.project("web");
    const shop = await w.given.project("shop");
    const [a, b] = [await w.given.issue({ project: web }), await w.given.issue({ project: web })];
    const far = await w.given.issue({ project: shop });
    await w.given.link(a, "parent", b);
    await w.given.link(far, "blocks", a);
    await w.given.link(a, "related", far);
    const { issues } = await w.call(listIssues, { params: web.path });
    const changed = await w.call(assignIssue, { params: a.path, body: { owner: "bea" } });
    const listed = issues.find(({ uid }) => uid === a.uid);
    expect({ ...changed.issue, owner: undefined, revision: 1 }).toEqual({
      ...listed,
      owner: undefined,
    });
    expect(listed).toMatchObject({
      parent: { uid: b.uid },
      blocked_by: [{ uid: far.uid, project: "shop" }],
      related: [{ uid: far.uid }],
      blocked: true,
    });
    const above = issues.find(({ uid }) => uid === b.uid);
    expect(above).toMatchObject({ child_counts: { open: 1, total: 1 }, blocked: false });
  });

  test("is not found for an archived project", async () => {
    const w = await world({ store: open });
    const old = await w.given.project("old");
    await w.given.archived(old);
    expect((await w.refused(listIssues, { params: old.path })).code).toBe("project_not_found");
  });
});

describeStore("the list of all issues", (open) => {
  test("has the newest issue first, names each issue's project and hides archived projects", async () => {
    const w = await world({ store: open });
    const { web, plain } = await shelf(w);
    const [shop, old] = [await w.given.project("shop"), await w.given.project("old")];
    await w.given.issue({ project: shop, title: "foreign", labels: ["bug"] });
    await w.given.issue({ project: old, title: "hidden" });
    await w.given.archived(old);
    w.clock.advance(1000);
    await w.call(assignIssue, { params: plain.path, body: { owner: "bea" } });
    const titles = async (query: object = {}) =>
      (await w.call(listAllIssues, { query })).issues.map(
        (issue) => `${issue.project_name}/${issue.title}`,
      );
    expect(await titles()).toEqual([
      "shop/foreign",
      "web/closed",
      "web/noted",
      "web/last",
      "web/middle",
      "web/urgent",
      "web/plain",
    ]);
    expect(await titles({ label: ["bug"], status: "open", limit: 2 })).toEqual([
      "shop/foreign",
      "web/middle",
    ]);
    expect(await titles({ project_id: shop.id })).toEqual(["shop/foreign"]);
    expect(await titles({ project_id: web.id, meta: ["note"] })).toEqual(["web/noted"]);
    for (const project_id of [old.id, 99]) {
      expect((await w.refused(listAllIssues, { query: { project_id } })).code).toBe(
        "project_not_found",
      );
    }
  });
});

describeStore("the list of issues by uid", (open) => {
  test("has the requested issues that still exist, and accepts other filters too", async () => {
    const w = await world({ store: open });
    const web = await w.given.project("web");
    const [open_, closed, deleted, archived] = [
      await w.given.issue({ project: web }),
      await w.given.issue({ project: web }),
      await w.given.issue({ project: web }),
      await w.given.issue({ project: await w.given.project("old") }),
    ];
    await w.given.closed(closed);
    await w.given.deleted(deleted);
    const uids = async (query: object) =>
      (await w.call(listAllIssues, { query })).issues.map(({ uid }) => uid);
    const asked = [open_.uid, closed.uid, deleted.uid, "01JUNKNOWN0000000000000000"];
    expect(await uids({ issue_uid: asked })).toEqual([closed.uid, open_.uid]);
    expect(await uids({ issue_uid: asked, status: "open" })).toEqual([open_.uid]);
    expect(await uids({ issue_uid: [archived.uid] })).toEqual([archived.uid]);
  });

  test("accepts 200 uids at once and not one more", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({});
    const query = (count: number) => ({
      issue_uid: [issue.uid, ...Array.from({ length: count - 1 }, (_none, at) => `no-${at}`)],
    });
    expect((await w.call(listAllIssues, { query: query(200) })).issues).toHaveLength(1);
    expect((await w.refused(listAllIssues, { query: query(201) })).code).toBe("validation");
  });
});

describeStore("showing an issue", (open) => {
  test("returns its comments in order, its labels, links, parent and children", async () => {
    const w = await world({ store: open });
    const web = await w.given.project("web");
    const [issue, parent, child, gone] = [
      await w.given.issue({ project: web, labels: ["ui", "bug"] }),
      await w.given.issue({ project: web, title: "parent" }),
      await w.given.issue({ project: web, title: "child" }),
      await w.given.issue({ project: web, title: "gone" }),
    ];
    await w.given.link(issue, "parent", parent);
    await w.given.link(child, "parent", issue);
    await w.given.link(gone, "parent", issue);
    await w.given.deleted(gone);
    const { comment: first } = await w.given.comment({ on: issue, author: "bea", body: "first" });
    const { comment: second } = await w.given.comment({ on: issue, body: "second" });
    const shown = await w.call(showIssue, { params: issue.path });
    expect(shown).toMatchObject({
      issue: { uid: issue.uid, labels: ["bug", "ui"] },
      comments: [
        { uid: first.uid, author: "bea", body: "first" },
        { uid: second.uid, author: "ann", body: "second" },
      ],
      labels: [{ label: "bug", author: "ann", issue_id: issue.id }, { label: "ui" }],
      links: [
        { type: "parent", from: { uid: issue.uid }, to: { uid: parent.uid } },
        { type: "parent", from: { uid: child.uid }, to: { uid: issue.uid } },
      ],
      parent: { uid: parent.uid, title: "parent", status: "open" },
      children: [{ uid: child.uid, parent: { uid: issue.uid } }],
    });
    expect(shown.children).toHaveLength(1);
    expect(shown.links).toHaveLength(2);
  });

  test("finds a deleted issue only on request", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    await w.given.deleted(issue);
    const params = issue.path;
    expect((await w.refused(showIssue, { params })).code).toBe("issue_not_found");
    const query = { include_deleted: true };
    const shown = await w.call(showIssue, { params, query });
    expect(shown.issue.deleted_at).toBe("2026-01-01T00:00:00.000Z");
    const { uid } = issue;
    expect((await w.refused(showIssueByUID, { params: { uid } })).code).toBe("issue_not_found");
    expect((await w.call(showIssueByUID, { params: { uid }, query })).issue.uid).toBe(uid);
  });

  test("accepts a uid in any letter case, and the beginning of a uid if only one visible issue has it", async () => {
    const w = await world({ store: open });
    const [web, old] = [await w.given.project("web"), await w.given.project("old")];
    const made = [await w.given.issue({ project: web }), await w.given.issue({ project: web })];
    const hidden = await w.given.issue({ project: old });
    await w.given.archived(old);
    const [first, second] = made;
    const show = async (uid = "") => (await w.call(showIssueByUID, { params: { uid } })).issue.uid;
    const refuse = async (uid = "") => await w.refused(showIssueByUID, { params: { uid } });
    expect(await show(first?.uid)).toBe(first?.uid);
    expect(await show(first?.uid.toLowerCase())).toBe(first?.uid);
    expect((await refuse(hidden.uid)).code).toBe("issue_not_found");
    expect((await refuse(`${"0".repeat(25)}1`)).code).toBe("issue_not_found");
    expect((await refuse("01000000000Z")).code).toBe("issue_not_found");
    expect((await refuse(first?.uid.slice(0, 7))).code).toBe("prefix_too_short");
    const candidates = made.map(({ uid, qualified_id }) => ({ uid, qualified_id }));
    expect(await refuse(first?.uid.slice(0, 8))).toMatchObject({
      code: "prefix_ambiguous",
      data: { candidates },
    });
    if (second === undefined) throw new Error("two were made");
    await w.given.deleted(second);
    expect(await show(first?.uid.slice(0, 8))).toBe(first?.uid);
  });
});
