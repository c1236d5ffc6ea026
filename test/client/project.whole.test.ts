import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { call } from "../../src/client/call.ts";
import { findProject, initPlace } from "../../src/client/project.ts";
import { formatWorkspaceFile, writeWorkspaceFile } from "../../src/config/workspace.ts";
import { initProject, renameProject } from "../../src/contract/projects.ts";
import { folderWith } from "../config/folder.ts";
import { Local } from "./local.ts";
import { Repositories } from "./repository.ts";
import { json, PONG, standIn } from "./stand-in.ts";

/** Makes a daemon with the project `tools`, and a repository that is bound to it. */
async function tools() {
  const repositories = new Repositories();
  const local = new Local(folderWith(), repositories.env);
  await local.daemon();
  const root = repositories.create("repo", { origin: "git@forge.example:acme/tools.git" });
  const client = await local.client(root);
  const alias = { identity: "forge.example/acme/tools", kind: "git" as const };
  const { project } = await call(client, initProject, {
    body: { name: "tools", alias, actor: "ann" },
  });
  const create = async (name: string): Promise<void> => {
    await call(client, initProject, { body: { name, actor: "ann" } });
  };
  const rename = async (name: string): Promise<void> => {
    await call(client, renameProject, {
      params: { project_id: project.id },
      body: { name, actor: "ann" },
    });
  };
  /** Returns the name of the project that a command in the folder finds. */
  const found = async (start: string, name?: string): Promise<string> => {
    const options = name === undefined ? { start } : { start, name };
    return (await findProject(await local.client(start), options)).name;
  };
  return { repositories, root, local, create, rename, found };
}

describe("the project of a command", () => {
  test("is that of --project, whatever the workspace says", async () => {
    const { create, found } = await tools();
    await create("other");
    const bound = folderWith({ ".svc.toml": formatWorkspaceFile("tools") });
    expect(await found(bound, "other")).toBe("other");
    expect(await found(bound)).toBe("tools");
  });

  test("is the one in .svc.local.toml rather than the one in .svc.toml", async () => {
    const { create, found } = await tools();
    await create("mine");
    const overlay = formatWorkspaceFile("mine");
    const bound = folderWith({
      ".svc.toml": formatWorkspaceFile("tools"),
      ".svc.local.toml": overlay,
      "a/x": "",
    });
    expect(await found(join(bound, "a"))).toBe("mine");
  });

  test("is that of the repository, in its work trees and clones too", async () => {
    const { repositories, root, found } = await tools();
    repositories.git("repo", "worktree", "add", "-q", repositories.at("tree"), "-b", "side");
    repositories.git(".", "clone", "-q", root, repositories.at("clone"));
    for (const place of [root, repositories.at("tree"), repositories.at("clone")])
      expect(await found(place)).toBe("tools");
  });

  test("is that of a folder that was bound without git, and of the folders below", async () => {
    const { local, found } = await tools();
    const folder = folderWith({ "a/b/x": "" });
    await call(await local.client(), initProject, {
      body: { start_path: folder, name: "plain", actor: "ann" },
    });
    expect(await found(join(folder, "a/b"))).toBe("plain");
    const link = join(folderWith(), "link");
    symlinkSync(folder, link);
    expect(await found(link)).toBe("plain");
  });

  test.each([
    [
      "of a name",
      undefined,
      { ".svc.toml": formatWorkspaceFile("nowhere") },
      '"nowhere"',
      "svc init",
    ],
    ["of --project", "nowhere", { x: "" }, '"nowhere"', "projects list"],
    ["of a folder", undefined, { x: "" }, "no project", "svc init"],
  ])(
    "is reported as missing, and not created, if there is no project %s",
    async (_of, name, files, message, hint) => {
      const { found } = await tools();
      await expect(found(folderWith(files), name)).rejects.toMatchObject({
        code: "project_not_initialized",
        message: expect.stringContaining(message) as string,
        hint: expect.stringContaining(hint) as string,
      });
    },
  );

  test("is missing in a repository that nobody bound to a project", async () => {
    const { repositories, found } = await tools();
    const stranger = repositories.create("stranger", {
      origin: "git@forge.example:acme/stranger.git",
    });
    await expect(found(stranger)).rejects.toMatchObject({ code: "project_not_initialized" });
  });

  test("is not looked up by the path of a folder if the daemon is on another machine", async () => {
    const server = await standIn(() => json(200, PONG), "tcp");
    const client = await new Local(folderWith()).remoteClient(server);
    await expect(findProject(client, { start: folderWith() })).rejects.toMatchObject({
      code: "project_not_initialized",
    });
    expect(server.requests).toEqual([]);
  });
});

