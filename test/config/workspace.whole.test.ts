import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatWorkspaceFile,
  readWorkspace,
  writeWorkspaceFile,
} from "../../src/config/workspace.ts";
import { folderWith } from "./folder.ts";

const named = (name: string): string => formatWorkspaceFile(name);
const server = (url: string): string => `version = 1\n[server]\nurl = "${url}"\n`;

const ENV = { PATH: process.env["PATH"] ?? "" };

describe("the nearest .svc.toml names the project", () => {
  test("the nearest .svc.toml of all folders upwards names the project", async () => {
    const root = folderWith({
      ".svc.toml": named("outer"),
      "a/.svc.toml": named("inner"),
      "a/b/c/x": "",
      "d/x": "",
    });
    expect((await readWorkspace(join(root, "a/b/c"), ENV)).file).toEqual({
      path: join(root, "a/.svc.toml"),
      root: join(root, "a"),
      project: "inner",
    });
    expect((await readWorkspace(join(root, "d"), ENV)).file?.project).toBe("outer");
  });

  test.each([
    ['version = 1\n[project]\nname = "plain"\n', "plain"],
    ['version = 1 # first\nproject = { name = "inline" }\n', "inline"],
    ['version=1\nproject.name = "dotted"', "dotted"],
    ['version = 1\r\n\r\n[project]\r\nname = "windows"\r\n', "windows"],
    ['version = 1\n\n[project]\nname = "esc \\u00e9"\n', "esc é"],
  ])("a .svc.toml with the text %j names the project", async (text, project) => {
    const root = folderWith({ ".svc.toml": text });
    expect((await readWorkspace(root, ENV)).file?.project).toBe(project);
  });

  test.each([
    ["version = 2\n[project]\nname = 'x'", "version other than 1"],
    ["version = '1'\n[project]\nname = 'x'", "version other than 1"],
    ["[project]\nname = 'x'", "version = 1"],
    ["version = 1", "no project"],
    ["version = 1\n[project]", "no project"],
    ["version = 1\n[project]\nname = ''", "text"],
    ["version = 1\n[project]\nname = 5", "text"],
    ["version = 1\n[project]\nname = 'x'\ncolour = 'red'", '"project.colour"'],
    ["version = 1\n[project]\nname = 'x'\n[server]\nurl = 'https://x'", '"server.url"'],
    ["version =", "line 1"],
    ["", "version = 1"],
  ])("a .svc.toml with the text %j is refused", async (text, word) => {
    await expect(readWorkspace(folderWith({ ".svc.toml": text }), ENV)).rejects.toMatchObject({
      code: "validation",
      message: expect.stringContaining(word) as string,
    });
  });

  test("any project name that is written to .svc.toml is read back", async () => {
    const root = folderWith();
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", minLength: 1 }).filter((name) => name.trim() !== ""),
        async (name) => {
          writeWorkspaceFile(root, name);
          expect((await readWorkspace(root, ENV)).file?.project).toBe(name);
        },
      ),
    );
  });

  test("a .svc.toml is replaced whole, and contains only its version and the name of the project", () => {
    const root = folderWith({ ".svc.toml": named("old") });
    const path = writeWorkspaceFile(root, "new");
    expect(readFileSync(path, "utf8")).toBe('version = 1\n\n[project]\nname = "new"\n');
    expect(readdirSync(root)).toEqual([".svc.toml"]);
  });
});

