import { expect, test } from "vitest";
import { criticalPath, reachableIssueGraph } from "../../src/contract/graph.ts";
import { describeStore, type TestDatabase } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type GivenIssue = Awaited<ReturnType<World["given"]["issue"]>>;

describeStore("issue graph", (open) => {
  test("an issue graph follows every kind of link both ways, parents shown above their children", async () => {
    const { w, issue, graph } = await tracker(open);
    const [source, child, after, near] = [
      await issue("source"),
      await issue("child"),
      await issue("after"),
      await issue("near"),
    ];
    await w.given.link(child, "parent", source);
    await w.given.link(source, "blocks", after);
    await w.given.link(near, "related", source);
    expect(await graph(source)).toMatchObject({
      source_uid: source.uid,
      depth: "full",
      hide_done: false,
      titles: ["source", "child", "after", "near"],
      edges: [
        "source -parent> child",
        "source -blocks> after",
        // The canonical order of a related link: the smaller uid first.
        "source -related> near",
      ],
      unresolved_refs: [],
    });
    expect((await graph(after)).titles).toEqual(["after", "source", "child", "near"]);
    const [node] = (await w.call(reachableIssueGraph, { params: source.path })).nodes;
    expect(node).toMatchObject({ qualified_id: `web#${source.short_id}`, status: "open" });
    expect(node).not.toHaveProperty("labels");
  });

  test("an issue graph includes issues of other projects, but no deleted or archived ones", async () => {
    const { w, issue, graph } = await tracker(open);
    const source = await issue("source");
    const [shop, past] = [await w.given.project("shop"), await w.given.project("past")];
    const there = await w.given.issue({ project: shop, title: "there" });
    const archived = await w.given.issue({ project: past, title: "archived" });
    const [gone, behind] = [await issue("gone"), await issue("behind gone")];
    await w.given.link(source, "blocks", there);
    await w.given.link(source, "blocks", archived);
    await w.given.link(source, "blocks", gone);
    await w.given.link(gone, "blocks", behind);
    await w.given.deleted(gone);
    await w.given.archived(past);
    const found = await graph(source);
    expect(found.titles).toEqual(["source", "there"]);
    expect(found).toMatchObject({ edges: ["source -blocks> there"], unresolved_refs: [] });
  });

  test.each([
    ["0", 0, ["one"], []],
    ["1", 1, ["one", "two"], ["one -blocks> two"]],
    ["2", 2, ["one", "two", "three"], ["one -blocks> two", "two -blocks> three"]],
    ["full", "full", ["one", "two", "three"], ["one -blocks> two", "two -blocks> three"]],
  ])(
    "an issue graph with the depth %s reaches exactly that far",
    async (depth, effective, titles, edges) => {
      const { w, issue, graph } = await tracker(open);
      const [one, two, three] = [await issue("one"), await issue("two"), await issue("three")];
      await w.given.link(one, "blocks", two);
      await w.given.link(two, "blocks", three);
      expect(await graph(one, { depth })).toMatchObject({ depth: effective, titles, edges });
    },
  );

  test("an issue graph shows edges between issues at the greatest depth", async () => {
    const { w, issue, graph } = await tracker(open);
    const [one, two, three] = [await issue("one"), await issue("two"), await issue("three")];
    await w.given.link(one, "related", two);
    await w.given.link(one, "related", three);
    await w.given.link(two, "blocks", three);
    expect((await graph(one, { depth: "1" })).edges).toContain("two -blocks> three");
  });

  test.each(["-1", "1.5", "all", "", "1e3", "9".repeat(16)])(
    "a depth of %j is refused",
    async (depth) => {
      const w = await world({ store: open });
      const { path: params } = await w.given.issue();
      expect(await w.refused(reachableIssueGraph, { params, query: { depth } })).toMatchObject({
        code: "validation",
        message: "depth must be full or a non-negative integer",
        data: { field: "depth" },
      });
    },
  );

  test("an issue graph can leave out done issues and those that only they lead to, but keeps its first issue", async () => {
    const { w, issue, graph } = await tracker(open);
    const [source, done, behind, other] = [
      await issue("source"),
      await issue("done"),
      await issue("behind"),
      await issue("other"),
    ];
    await w.given.link(source, "related", done);
    await w.given.link(done, "related", behind);
    await w.given.link(source, "related", other);
    await w.given.closed(done);
    await w.given.closed(source);
    const found = await graph(source, { hide_done: true });
    expect(found).toMatchObject({ hide_done: true, titles: ["source", "other"] });
    expect((await graph(source)).titles).toEqual(["source", "done", "other", "behind"]);
  });

  test("the layout of an issue graph ignores a blocks edge that a longer path implies", async () => {
    const { w, issue } = await tracker(open);
    const [a, b, c] = [await issue("a"), await issue("b"), await issue("c")];
    await w.given.link(a, "blocks", b);
    await w.given.link(b, "blocks", c);
    await w.given.link(a, "blocks", c);
    await w.given.link(a, "related", c);
    const { edges } = await w.call(reachableIssueGraph, { params: a.path });
    expect(edges.filter(({ layout }) => !layout)).toEqual([
      { from_uid: a.uid, to_uid: c.uid, kind: "blocks", layout: false },
    ]);
  });

  test("an issue graph reports a link to an issue that is missing from the database", async () => {
    const database = await open.database();
    const { w, issue } = await tracker(async (options) => await database.open(options));
    const [source, lost, child] = [
      await issue("source"),
      await issue("lost"),
      await issue("lost child"),
    ];
    await w.given.link(source, "blocks", lost);
    await w.given.link(child, "parent", source);
    await removeRows(database, [lost, child]);
    const found = await w.call(reachableIssueGraph, {
      params: source.path,
      query: { depth: "0" },
    });
    expect(found).toMatchObject({
      nodes: [{ uid: source.uid }],
      edges: [],
      unresolved_refs: [
        { uid: source.uid, side: "to", kind: "blocks", other_uid: lost.uid },
        { uid: source.uid, side: "to", kind: "parent", other_uid: child.uid },
      ],
    });
    const full = await w.call(reachableIssueGraph, { params: source.path });
    expect(full.unresolved_refs).toEqual(found.unresolved_refs);
  });

  test("an issue graph is refused for a missing project or issue", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    await w.given.deleted(issue);
    const params = { project_id: 99, ref: issue.uid };
    expect(await w.refused(reachableIssueGraph, { params: issue.path })).toMatchObject({
      code: "issue_not_found",
    });
    expect(await w.refused(reachableIssueGraph, { params })).toMatchObject({
      code: "project_not_found",
    });
  });
});

