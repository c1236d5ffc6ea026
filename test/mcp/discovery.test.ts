import { describe, expect, test } from "vitest";
import { call } from "../../src/client/call.ts";
import { createComment } from "../../src/contract/comments.ts";
import { removeProject } from "../../src/contract/project-actions.ts";
import { renameProject } from "../../src/contract/projects.ts";
import { ToolWorld } from "./tools.ts";

type Rows = readonly { readonly ref: string; readonly title: string }[];

const refs = (rows: unknown): readonly string[] => (rows as Rows).map(({ ref }) => ref);
const titles = (rows: unknown): readonly string[] => (rows as Rows).map(({ title }) => title);

async function two() {
  const world = await ToolWorld.open();
  const web = await world.project("web");
  const api = await world.project("api");
  return { world, web, api };
}

describe("svc.list", () => {
  test("continues with a cursor after the first 20 rows, in every scope", async () => {
    const { world, web, api } = await two();
    for (let at = 0; at < 25; at++) await world.issue(at % 2 ? web.id : api.id, `issue ${at}`);
    for (const reach of ["all", ["web", "api"]] as const) {
      const client = await world.serve(reach);
      const first = await client.call("svc.list");
      expect(titles(first.answer["issues"])).toHaveLength(20);
      expect(first.answer).toMatchObject({
        truncated: true,
        projects: [{ name: "api" }, { name: "web" }],
      });
      const cursor = first.answer["next_cursor"];
      const second = await client.call("svc.list", { cursor });
      expect(second.answer).toMatchObject({ truncated: false });
      const all = [...titles(first.answer["issues"]), ...titles(second.answer["issues"])];
      expect(all).toEqual(Array.from({ length: 25 }, (_, at) => `issue ${24 - at}`));
    }
  });

  test("has as many rows as requested, and refuses a limit of 101", async () => {
    const { world, web } = await two();
    for (let at = 0; at < 30; at++) await world.issue(web.id, `issue ${at}`);
    const client = await world.serve("web");
    const { answer } = await client.call("svc.list", { limit: 100 });
    expect(titles(answer["issues"])).toHaveLength(30);
    expect(answer).toMatchObject({ truncated: false, project: { name: "web" } });
    expect((await client.call("svc.list", { limit: 101 })).failure).toContain("limit");
  });

  test("refuses a cursor that it did not issue", async () => {
    const { world } = await two();
    const client = await world.serve("web");
    expect((await client.call("svc.list", { cursor: "abc" })).failure).toBe(
      "invalid arguments: cursor: not a value returned by this tool",
    );
  });

  test("filters by status, owner, priority, labels and metadata", async () => {
    const { world, web } = await two();
    const labels = ["bug"];
    await world.issue(web.id, "wanted", {
      owner: "bea",
      priority: 1,
      labels,
      metadata: { a: "b" },
    });
    await world.issue(web.id, "other");
    const client = await world.serve("web");
    for (const filter of [
      { owner: "bea" },
      { priority: 1 },
      { max_priority: 2 },
      { labels },
      { metadata: ["a=b"] },
    ])
      expect(titles((await client.call("svc.list", filter)).answer["issues"])).toEqual(["wanted"]);
    for (const filter of [{ unowned: true }, { exclude_labels: labels }])
      expect(titles((await client.call("svc.list", filter)).answer["issues"])).toEqual(["other"]);
    expect((await client.call("svc.list", { owner: "bea", unowned: true })).failure).toContain(
      "400",
    );
  });

  test("answers with at most 8 KB, whatever the issues hold", async () => {
    const { world, web } = await two();
    const long = "\u{1f41b}".repeat(1000);
    const labels = Array.from({ length: 30 }, (_, at) => `${"l".repeat(60)}${at}`);
    for (let at = 0; at < 22; at++)
      await world.issue(web.id, `${long} ${at}`, { labels, body: "b".repeat(28_000) });
    const client = await world.serve("web");
    const { answer, bytes } = await client.call("svc.list");
    expect(bytes).toBeLessThanOrEqual(8192);
    expect(titles(answer["issues"])).toHaveLength(1);
    expect(answer).toMatchObject({ truncated: true });
  });

  test("spends at most 250 bytes on a row besides title and labels", async () => {
    const { world, web } = await two();
    await world.issue(web.id, "T", { owner: "a-long-owner-name", priority: 4 });
    const client = await world.serve("web");
    const [row] = (await client.call("svc.list")).answer["issues"] as readonly object[];
    expect(Buffer.byteLength(JSON.stringify(row))).toBeLessThanOrEqual(250);
  });
});