describe("a project that was renamed", () => {
  test("is still found by its repository, and its new name is written to .svc.toml", async () => {
    const { root, rename, found, local } = await tools();
    const file = join(root, ".svc.toml");
    writeWorkspaceFile(root, "tools");
    await rename("toolbox");
    expect(await found(root)).toBe("toolbox");
    expect(readFileSync(file, "utf8")).toBe(formatWorkspaceFile("toolbox"));
    expect((await local.client(root)).workspace.file?.project).toBe("toolbox");
  });

  test("is still found by the folder of its .svc.toml, where the project of a folder above is never used instead", async () => {
    const { local, found } = await tools();
    const outer = folderWith({ "a/.svc.toml": formatWorkspaceFile("gone") });
    const client = await local.client(outer);
    const init = async (start_path: string, name: string) => {
      return await call(client, initProject, { body: { start_path, name, actor: "ann" } });
    };
    await init(outer, "outer");
    const inner = join(outer, "a");
    await expect(found(inner)).rejects.toMatchObject({ code: "project_not_initialized" });
    const { project } = await init(inner, "before");
    writeWorkspaceFile(inner, "before");
    await call(client, renameProject, {
      params: { project_id: project.id },
      body: { name: "after", actor: "ann" },
    });
    expect(await found(inner)).toBe("after");
    expect(readFileSync(join(inner, ".svc.toml"), "utf8")).toBe(formatWorkspaceFile("after"));
  });

  test("is not used for a repository if a .svc.toml above the repository names another or no known project", async () => {
    const { repositories, root, create, found } = await tools();
    await create("outer");
    writeWorkspaceFile(repositories.root, "gone");
    await expect(found(root)).rejects.toMatchObject({ code: "project_not_initialized" });
    expect(readFileSync(repositories.at(".svc.toml"), "utf8")).toBe(formatWorkspaceFile("gone"));
    writeWorkspaceFile(repositories.root, "outer");
    expect(await found(root)).toBe("outer");
  });

  test("is not used if a person has written the name of another project into .svc.toml", async () => {
    const { root, create, found } = await tools();
    await create("other");
    writeWorkspaceFile(root, "other");
    expect(await found(root)).toBe("other");
    expect(readFileSync(join(root, ".svc.toml"), "utf8")).toBe(formatWorkspaceFile("other"));
  });
});

describe("init binds a project to a folder", () => {
  test("init binds the folder of the workspace file, or else the root of the repository, or else the current folder", async () => {
    const { repositories, root, local } = await tools();
    const inRepository = join(root, "a");
    repositories.git("repo/a", "status");
    expect(await initPlace(await local.client(inRepository), inRepository)).toMatchObject({
      root,
      alias: { identity: "forge.example/acme/tools", kind: "git", root_path: root },
      defaultName: "tools",
    });
    const bound = folderWith({ ".svc.toml": formatWorkspaceFile("x"), "a/x": "" });
    expect(await initPlace(await local.client(join(bound, "a")), join(bound, "a"))).toMatchObject({
      root: bound,
      alias: undefined,
    });
    const plain = folderWith();
    expect(await initPlace(await local.client(plain), plain)).toEqual({
      root: plain,
      alias: undefined,
      defaultName: plain.split("/").at(-1),
    });
  });
});