describeStore("critical path", (open) => {
  test("a critical path is the longest chain of open blockers, across all projects", async () => {
    const { w, issue } = await tracker(open);
    const shop = await w.given.project("shop");
    const first = await w.given.issue({ project: shop, title: "first", owner: "bea" });
    const [second, third, side] = [await issue("second"), await issue("third"), await issue("s")];
    await w.given.link(first, "blocks", second);
    await w.given.link(second, "blocks", third);
    await w.given.link(side, "blocks", third);
    const params = { project_id: third.project_id };
    const found = await w.call(criticalPath, { params });
    expect(told(found.path)).toEqual(["first 2", "second 1", "third 0"]);
    expect(told(found.waited_for)).toEqual(["first 2", "second 1", "s 1"]);
    expect(found.path[0]?.issue).toEqual({
      uid: first.uid,
      short_id: first.short_id,
      project: "shop",
      qualified_id: `shop#${first.short_id}`,
      title: "first",
      status: "open",
      owner: "bea",
    });
    const some = await w.call(criticalPath, { params, query: { ref: second.uid, limit: 1 } });
    expect(told(some.path)).toEqual(["first 2", "second 1"]);
    expect(told(some.waited_for)).toEqual(["first 2"]);
    expect(some.waited_for_count).toBeGreaterThan(1);
    expect(found.waited_for_count).toBe(found.waited_for.length);
    const all = await w.call(criticalPath, { params, query: { limit: 0 } });
    expect(all).toEqual(found);
  });

  test("a critical path ignores closed, deleted and archived issues", async () => {
    const { w, issue } = await tracker(open);
    const past = await w.given.project("past");
    const archived = await w.given.issue({ project: past, title: "archived" });
    const [closed, deleted, last] = [await issue("c"), await issue("d"), await issue("last")];
    for (const blocker of [archived, closed, deleted]) await w.given.link(blocker, "blocks", last);
    await w.given.closed(closed);
    await w.given.deleted(deleted);
    await w.given.archived(past);
    const params = { project_id: last.project_id };
    expect(await w.call(criticalPath, { params })).toEqual({
      path: [],
      waited_for: [],
      waited_for_count: 0,
    });
  });

  test("a critical path ignores a chain that lies only in another project", async () => {
    const { w, issue } = await tracker(open);
    const here = await issue("here");
    const shop = await w.given.project("shop");
    const [a, b] = [
      await w.given.issue({ project: shop, title: "a" }),
      await w.given.issue({ project: shop, title: "b" }),
    ];
    await w.given.link(a, "blocks", b);
    const params = { project_id: here.project_id };
    expect((await w.call(criticalPath, { params })).path).toEqual([]);
  });

  test("a critical path includes a whole circle of blockers and reports it as a circle", async () => {
    const { w, issue } = await tracker(open);
    const [a, b] = [await issue("a"), await issue("b")];
    await w.given.link(a, "blocks", b);
    await w.given.link(b, "blocks", a);
    const { path } = await w.call(criticalPath, { params: { project_id: a.project_id } });
    expect(path).toMatchObject([
      { waiting: 1, circle: true },
      { waiting: 1, circle: true },
    ]);
  });

  test("a critical path requires an existing project and issue", async () => {
    const w = await world({ store: open });
    const { project_id } = await w.given.issue();
    const noProject = await w.refused(criticalPath, { params: { project_id: 99 } });
    const noIssue = await w.refused(criticalPath, {
      params: { project_id },
      query: { ref: "zzzz" },
    });
    expect([noProject.code, noIssue.code]).toEqual(["project_not_found", "issue_not_found"]);
  });
});