describe("the file .svc.local.toml", () => {
  test("names another project and a server for its folder and the folders below", async () => {
    const root = folderWith({
      ".svc.toml": named("shared"),
      "a/.svc.local.toml": `version = 1\n[project]\nname = "mine"\n[server]\nurl = "https://x.example"\nallow_insecure = true\n`,
      "a/b/x": "",
    });
    expect(await readWorkspace(join(root, "a/b"), ENV)).toMatchObject({
      file: { project: "shared" },
      overlay: "mine",
      server: { origin: { text: "https://x.example" }, allowInsecure: true },
      warnings: [],
    });
    expect(await readWorkspace(root, ENV)).toMatchObject({ overlay: undefined, server: undefined });
  });

  test.each([
    [
      "beside .svc.toml",
      { ".svc.toml": named("x"), ".svc.local.toml": server("https://x.example"), "a/x": "" },
      true,
    ],
    [
      "beside .git",
      { ".git/HEAD": "", ".svc.local.toml": server("https://x.example"), "a/x": "" },
      true,
    ],
    ["below .git", { ".git/HEAD": "", "a/.svc.local.toml": server("https://x.example") }, true],
    [
      "above .svc.toml",
      { ".svc.local.toml": server("https://x.example"), "a/.svc.toml": named("x") },
      false,
    ],
    [
      "above .git",
      { ".svc.local.toml": server("https://x.example"), "a/.git": "gitdir: /nowhere" },
      false,
    ],
    [
      "where there is neither",
      { ".svc.local.toml": server("https://x.example"), "a/x": "" },
      false,
    ],
  ])("is used if it lies %s: %s", async (_where, files, counts) => {
    const { server: found } = await readWorkspace(join(folderWith(files), "a"), ENV);
    expect(found?.origin.text).toBe(counts ? "https://x.example" : undefined);
  });

  test("is used from the nearest folder", async () => {
    const root = folderWith({
      ".svc.toml": named("x"),
      ".svc.local.toml": server("https://far.example"),
      "a/.svc.local.toml": server("https://near.example"),
    });
    expect((await readWorkspace(join(root, "a"), ENV)).server?.origin.text).toBe(
      "https://near.example",
    );
  });

  test.each([
    ["version = 1\n[server]\nurl = 'https://u:hunter2@x'", "user information"],
    ["version = 1\n[server]\nurl = 5", "text"],
    ["version = 1\n[server]\nurl = 'https://x'\nallow_insecure = 'no'", "allow_insecure"],
    ["version = 1\n[server]\ntoken = 'hunter2'", '"server.token"'],
    ["version = 3", "version other than 1"],
  ])("with the text %j is refused, and the error repeats no secret", async (text, word) => {
    const root = folderWith({ ".svc.toml": named("x"), ".svc.local.toml": text });
    await expect(readWorkspace(root, ENV)).rejects.toMatchObject({
      message: expect.stringContaining(word) as string,
    });
    await expect(readWorkspace(root, ENV)).rejects.not.toMatchObject({
      message: expect.stringContaining("hunter2") as string,
    });
  });

  test.each(["2", "4"])(
    "a .svc.local.toml that git tracks gives no server (git index of version %s)",
    async (version) => {
      const root = folderWith({ ".svc.local.toml": server("https://evil.example"), "a/x": "" });
      git(root, "init", "-q");
      git(root, "config", "index.version", version);
      git(root, "add", "a/x");
      expect((await readWorkspace(root, ENV)).server?.origin.text).toBe("https://evil.example");
      git(root, "add", "-f", ".svc.local.toml");
      const { server: found, warnings } = await readWorkspace(join(root, "a"), ENV);
      expect(found).toBeUndefined();
      expect(warnings).toEqual([expect.stringContaining("tracked by git")]);
      git(root, "rm", "-q", "--cached", ".svc.local.toml");
      expect((await readWorkspace(root, ENV)).server?.origin.text).toBe("https://evil.example");
    },
  );

  test("is not confused with a file of a similar name that git tracks", async () => {
    const root = folderWith({
      ".svc.local.toml": server("https://x.example"),
      ".svc.local.toml.example": "",
    });
    git(root, "init", "-q");
    git(root, "add", ".svc.local.toml.example");
    expect((await readWorkspace(root, ENV)).server?.origin.text).toBe("https://x.example");
  });

  test("causes only a warning if it cannot be read", async () => {
    const root = folderWith({ ".svc.toml": named("x"), ".svc.local.toml/x": "" });
    const workspace = await readWorkspace(root, ENV);
    expect(workspace.file?.project).toBe("x");
    expect(workspace.warnings).toEqual([expect.stringContaining("cannot be read")]);
  });
});

test("a program that the repository's own git configuration names is not run", async () => {
  const root = folderWith({
    ".svc.local.toml": server("https://evil.example"),
    ".svc.local.toml.example": "",
    "monitor.sh": '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n',
  });
  const program = join(root, "monitor.sh");
  chmodSync(program, 0o755);
  git(root, "init", "-q");
  git(root, "add", ".svc.local.toml.example");
  git(root, "config", "core.fsmonitor", program);
  // The name is in the index only as a part of another name, so git itself is asked.
  await readWorkspace(root, ENV);
  expect(existsSync(join(root, "ran"))).toBe(false);
  git(root, "status");
  expect(existsSync(join(root, "ran"))).toBe(true);
});

test("a .svc.toml that cannot be replaced is named in the error", () => {
  const root = folderWith({ ".svc.toml/x": "" });
  expect(() => writeWorkspaceFile(root, "x")).toThrow(join(root, ".svc.toml"));
});

function git(root: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync("git", ["-C", root, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}