describe("the scope of a server", () => {
  test("a server of one project accepts bare refs and refs of its project, and treats others as missing", async () => {
    const { world, web, api } = await two();
    const own = await world.issue(web.id, "own");
    const foreign = await world.issue(api.id, "foreign");
    const client = await world.serve("web");
    for (const ref of [own.short_id, own.qualified_id, own.uid])
      expect((await client.call("svc.show", { ref })).answer).toMatchObject({
        issue: { title: "own", ref: own.short_id, qualified_ref: own.qualified_id },
      });
    const outside = async (ref: string) => (await client.call("svc.show", { ref })).failure;
    expect(await outside(foreign.qualified_id)).toBe(
      'project "api" is outside this server\'s scope',
    );
    expect(await outside("nowhere#ab3d")).toBe('project "nowhere" is outside this server\'s scope');
    expect(await outside(foreign.uid)).toContain("404 issue_not_found");
    expect((await client.call("svc.list", { project: "api" })).failure).toContain("outside");
  });

  test.each([["all"], [["web", "api"]]])(
    "a server of %j requires the project in each ref",
    async (reach) => {
      const { world, web } = await two();
      const { short_id, qualified_id, uid } = await world.issue(web.id, "one");
      const client = await world.serve(reach as "all");
      expect((await client.call("svc.show", { ref: qualified_id })).failure).toBeUndefined();
      for (const ref of [short_id, uid])
        expect((await client.call("svc.show", { ref })).failure).toContain(
          "write project#short_id",
        );
    },
  );

  test("follows a project that is renamed, and drops one that is archived", async () => {
    const { world, web, api } = await two();
    await world.issue(web.id, "of web");
    await world.issue(api.id, "of api");
    const client = await world.serve(["web", "api"]);
    const bound = await world.serve("api");
    await call(world.client, renameProject, {
      params: { project_id: web.id },
      body: { name: "site", actor: "ann" },
    });
    expect(titles((await client.call("svc.list", { project: "site" })).answer["issues"])).toEqual([
      "of web",
    ]);
    await call(world.client, removeProject, {
      params: { project_id: api.id },
      query: { actor: "ann", force: true },
    });
    expect(titles((await client.call("svc.list")).answer["issues"])).toEqual(["of web"]);
    expect((await client.call("svc.search", { query: "api" })).answer["results"]).toEqual([]);
    expect((await bound.call("svc.list")).failure).toBe(
      'project "api" is outside this server\'s scope',
    );
  });
});