async function tracker(open: Parameters<typeof world>[0]["store"]) {
  const w = await world({ store: open });
  const issue = async (title: string): Promise<GivenIssue> => await w.given.issue({ title });
  /** Returns the graph with titles. */
  const graph = async (of: GivenIssue, query: { depth?: string; hide_done?: boolean } = {}) => {
    const found = await w.call(reachableIssueGraph, { params: of.path, query });
    const titles = new Map(found.nodes.map(({ uid, title }) => [uid, title]));
    return {
      ...found,
      titles: [...titles.values()],
      edges: found.edges.map(
        ({ from_uid, to_uid, kind }) => `${titles.get(from_uid)} -${kind}> ${titles.get(to_uid)}`,
      ),
    };
  };
  return { w, issue, graph };
}

function told(
  steps: readonly { readonly issue: { readonly title: string }; readonly waiting: number }[],
) {
  return steps.map(({ issue, waiting }) => `${issue.title} ${waiting}`);
}

/** Removes rows past the database's own checks, as a repair by hand might. */
async function removeRows(
  { dialect, target }: TestDatabase,
  issues: readonly GivenIssue[],
): Promise<void> {
  if (dialect === "sqlite") {
    const { default: Database } = await import("better-sqlite3");
    const file = new Database(target.dsn);
    file.pragma("foreign_keys = off");
    for (const { uid } of issues) file.prepare("delete from issue where uid = ?").run(uid);
    file.close();
    return;
  }
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: target.dsn });
  await client.connect();
  await client.query(`set search_path to ${target.schema}`);
  await client.query("set session_replication_role = replica");
  for (const { uid } of issues) await client.query("delete from issue where uid = $1", [uid]);
  await client.end();
}
