import { expect, test } from "vitest";
import { patchIssueMetadata } from "../../src/contract/issues.ts";
import type { Input } from "../../src/contract/route.ts";
import { readUILaunchTarget } from "../../src/contract/ui-launch-target.ts";
import { readUIReferences } from "../../src/contract/ui-references.ts";
import { created, uid } from "../store/drafts.ts";
import { PAGE_ORIGIN, PAGES } from "../support/pages.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { world } from "../support/world.ts";

type Query = Partial<Input<typeof readUIReferences>["query"]>;

const UNKNOWN = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

/** Makes the projects web and shop, and old, which is archived. */
async function shelf(store: OpenTestStore) {
  const w = await world({ store, pages: PAGES });
  const [web, shop] = [await w.given.project("web"), await w.given.project("shop")];
  const old = await w.given.project("old");
  const login = await w.given.issue({
    ...{ project: web, title: "Login", owner: "bea", labels: ["ui", "bug"] },
  });
  w.clock.advance(1000);
  const pay = await w.given.issue({ project: shop, title: "Pay by Ärger", owner: "ann" });
  w.clock.advance(1000);
  const done = await w.given.issue({ project: shop, title: "done", owner: "zoe", labels: ["db"] });
  await w.given.closed(done);
  const hidden = { owner: "ghost", labels: ["ghost"] };
  const archived = await w.given.issue({ project: old, title: "archived", ...hidden });
  const deleted = await w.given.issue({ project: web, title: "deleted", ...hidden });
  await w.given.deleted(deleted);
  await w.given.archived(old);
  const references = async (query: Query = {}) => {
    const answer = await w.call(readUIReferences, { query });
    return {
      projects: answer.projects.map(({ name }) => name),
      issues: answer.issues.map(({ title }) => title),
      owners: answer.owners,
      labels: answer.labels,
    };
  };
  return { w, web, shop, login, pay, done, archived, deleted, references };
}

describeStore("references for a page", (open) => {
  test("references list the projects, issues, owners and labels for a page, sorted, without removed ones", async () => {
    const { w, login, references } = await shelf(open);
    const all = await references();
    expect(all).toEqual({
      projects: ["shop", "web"],
      issues: expect.arrayContaining(["Login", "Pay by Ärger", "done"]),
      owners: ["ann", "bea"],
      labels: ["bug", "db", "ui"],
    });
    const { issues, contract_version, cursor, origin } = await w.call(readUIReferences);
    const ids = issues.map(({ qualified_id }) => qualified_id);
    expect(ids).toEqual(ids.toSorted());
    expect(issues.find(({ title }) => title === "Login")).toEqual({
      ...{ uid: login.uid, project_uid: login.project_uid, project_name: "web" },
      ...{ short_id: login.short_id, qualified_id: `web#${login.short_id}` },
      ...{ title: "Login", status: "open" },
    });
    const last = (await w.events()).at(-1)?.id;
    expect([contract_version, cursor, origin]).toEqual(["1", last, PAGE_ORIGIN]);
  });

  test.each([
    [{ q: " LOG " }, { projects: [], issues: ["Login"], owners: [], labels: [] }],
    [{ q: "äRG" }, { projects: [], issues: ["Pay by Ärger"], owners: [], labels: [] }],
    [{ q: "WEB#" }, { projects: [], issues: ["Login"], owners: [], labels: [] }],
    [{ q: "b" }, { projects: ["web"], owners: ["bea"], labels: ["bug", "db"] }],
    [{ q: "an" }, { projects: [], owners: ["ann"], labels: [] }],
    [{ q: "nowhere" }, { projects: [], issues: [], owners: [], labels: [] }],
    [{ q: "ghost" }, { projects: [], issues: [], owners: [], labels: [] }],
    [{ limit: 1 }, { projects: ["shop"], issues: ["done"], owners: ["ann"], labels: ["bug"] }],
  ])("references with the query %j have the expected entries", async (query, found) => {
    const { references } = await shelf(open);
    expect(await references(query)).toMatchObject(found);
  });

  test("references can be limited to one project, and an archived or unknown project has none", async () => {
    const { w, web, archived, references } = await shelf(open);
    const inWeb = { projects: ["web"], issues: ["Login"], owners: ["bea"], labels: ["bug", "ui"] };
    expect(await references({ project_uid: web.uid.toLowerCase() })).toEqual(inWeb);
    const none = { projects: [], issues: [], owners: [], labels: [] };
    for (const project_uid of [UNKNOWN, archived.project_uid ?? ""])
      expect(await references({ project_uid })).toEqual(none);
    const refused = await w.refused(readUIReferences, { query: { project_uid: "web" } });
    expect(refused).toMatchObject({ code: "validation", data: { field: "project_uid" } });
  });

  test("references by uid list only the requested issues, including closed ones, if they match the filters", async () => {
    const { login, done, pay, shop, references } = await shelf(open);
    const named = [login, done, pay].map((issue) => issue.uid.toLowerCase());
    const none = { projects: [], owners: [], labels: [] };
    const { issues, ...rest } = await references({ issue_uid: [...named, login.uid] });
    expect([issues.toSorted(), rest]).toEqual([["Login", "Pay by Ärger", "done"], none]);
    expect((await references({ issue_uid: named, q: "LOG" })).issues).toEqual(["Login"]);
    expect((await references({ issue_uid: named, project_uid: shop.uid })).issues.sort()).toEqual([
      ...["Pay by Ärger", "done"],
    ]);
    expect((await references({ issue_uid: named, limit: 2 })).issues).toHaveLength(2);
  });

  test("references by uid are refused if one of the issues is missing", async () => {
    const { w, login, archived, deleted } = await shelf(open);
    for (const missing of [UNKNOWN, archived.uid, deleted.uid]) {
      const query = { issue_uid: [login.uid, missing], q: "login" };
      const refused = await w.refused(readUIReferences, { query });
      expect(refused).toMatchObject({ code: "not_found", data: { issue_uid: [missing] } });
    }
    const refused = await w.refused(readUIReferences, { query: { issue_uid: ["web#abc4"] } });
    expect(refused).toMatchObject({ code: "validation", data: { field: "issue_uid[0]" } });
  });

  test("references accept 200 uids and refuse 201; without uids at most 100 issues are listed", async () => {
    const w = await world({ store: open, pages: PAGES });
    const project = await w.given.project();
    const uids = Array.from({ length: 201 }, (_, at) => uid(10_000 + at));
    const drafts = uids.map((issue) => created(project.uid, issue));
    await w.store.write(async (tx) => await tx.appendNewIssues(drafts));
    const count = async (query: Query) => (await w.call(readUIReferences, { query })).issues.length;
    expect(await count({ issue_uid: uids.slice(1) })).toBe(200);
    expect(await count({ issue_uid: [...uids.slice(1), uids[1] ?? ""] })).toBe(200);
    const refused = await w.refused(readUIReferences, { query: { issue_uid: uids } });
    expect(refused).toMatchObject({
      code: "validation",
      data: { field: "issue_uid", limit: 200 },
    });
    expect(await count({})).toBe(100);
    expect(await count({ limit: 200 })).toBe(200);
    for (const limit of [0, 201])
      expect((await w.refused(readUIReferences, { query: { limit } })).code).toBe("validation");
    // Those that were changed last.
    const [first = ""] = uids;
    w.clock.advance(1000);
    const params = { project_id: project.id, ref: first };
    await w.call(patchIssueMetadata, { params, body: { patch: { note: 1 } } });
    const { issues } = await w.call(readUIReferences);
    expect(issues.map((issue) => issue.uid)).toContain(first);
  });
});