describe("svc.show", () => {
  test("has the newest comments, oldest first", async () => {
    const { world, web } = await two();
    const { short_id } = await world.issue(web.id, "talk");
    for (let at = 0; at < 25; at++)
      await call(world.client, createComment, {
        params: { project_id: web.id, ref: short_id },
        body: { body: `word ${at}`, actor: "ann" },
      });
    const client = await world.serve("web");
    const bodies = async (args: object) => {
      const { answer } = await client.call("svc.show", { ref: short_id, ...args });
      const { comments } = answer["issue"] as { readonly comments: readonly { body: string }[] };
      return { bodies: comments.map(({ body }) => body), cut: answer["comments_truncated"] };
    };
    const words = (from: number) =>
      Array.from({ length: 25 - from }, (_, at) => `word ${from + at}`);
    expect(await bodies({})).toEqual({ bodies: words(5), cut: true });
    expect(await bodies({ comment_limit: 3 })).toEqual({ bodies: words(22), cut: true });
    expect(await bodies({ comment_limit: 100 })).toEqual({ bodies: words(0), cut: false });
  });

  test.each([
    ["short ones", "word", {}],
    ["long ones", `${"long ".repeat(1600)}`, {}],
    ["long ones, and many in an answer", `${"long ".repeat(1600)}`, { comment_limit: 100 }],
    ["some that are longer than an answer", "very long ".repeat(20_000), {}],
  ])("gives all of a hundred comments with its cursor: %s", async (_what, text, args) => {
    const { world, web } = await two();
    const { short_id } = await world.issue(web.id, "talk", { body: "the body" });
    const params = { project_id: web.id, ref: short_id };
    for (let at = 0; at < 100; at++)
      await call(world.client, createComment, {
        params,
        body: { body: `${at} ${at % 10 === 9 || at < 3 ? text : "word"}`, actor: "ann" },
      });
    const client = await world.serve("web");
    const read: string[] = [];
    const uids: string[] = [];
    let cursor: unknown;
    do {
      const page = { ref: short_id, ...args, ...(cursor === undefined ? {} : { cursor }) };
      const { answer, bytes } = await client.call("svc.show", page);
      expect(bytes).toBeLessThanOrEqual("comment_limit" in args ? 64 * 1024 : 8192);
      const { comments } = answer["issue"] as {
        readonly comments: readonly { readonly uid: string; readonly body: string }[];
      };
      read.unshift(...comments.map(({ body }) => body.split(" ")[0] ?? ""));
      uids.unshift(...comments.map(({ uid }) => uid));
      const older = (answer["older_comments"] ?? []) as readonly string[];
      expect(older.length > 0).toBe(answer["comments_truncated"]);
      cursor = answer["next_cursor"];
      const [named] = older;
      if (named === undefined) continue;
      const one = await client.call("svc.show", { ref: short_id, comment: named });
      expect(one.answer).toMatchObject({ issue: { comments: [{ uid: named }] } });
    } while (cursor !== undefined);
    expect(read).toEqual(Array.from({ length: 100 }, (_, at) => String(at)));
    expect(new Set(uids).size).toBe(100);
  });

  test("refuses a foreign cursor, and a cursor together with a comment", async () => {
    const { world, web } = await two();
    const { short_id: ref } = await world.issue(web.id, "talk");
    const client = await world.serve("web");
    const failed = async (args: object) =>
      (await client.call("svc.show", { ref, ...args })).failure;
    expect(await failed({ cursor: "abc" })).toContain("not a value returned by this tool");
    expect(await failed({ cursor: "abc", comment: "0".repeat(26) })).toContain(
      "exclude each other",
    );
  });

  test("cuts long texts to 8 KB, and continues at an offset", async () => {
    const { world, web } = await two();
    const body = Array.from({ length: 28_000 }, (_, at) =>
      String.fromCodePoint(0x4e00 + (at % 5000)),
    ).join("");
    const { short_id } = await world.issue(web.id, "long", {
      body,
      metadata: { big: "m".repeat(60_000) },
    });
    const said = `${"c".repeat(60_000)}end`;
    const { comment } = await call(world.client, createComment, {
      params: { project_id: web.id, ref: short_id },
      body: { body: said, actor: "ann" },
    });
    const client = await world.serve("web");
    const first = await client.call("svc.show", { ref: short_id });
    expect(first.bytes).toBeLessThanOrEqual(8192);
    expect(first.answer).toMatchObject({
      body_truncated: true,
      metadata_omitted: ["big"],
      issue: { comments: [{ body_truncated: true }] },
    });
    let read = "";
    for (let turns = 0; turns < 100; turns++) {
      const { answer, bytes } = await client.call("svc.show", {
        ref: short_id,
        body_offset: read.length,
      });
      expect(bytes).toBeLessThanOrEqual(8192);
      read += (answer["issue"] as { readonly body: string }).body;
      if (answer["body_truncated"] === undefined) break;
    }
    expect(read).toBe(body);
    let heard = "";
    while (heard.length < said.length) {
      const args = { ref: short_id, comment: comment.uid, body_offset: heard.length };
      const { answer } = await client.call("svc.show", args);
      const { comments } = answer["issue"] as { readonly comments: readonly { body: string }[] };
      heard += comments[0]?.body ?? "";
    }
    expect(heard).toBe(said);
    expect((await client.call("svc.show", { ref: short_id, comment: web.uid })).failure).toContain(
      "comment",
    );
  });

  test("names links from the issue's side, and none to projects out of scope", async () => {
    const { world, web, api } = await two();
    const foreign = await world.issue(api.id, "foreign");
    const parent = await world.issue(web.id, "parent");
    const { short_id } = await world.issue(web.id, "child", {
      links: [
        { type: "parent", to_ref: parent.short_id },
        { type: "blocks", to_ref: foreign.qualified_id, incoming: true },
        { type: "related", to_ref: foreign.qualified_id },
      ],
    });
    const links = async (reach: "web" | "all", ref: string) => {
      const { answer } = await (await world.serve(reach)).call("svc.show", { ref });
      return (answer["issue"] as { readonly links: readonly object[] }).links;
    };
    const up = { type: "parent", qualified_ref: parent.qualified_id, status: "open" };
    const far = { qualified_ref: foreign.qualified_id, status: "open" };
    expect(await links("web", short_id)).toEqual([up]);
    expect(await links("all", `web#${short_id}`)).toEqual([
      up,
      { type: "blocked_by", ...far },
      { type: "related", ...far },
    ]);
    expect(await links("web", parent.short_id)).toEqual([
      { type: "child", qualified_ref: `web#${short_id}`, status: "open" },
    ]);
  });
});

