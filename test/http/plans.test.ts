import { expect, test } from "vitest";
import { closeIssue } from "../../src/contract/actions.ts";
import { listIssues, showIssue } from "../../src/contract/issues.ts";
import { applyPlan } from "../../src/contract/plans.ts";
import { moveIssue, purgeIssue } from "../../src/contract/removal.ts";
import { readyIssues } from "../../src/contract/search.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type Issues = readonly object[];

/** Returns functions that send a plan as given, valid or not. */
async function planner(w: World) {
  const project = await w.given.project();
  const params = { project_id: project.id };
  return {
    params,
    project,
    apply: async (issues: Issues, plan?: string) =>
      await w.call(applyPlan, { params, body: { issues, plan } as object }),
    refused: async (issues: Issues, plan?: string) =>
      await w.refused(applyPlan, { params, body: { issues, plan } as object }),
    titles: async () =>
      (await w.call(listIssues, { params })).issues.map(({ title }) => title).sort(),
  };
}

describeStore("plans", (open) => {
  test("a tree is created with its links, labels, owners and dates, and the answer names what is ready", async () => {
    const w = await world({ store: open });
    const { apply, project } = await planner(w);
    const done = await apply([
      { name: "docs", title: "Docs", parent: "root", blocked_by: ["api"], labels: ["b", "a"] },
      { name: "api", title: "API", parent: "root", owner: "bea", priority: 1, body: "text" },
      { name: "root", title: "Root", metadata: { team: "x" } },
      { name: "later", title: "Later", scheduled_on: "2026-06-01", related: ["api"] },
      { name: "end", title: "End", deadline_on: "2026-07-01" },
    ]);
    expect(done).toMatchObject({ changed: true, created: 5 });
    expect(done.issues.map(({ name, created }) => [name, created])).toEqual([
      ["docs", true],
      ["api", true],
      ["root", true],
      ["later", true],
      ["end", true],
    ]);
    expect(done.ready.map(({ name }) => name)).toEqual(["api", "end"]);
    const uid = (name: string) => done.issues.find((issue) => issue.name === name)?.uid ?? "";
    const show = async (name: string) =>
      await w.call(showIssue, { params: { project_id: project.id, ref: uid(name) } });
    const docs = await show("docs");
    expect(docs.parent?.uid).toBe(uid("root"));
    expect(docs.issue.labels).toEqual(["a", "b"]);
    expect(docs.links.map(({ type, from, to }) => [type, from.uid, to.uid]).sort()).toEqual(
      [
        ["blocks", uid("api"), uid("docs")],
        ["parent", uid("docs"), uid("root")],
      ].sort(),
    );
    expect((await show("api")).issue).toMatchObject({ owner: "bea", priority: 1, body: "text" });
    expect((await show("root")).issue.metadata).toEqual({ team: "x" });
    expect((await show("later")).issue.metadata).toEqual({ scheduled_on: "2026-06-01" });
    expect((await show("end")).issue.metadata).toEqual({ deadline_on: "2026-07-01" });
    const ready = await w.call(readyIssues, { params: { project_id: project.id } });
    expect(ready.issues.map((issue) => issue.uid).sort()).toEqual(
      done.ready.map((issue) => issue.uid).sort(),
    );
  });

  test("applying the same plan again changes nothing and returns the same ids", async () => {
    const w = await world({ store: open });
    const { apply } = await planner(w);
    const issues = [
      { name: "a", title: "A" },
      { name: "b", title: "B", blocked_by: ["a"] },
    ];
    for (const name of [undefined, "release"]) {
      const first = await apply(issues, name);
      const events = (await w.events()).length;
      const again = await apply(issues, name);
      expect(again).toEqual({
        ...first,
        changed: false,
        created: 0,
        issues: first.issues.map((issue) => ({ ...issue, created: false })),
      });
      expect(await w.events()).toHaveLength(events);
    }
  });

  test("a plan may grow: existing issues keep their changes, and new ones are created beside them", async () => {
    const w = await world({ store: open });
    const { apply, params } = await planner(w);
    const { issues: first } = await apply([{ name: "a", title: "A" }], "p");
    const ref = first[0]?.uid ?? "";
    await w.call(closeIssue, { params: { ...params, ref }, body: { source: "tui" } });
    const grown = await apply(
      [
        { name: "a", title: "Another title", blocks: ["b"] },
        { name: "b", title: "B", parent: "a" },
      ],
      "p",
    );
    expect(grown).toMatchObject({ created: 1, ready: [{ name: "b" }] });
    const shown = await w.call(showIssue, { params: { ...params, ref } });
    expect(shown.issue).toMatchObject({ title: "A", status: "closed" });
    expect(shown.links.map(({ type }) => type).sort()).toEqual(["blocks", "parent"]);
  });

  test("an issue of the plan that moved to another project is recognised there", async () => {
    const w = await world({ store: open });
    const { apply, params } = await planner(w);
    const away = await w.given.project("away");
    const tree = [
      { name: "top", title: "Top" },
      { name: "below", title: "Below", parent: "top" },
    ];
    const first = await apply(tree, "p");
    const ref = first.issues[0]?.uid ?? "";
    const headers = { "if-match": '"rev-1"' };
    const body = { to_project_uid: away.uid };
    await w.call(moveIssue, { params: { ...params, ref }, headers, body });
    const again = await apply([...tree, { name: "late", title: "Late", parent: "top" }], "p");
    expect(again.issues.map(({ name, created }) => [name, created])).toEqual([
      ["top", false],
      ["below", false],
      ["late", true],
    ]);
    expect(again.issues[0]).toMatchObject({
      uid: ref,
      qualified_id: expect.stringMatching(/^away#/),
    });
    const late = { ...params, ref: again.issues[2]?.uid ?? "" };
    expect((await w.call(showIssue, { params: late })).parent?.uid).toBe(ref);
  });

  test("a purged parent is created again, and its existing child keeps its changes", async () => {
    const w = await world({ store: open });
    const { apply, params } = await planner(w);
    const tree = [
      { name: "top", title: "Top" },
      { name: "below", title: "Below", parent: "top", blocked_by: ["top"] },
    ];
    const first = await apply(tree, "p");
    const [top, below] = first.issues;
    await w.call(purgeIssue, {
      params: { ...params, ref: top?.uid ?? "" },
      headers: { "x-svc-confirm": `PURGE ${top?.qualified_id}` },
    });
    const again = await apply(tree, "p");
    expect(again.issues.map(({ name, created }) => [name, created])).toEqual([
      ["top", true],
      ["below", false],
    ]);
    const shown = await w.call(showIssue, { params: { ...params, ref: below?.uid ?? "" } });
    expect(shown.parent).toBeUndefined();
    expect(shown.links.map(({ type, from }) => [type, from.uid])).toEqual([
      ["blocks", again.issues[0]?.uid],
    ]);
  });

  test("a plan can link existing issues by reference, in other projects too", async () => {
    const w = await world({ store: open });
    const { apply, project } = await planner(w);
    const here = await w.given.issue({ project });
    const there = await w.given.issue({ project: await w.given.project("other") });
    const done = await apply([
      { name: "a", title: "A", parent: here.short_id, blocked_by: [there.qualified_id] },
      { name: "b", title: "B", blocks: [here.uid] },
    ]);
    expect(done.ready.map(({ name }) => name)).toEqual(["b"]);
    const shown = await w.call(showIssue, { params: here.path });
    expect(shown.children.map(({ title }) => title)).toEqual(["A"]);
  });

  test("a name within the plan takes precedence over a reference", async () => {
    const w = await world({ store: open });
    const { apply, project } = await planner(w);
    const { short_id } = await w.given.issue({ project, title: "old" });
    const done = await apply([
      { name: short_id, title: "new" },
      { name: "child", title: "Child", parent: short_id },
    ]);
    const child = { project_id: project.id, ref: done.issues[1]?.uid ?? "" };
    expect((await w.call(showIssue, { params: child })).parent?.title).toBe("new");
  });

  test("a refused plan creates nothing and lists all its faults", async () => {
    const w = await world({ store: open });
    const { refused, titles, project } = await planner(w);
    const archived = await w.given.project("old");
    const gone = await w.given.issue({ project: archived });
    await w.given.archived(archived);
    const before = await titles();
    const error = await refused([
      { name: "a", title: "A", parent: "b" },
      { name: "b", title: "B", parent: "a" },
      { name: "a", title: "A again" },
      { name: "c", title: "C", blocks: ["d"], related: ["c"] },
      { name: "d", title: "D", blocks: ["c"], blocked_by: ["nobody"] },
      { name: "e", title: "E", scheduled_on: "tomorrow", blocks: [gone.uid] },
      { name: "f", title: "F", deadline_on: "2026-01-02", metadata: { deadline_on: "2026-01-02" } },
      { name: "g", title: "G", metadata: { "cron.occurrence": {} } },
    ]);
    expect(error).toMatchObject({ code: "plan_invalid" });
    const errors = (error.data?.["errors"] ?? []) as readonly { field: string; code: string }[];
    expect(errors.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
      "issues[1].parent validation",
      "issues[2].name validation",
      "issues[3].related[0] validation",
      "issues[4].blocked_by[0] issue_not_found",
      "issues[4].blocks[0] validation",
      "issues[5].blocks[0] link_target_archived",
      "issues[5].metadata invalid_metadata_value",
      "issues[6].deadline_on validation",
      "issues[7].metadata invalid_metadata_value",
    ]);
    expect(await titles()).toEqual(before);
    expect(
      (await w.events()).filter(({ project_uid }) => project_uid === project.uid),
    ).toHaveLength(1);
  });

  test("a plan with faults in its shape is refused with all of them", async () => {
    const w = await world({ store: open });
    const { refused } = await planner(w);
    const error = await refused([
      { name: "a b", title: "A" },
      { name: "b" },
      { name: "c", title: "C", priority: 9, colour: "red" },
      { name: "d", title: "D", labels: ["Not A Label"] },
    ]);
    expect(error.code).toBe("validation");
    const errors = (error.data?.["errors"] ?? []) as readonly { field: string }[];
    expect(errors.map(({ field }) => field).sort()).toEqual([
      "issues[0].name",
      "issues[1].title",
      "issues[2].colour",
      "issues[2].priority",
      "issues[3].labels[0]",
    ]);
  });

  test.each([
    ["no issues", []],
    ["too many issues", Array.from({ length: 5001 }, (_, at) => ({ name: `n${at}`, title: "T" }))],
  ])("a plan with %s is refused", async (_, issues) => {
    const w = await world({ store: open });
    const { refused } = await planner(w);
    expect(await refused(issues)).toMatchObject({ code: "validation" });
  });

  test("a plan with a deleted issue is refused and names the issue", async () => {
    const w = await world({ store: open });
    const { apply, refused, project } = await planner(w);
    const { issues } = await apply([{ name: "a", title: "A" }], "p");
    await w.given.deleted({ uid: issues[0]?.uid ?? "", project_uid: project.uid });
    expect(await refused([{ name: "a", title: "A" }], "p")).toMatchObject({
      code: "plan_invalid",
      data: { errors: [{ field: "issues[0].name" }] },
    });
  });

  test("1,000 issues with 1,600 links take one call and one commit", {
    timeout: 60_000,
  }, async () => {
    const w = await world({ store: open });
    const { apply, params } = await planner(w);
    let commits = 0;
    w.store.onCommit(() => commits++);
    const issues = Array.from({ length: 1000 }, (_, at) => ({
      name: `n${at}`,
      title: `Issue ${at}`,
      // 800 parents and 800 blockers.
      ...(at >= 200 ? { parent: `n${at % 200}`, blocked_by: [`n${at - 100}`] } : {}),
    }));
    const done = await apply(issues, "big");
    expect(done).toMatchObject({ changed: true, created: 1000 });
    const types = (await w.events()).filter(({ type }) => type === "issue.created");
    expect(types).toHaveLength(1000);
    expect(commits).toBe(1);
    const uids = new Set(done.issues.map(({ uid }) => uid));
    const links = await w.store.read(async (reader) => await reader.links.touching([...uids]));
    expect(links).toHaveLength(1600);
    const ready = await w.call(readyIssues, { params });
    expect(new Set(done.ready.map(({ uid }) => uid))).toEqual(
      new Set(ready.issues.map(({ uid }) => uid)),
    );
    expect((await apply(issues, "big")).created).toBe(0);
  });
});
