import { expect, test } from "vitest";
import {
  initProject,
  listProjects,
  renameProject,
  resolveProject,
  showProject,
} from "../../src/contract/projects.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const GIT = { identity: "example.org/ann/web", kind: "git" } as const;

async function kinds(w: World): Promise<readonly string[]> {
  return (await w.events()).map(({ type }) => type);
}

describeStore("projects", (open) => {
  test.each([
    ["1000000000000000", 1_000_000_000_000_000],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
    ["9007199254740992", "9007199254740992"],
    ["99999999999999999999", "99999999999999999999"],
  ])(
    "the out-of-range id %s names no project and is quoted as it was sent",
    async (id, project_id) => {
      const w = await world({ store: open });
      for (const path of [`/api/v1/projects/${id}`, `/api/v1/projects/${id}/issues/abc4`]) {
        const answer = await w.app.fetch(new Request(`http://localhost${path}`));
        expect(answer.status).toBe(404);
        expect(await answer.json()).toMatchObject({
          error: { code: "project_not_found", data: { project_id } },
        });
      }
    },
  );

  test("init creates a project once and finds it by its name afterwards", async () => {
    const w = await world({ store: open });
    const first = await w.call(initProject, { body: { name: "web" } });
    const second = await w.call(initProject, { body: { name: " web " } });
    expect(first).toMatchObject({ created: true, project: { name: "web", revision: 1 } });
    expect(second).toMatchObject({ created: false, project: { id: first.project.id } });
    expect(first.alias).toBeUndefined();
    expect(await kinds(w)).toEqual(["project.created"]);
  });

  test("init binds an alias, and binding it again changes nothing", async () => {
    const w = await world({ store: open });
    const body = { name: "web", alias: { ...GIT, root_path: "/home/ann/web" } };
    const first = await w.call(initProject, { body });
    await w.call(initProject, { body });
    expect(first.alias).toMatchObject({
      alias_identity: GIT.identity,
      alias_kind: "git",
      project_id: first.project.id,
    });
    expect(first.workspace_root).toBe("/home/ann/web");
    expect(await kinds(w)).toEqual(["project.created", "project.alias_added"]);
  });

  test("an alias of another project moves only on request", async () => {
    const w = await world({ store: open });
    const old = await w.call(initProject, { body: { name: "web", alias: GIT } });
    const refused = await w.refused(initProject, { body: { name: "shop", alias: GIT } });
    expect(refused).toMatchObject({ code: "project_alias_conflict", data: { project: "web" } });
    expect(await kinds(w)).toEqual(["project.created", "project.alias_added"]);
    const moved = await w.call(initProject, { body: { name: "shop", alias: GIT, reassign: true } });
    expect(moved).toMatchObject({ created: true, alias: { project_id: moved.project.id } });
    const shown = await w.call(showProject, { params: { project_id: old.project.id } });
    expect(shown.aliases).toEqual([]);
  });

  test("an alias kept by an archived project is not in use and can be taken", async () => {
    const w = await world({ store: open });
    const old = await w.given.project("old");
    await w.given.archived(old);
    const payload = { alias_identity: GIT.identity, alias_kind: GIT.kind };
    await w.append({ type: "project.alias_added", actor: "ann", project_uid: old.uid, payload });
    const unbound = await w.refused(resolveProject, { body: { alias: GIT } });
    expect(unbound.code).toBe("project_not_initialized");
    const made = await w.call(initProject, { body: { name: "web", alias: GIT } });
    expect(made.alias).toMatchObject({ project_id: made.project.id });
  });

  test("init in a folder names the project after it and finds it from folders below", async () => {
    const w = await world({ store: open });
    const made = await w.call(initProject, { body: { start_path: "/home/ann/web" } });
    expect(made).toMatchObject({
      created: true,
      project: { name: "web" },
      alias: { alias_identity: "local:///home/ann/web", alias_kind: "local" },
      workspace_root: "/home/ann/web",
    });
    const again = await w.call(initProject, { body: { start_path: "/home/ann/web/" } });
    expect(again).toMatchObject({ created: false, project: { id: made.project.id } });
    const found = await w.call(resolveProject, { body: { start_path: "/home/ann/web/src/deep" } });
    expect(found).toMatchObject({ project: { name: "web" }, workspace_root: "/home/ann/web" });
    const beside = await w.refused(resolveProject, { body: { start_path: "/home/ann/website" } });
    expect(beside.code).toBe("project_not_initialized");
  });

  test("a bound folder keeps its project even if another name is given", async () => {
    const w = await world({ store: open });
    const made = await w.call(initProject, { body: { name: "shop", start_path: "/home/ann/web" } });
    const again = await w.call(initProject, { body: { start_path: "/home/ann/web" } });
    expect(again).toMatchObject({ created: false, project: { id: made.project.id, name: "shop" } });
  });

  const git = (identity: string) => ({ alias: { identity, kind: "git" as const } });

  test("a workspace without a name does not join a project that has another alias", async () => {
    const w = await world({ store: open });
    const first = await w.call(initProject, { body: git("github.com/play/api") });
    expect(first).toMatchObject({ project: { name: "api" }, created: true });
    expect(first).not.toHaveProperty("namesake");
    const second = await w.call(initProject, { body: git("github.com/work/api") });
    const namesake = { name: "api", alias_identity: "github.com/play/api" };
    expect(second).toMatchObject({ project: { name: "work-api" }, created: true, namesake });
    const again = await w.call(initProject, { body: git("github.com/work/api") });
    expect(again).toMatchObject({ project: { name: "work-api" }, created: false });
    expect(again).not.toHaveProperty("namesake");
    expect(again).not.toHaveProperty("joined_with");
    const third = await w.call(initProject, { body: git("gitlab.com/work/api") });
    expect(third.project.name).toBe("gitlab.com-work-api");
    const names = [];
    for (const host of ["a", "b"]) {
      const body = { start_path: `/${host}/web` };
      names.push((await w.call(initProject, { body })).project.name);
    }
    await w.given.project("c-web");
    names.push((await w.call(initProject, { body: { start_path: "/c/web" } })).project.name);
    expect(names).toEqual(["web", "b-web", "web-2"]);
  });

  test("a workspace without a name joins a project without an alias, and is refused an archived one", async () => {
    const w = await world({ store: open });
    const shop = await w.given.project("shop");
    const joined = await w.call(initProject, { body: git("github.com/work/shop") });
    expect(joined).toMatchObject({ project: { uid: shop.uid }, created: false });
    const gone = await w.given.project("gone");
    await w.given.archived(gone);
    const refused = await w.refused(initProject, { body: git("github.com/work/gone") });
    expect(refused).toMatchObject({ code: "project_archived" });
  });

  test("a workspace that names a project joins it, and is reported once", async () => {
    const w = await world({ store: open });
    await w.call(initProject, { body: git("github.com/play/api") });
    const body = { ...git("github.com/work/api"), name: "api" };
    const joined = await w.call(initProject, { body });
    expect(joined).toMatchObject({ created: false, joined_with: "github.com/play/api" });
    expect(await w.call(initProject, { body })).not.toHaveProperty("joined_with");
  });

  test.each([
    [{}, "validation"],
    [{ start_path: "home/ann" }, "validation"],
    [{ start_path: "/" }, "validation"],
    [{ name: "a#b" }, "validation"],
    [{ name: "web", actor: " " }, "validation"],
  ])("init refuses %j", async (body, code) => {
    const w = await world({ store: open });
    expect(await w.refused(initProject, { body })).toMatchObject({ code });
    expect(await w.events()).toEqual([]);
  });

  test("a project is resolved by alias before name before folder", async () => {
    const w = await world({ store: open });
    await w.call(initProject, { body: { name: "web", alias: GIT } });
    await w.call(initProject, { body: { name: "shop", start_path: "/home/ann/shop" } });
    const byAlias = { alias: GIT, name: "shop", start_path: "/home/ann/shop" };
    expect((await w.call(resolveProject, { body: byAlias })).project.name).toBe("web");
    const unknown = { identity: "example.org/other", kind: "git" } as const;
    const byName = { alias: unknown, name: "web", start_path: "/home/ann/shop" };
    expect((await w.call(resolveProject, { body: byName })).project.name).toBe("web");
    const byFolder = { alias: unknown, name: "none", start_path: "/home/ann/shop" };
    expect((await w.call(resolveProject, { body: byFolder })).project.name).toBe("shop");
    expect((await w.refused(resolveProject, { body: { name: "none" } })).code).toBe(
      "project_not_initialized",
    );
    expect((await w.refused(resolveProject, { body: {} })).code).toBe("validation");
  });

  test("the list of projects has statistics, and has archived projects on request", async () => {
    const w = await world({ store: open });
    const web = await w.given.project("web");
    const old = await w.given.project("old");
    await w.given.issue({ project: web });
    w.clock.advance(1000);
    await w.given.closed(await w.given.issue({ project: web }));
    await w.given.archived(old);
    const plain = await w.call(listProjects);
    expect(plain.projects.map(({ name, stats }) => [name, stats])).toEqual([["web", undefined]]);
    const full = await w.call(listProjects, { query: { include: "stats,archived" } });
    expect(full.projects).toMatchObject([
      { name: "web", stats: { open: 1, closed: 1, last_event_at: "2026-01-01T00:00:01.000Z" } },
      { name: "old", stats: { open: 0, closed: 0 }, deleted_at: "2026-01-01T00:00:01.000Z" },
    ]);
    expect((await w.refused(listProjects, { query: { include: "all" } })).code).toBe("validation");
  });

  test("renaming changes the qualified ids, and renaming to the same name makes no event", async () => {
    const w = await world({ store: open });
    const web = await w.given.project("web");
    const params = web.path;
    const renamed = await w.call(renameProject, { params, body: { name: "shop" } });
    expect(renamed.project).toMatchObject({ name: "shop", revision: 1 });
    await w.call(renameProject, { params, body: { name: "shop" } });
    const issue = await w.given.issue({ project: web });
    expect(issue.qualified_id).toBe(`shop#${issue.short_id}`);
    expect(await kinds(w)).toEqual(["project.created", "project.renamed", "issue.created"]);
  });

  test("renaming is refused if another or an archived project has the name, or the revision differs", async () => {
    const w = await world({ store: open });
    const web = await w.given.project("web");
    await w.given.project("shop");
    const old = await w.given.project("old");
    await w.given.archived(old);
    const params = web.path;
    const rename = async (name: string, headers = {}) =>
      await w.refused(renameProject, { params, body: { name }, headers });
    expect(await rename("shop")).toMatchObject({ code: "conflict" });
    expect(await rename("old")).toMatchObject({ code: "project_archived", data: { name: "old" } });
    expect(await rename("new", { "if-match": '"rev-2"' })).toMatchObject({
      code: "revision_conflict",
      message: "project revision is 1",
    });
    expect(await rename("new", { "if-match": "*" })).toMatchObject({ code: "validation" });
    expect(await w.refused(initProject, { body: { name: "old" } })).toMatchObject({
      code: "project_archived",
      data: { name: "old" },
    });
  });

  test("an archived project is shown but cannot be renamed, and a missing one is neither shown nor renamed", async () => {
    const w = await world({ store: open });
    const old = await w.given.project("old");
    await w.given.archived(old);
    expect((await w.call(showProject, { params: old.path })).project.name).toBe("old");
    const params = { project_id: 99 };
    expect((await w.refused(showProject, { params })).code).toBe("project_not_found");
    for (const path of [old.path, params]) {
      const refused = await w.refused(renameProject, { params: path, body: { name: "new" } });
      expect(refused.code).toBe("project_not_found");
    }
  });
});