describe("svc.next and svc.ready", () => {
  test("offer issues that nothing blocks, the highest priority first, and svc.next none that others own", async () => {
    const { world, web, api } = await two();
    await world.issue(web.id, "someone's", { owner: "carl", priority: 0 });
    const blocker = await world.issue(web.id, "blocker", { priority: 2 });
    await world.issue(web.id, "blocked", {
      priority: 0,
      links: [{ type: "blocks", to_ref: blocker.short_id, incoming: true }],
    });
    const urgent = await world.issue(api.id, "urgent", { priority: 1 });
    const next = async (reach: "web" | "all" | readonly string[]) =>
      (await (await world.serve(reach)).call("svc.next")).answer;
    expect(await next("web")).toMatchObject({
      project: { name: "web" },
      issue: { title: "blocker" },
    });
    for (const reach of ["all", ["web", "api"]] as const)
      expect(await next(reach)).toMatchObject({
        projects: [{ name: "api" }],
        issue: { ref: urgent.qualified_id },
      });
    const later = await world.issue(web.id, "urgent too", { priority: 1 });
    for (const reach of ["all", ["web", "api"], ["api", "web"]] as const)
      expect(await next(reach)).toMatchObject({ issue: { ref: later.qualified_id } });
    await world.issue(api.id, "urgent again", { priority: 1 });
    for (const reach of ["all", ["web", "api"], ["api", "web"]] as const)
      expect(await next(reach)).toMatchObject({ issue: { title: "urgent again" } });
    const { answer } = await (await world.serve("web")).call("svc.ready");
    expect(titles(answer["issues"])).toEqual(["urgent too", "blocker", "someone's"]);
    expect(await (await world.serve("api")).call("svc.next", { labels: ["none"] })).toMatchObject({
      answer: { project: { name: "api" } },
      failure: undefined,
    });
  });
});

describe("svc.search", () => {
  test("takes its hits from each project in turn", async () => {
    const { world, web, api } = await two();
    for (const project of [web, api])
      for (let at = 0; at < 3; at++) await world.issue(project.id, `parser crash ${at}`);
    const { answer } = await (await world.serve("all")).call("svc.search", { query: "crash" });
    const results = answer["results"] as readonly {
      readonly issue: { readonly qualified_ref: string };
    }[];
    expect(results.map(({ issue }) => issue.qualified_ref.split("#")[0])).toEqual([
      "api",
      "web",
      "api",
      "web",
      "api",
      "web",
    ]);
    expect(answer).toMatchObject({ mode: "lexical", degraded: false, truncated: false });
    expect(answer).not.toHaveProperty("project");
  });
});

describe("svc.labels and svc.graph", () => {
  test("add up the labels of all projects, the most common first", async () => {
    const { world, web, api } = await two();
    for (const project of [web, api]) await world.issue(project.id, "one", { labels: ["bug"] });
    await world.issue(web.id, "two", { labels: ["area"] });
    const { answer } = await (await world.serve("all")).call("svc.labels");
    expect(answer).toMatchObject({
      labels: [
        { label: "bug", count: 2 },
        { label: "area", count: 1 },
      ],
    });
  });

  test("follow the links of an issue, inside the scope", async () => {
    const { world, web, api } = await two();
    const foreign = await world.issue(api.id, "foreign");
    const { short_id, uid } = await world.issue(web.id, "source", {
      links: [{ type: "related", to_ref: foreign.qualified_id }],
    });
    const inside = await (await world.serve("web")).call("svc.graph", { ref: short_id });
    expect(inside.answer).toMatchObject({ source_uid: uid, depth: "full", edges: [] });
    expect(inside.answer["nodes"]).toHaveLength(1);
    const all = await (await world.serve("all")).call("svc.graph", {
      ref: `web#${short_id}`,
      depth: 1,
    });
    expect(all.answer["nodes"]).toHaveLength(2);
    expect(all.answer["edges"]).toHaveLength(1);
  });

  test("keep the graph of more than a hundred issues within 8 KB", async () => {
    const { world, web } = await two();
    const { short_id } = await world.issue(web.id, "source");
    for (let at = 0; at < 120; at++)
      await world.issue(web.id, `child ${at}`, { links: [{ type: "parent", to_ref: short_id }] });
    const { answer, bytes } = await (await world.serve("web")).call("svc.graph", { ref: short_id });
    expect(bytes).toBeLessThanOrEqual(8192);
    expect(answer).toMatchObject({ truncated: true });
    expect(refs(answer["nodes"]).length).toBeGreaterThan(10);
  });
});