describeStore("a launch target", (open) => {
  const target = (issue_uid: string) => ({ query: { issue_uid } });

  test("a launch target is the issue's address at the configured origin, never at the request's", async () => {
    const { w, login, done } = await shelf(open);
    for (const { uid: asked } of [login, done]) {
      const url = `${PAGE_ORIGIN}/svc?issue=${asked}#direct=1`;
      expect(await w.call(readUILaunchTarget, target(asked.toLowerCase()))).toEqual({
        available: true,
        url,
      });
    }
  });

  test.each([
    undefined,
    "https://tracker.example.com/issues",
    "https://ann:secret@tracker.example.com",
    "https://tracker.example.com?x",
    "https://tracker.example.com#x",
  ])("a launch target is unavailable if the origin is %j", async (origin) => {
    const pages = {
      origin: async () => (origin === undefined ? undefined : { origin, stable: true }),
    };
    const w = await world({ store: open, pages });
    const issue = await w.given.issue();
    expect(await w.call(readUILaunchTarget, target(issue.uid))).toEqual({
      available: false,
      reason: "browser_origin_unavailable",
    });
    const missing = await w.refused(readUILaunchTarget, target(UNKNOWN));
    expect(missing.code).toBe("issue_not_found");
  });

  test("a launch target is refused for an unknown, deleted or archived issue, and for a part of a uid", async () => {
    const { w, login, archived, deleted } = await shelf(open);
    for (const missing of [UNKNOWN, archived.uid, deleted.uid]) {
      const refused = await w.refused(readUILaunchTarget, target(missing));
      expect(refused).toMatchObject({ code: "issue_not_found", data: { ref: missing } });
    }
    for (const wrong of ["", login.uid.slice(0, 25), login.short_id, `${login.uid}0`]) {
      const refused = await w.refused(readUILaunchTarget, target(wrong));
      expect(refused).toMatchObject({ code: "validation", data: { field: "issue_uid" } });
    }
    expect((await w.refused(readUILaunchTarget)).code).toBe("validation");
  });
});
