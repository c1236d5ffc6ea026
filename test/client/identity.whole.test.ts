import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { whoActs } from "../../src/client/actor.ts";
import { findRemotes } from "../../src/client/git-config.ts";
import { identityAround } from "../../src/client/identity.ts";
import { projectNameOf, readRemote } from "../../src/client/remote-url.ts";
import { loadConfig } from "../../src/config/load.ts";
import { readRef } from "../../src/shared/ref.ts";
import { folderWith } from "../config/folder.ts";
import { throws } from "../config/refusal.ts";
import { Repositories } from "./repository.ts";

describe("a repository has one identity, however its URL is written", () => {
  test.each([
    ["https://github.com/acme/tools.git", "github.com/acme/tools"],
    ["https://github.com/acme/tools", "github.com/acme/tools"],
    ["https://github.com/acme/tools/", "github.com/acme/tools"],
    ["https://ann:hunter2@GitHub.com/acme/tools.git", "github.com/acme/tools"],
    ["https://hunter2@github.com:443/acme/tools.git", "github.com/acme/tools"],
    ["http://github.com:80/acme/tools.git", "github.com/acme/tools"],
    ["git@github.com:acme/tools.git", "github.com/acme/tools"],
    ["github.com:acme/tools.git", "github.com/acme/tools"],
    ["git@github.com:/acme/tools.git", "github.com/acme/tools"],
    ["ssh://git@github.com/acme/tools.git", "github.com/acme/tools"],
    ["ssh://git@github.com:2222/acme/tools.git", "github.com/acme/tools"],
    ["git://github.com:9418/acme/tools", "github.com/acme/tools"],
    ["git+ssh://git@github.com/acme//tools.git", "github.com/acme/tools"],
    ["https://github.com/acme/Tools.git", "github.com/acme/Tools"],
    ["https://forge.lan:3000/acme/tools.git", "forge.lan:3000/acme/tools"],
    ["ssh://git@[::1]:22/acme/tools.git", "[::1]/acme/tools"],
    ["https://github.com/acme/tools?ref=x#y", "github.com/acme/tools"],
    ["https://gitlab.com/a/b/c/d.git", "gitlab.com/a/b/c/d"],
  ])("the URL %s gives the identity of its repository", (url, identity) => {
    expect(readRemote(url, "/repo")).toEqual({ kind: "git", identity });
  });

  test.each([
    ["/srv/tools", "/srv/tools"],
    ["/srv/tools/.git", "/srv/tools"],
    ["/srv/tools.git", "/srv/tools.git"],
    ["../tools", "/tools"],
    ["./a:b", "/repo/a:b"],
    ["file:///srv/my%20tools", "/srv/my tools"],
    ["file://localhost/srv/tools/.git", "/srv/tools"],
  ])("the remote %s is the folder %s on this machine", (url, path) => {
    expect(readRemote(url, "/repo")).toEqual({ kind: "local", path });
  });

  test.each([
    ["github.com/acme/tools", "tools"],
    ["local:///home/ann/my tools", "my tools"],
    ["local:///srv/tools.git", "tools"],
    ["host:3000/x", "x"],
  ])("the identity %s gives the project name %s", (identity, name) => {
    expect(projectNameOf(identity)).toBe(name);
  });
});

describe("remotes of a git configuration", () => {
  test.each([
    [
      '[remote "origin"]\n\turl = git@x:a/b\n\tfetch = +refs\n',
      [{ name: "origin", url: "git@x:a/b" }],
    ],
    [
      '[core]\n\turl = no\n[remote "b"]\nurl=1\nurl=2\n[remote "a"]\nURL = 3 # why\n',
      [
        { name: "b", url: "1" },
        { name: "a", url: "3" },
      ],
    ],
    ['[remote "q\\"x"] url = "a b;c" ; note\n', [{ name: 'q"x', url: "a b;c" }]],
    ["[remote.old]\r\n\turl = x\r\n", [{ name: "old", url: "x" }]],
    ['[remotes "x"]\nurl = y\n[branch "remote"]\nurl = z\n', []],
    ["", []],
  ])("are read from %j", (text, remotes) => expect(findRemotes(text)).toEqual(remotes));
});

describe("the identity of a work tree", () => {
  test("is that of origin, or else of the first remote, or else its own folder", async () => {
    const repositories = new Repositories();
    const { env } = repositories;
    const both = repositories.create("both", {
      mirror: "git@m.example:x/y.git",
      origin: "https://o.example/a/b.git",
    });
    expect(await identityAround(both, env)).toEqual({
      identity: "o.example/a/b",
      kind: "git",
      root_path: both,
    });
    const mirror = repositories.create("mirror", {
      second: "git@m.example:x/y.git",
      third: "git@n.example:x/y.git",
    });
    expect(await identityAround(mirror, env)).toMatchObject({
      identity: "m.example/x/y",
      kind: "git",
    });
    const alone = repositories.create("alone");
    expect(await identityAround(alone, env)).toMatchObject({
      identity: `local://${alone}`,
      kind: "local",
    });
    expect(await identityAround(repositories.root, env)).toBeUndefined();
  });

  test("is the same in its subfolders, its linked work trees and its clones", async () => {
    const repositories = new Repositories();
    const { env } = repositories;
    for (const [name, remotes] of [
      ["far", { origin: "git@h.example:a/b.git" }],
      ["near", {}],
    ] as const) {
      const main = repositories.create(name, remotes);
      const expected = (await identityAround(main, env))?.identity;
      repositories.git(
        name,
        "worktree",
        "add",
        "-q",
        repositories.at(`${name}-tree`),
        "-b",
        "side",
      );
      mkdirSync(join(main, "a/b"), { recursive: true });
      repositories.git(".", "clone", "-q", main, repositories.at(`${name}-clone`));
      repositories.git(
        ".",
        "clone",
        "-q",
        repositories.at(`${name}-clone`),
        repositories.at(`${name}-clone2`),
      );
      for (const place of [
        join(main, "a/b"),
        ...["tree", "clone", "clone2"].map((way) => repositories.at(`${name}-${way}`)),
      ]) {
        expect(await identityAround(place, env)).toMatchObject({ identity: expected });
      }
    }
  });

  test("is the same for clones of a bare repository", async () => {
    const repositories = new Repositories();
    const { env } = repositories;
    repositories.git("bare.git", "init", "-q", "--bare");
    for (const [name, url] of [
      ["one", "bare.git"],
      ["two", "bare"],
    ] as const) {
      repositories.create(name, { origin: repositories.at(url) });
      expect(await identityAround(repositories.at(name), env)).toMatchObject({
        identity: `local://${repositories.at("bare.git")}`,
      });
    }
    repositories.git("bare.git", "remote", "add", "origin", "git@h.example:a/b.git");
    expect(await identityAround(repositories.at("one"), env)).toMatchObject({
      identity: "h.example/a/b",
    });
  });

  test("a submodule has an identity of its own", async () => {
    const repositories = new Repositories();
    const part = repositories.create("part");
    const whole = repositories.create("whole", { origin: "git@h.example:a/whole.git" });
    repositories.git(
      "whole",
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "--quiet",
      "add",
      part,
      "part",
    );
    expect(await identityAround(join(whole, "part"), repositories.env)).toMatchObject({
      identity: `local://${part}`,
    });
  });

  test("the identity of two folders that clone each other is found without an endless loop", async () => {
    const repositories = new Repositories();
    repositories.create("a", { origin: repositories.at("b") });
    repositories.create("b", { origin: repositories.at("a") });
    expect(await identityAround(repositories.at("a"), repositories.env)).toMatchObject({
      kind: "local",
    });
  });

  test("follows insteadOf and includes, as git does", async () => {
    const repositories = new Repositories();
    const { env } = repositories;
    const short = repositories.create("short", { origin: "gh:acme/tools" });
    expect(await identityAround(short, env)).toMatchObject({ identity: "gh/acme/tools" });
    appendFileSync(
      repositories.at("home/.gitconfig"),
      '[url "https://github.com/"]\n\tinsteadOf = gh:\n',
    );
    expect(await identityAround(short, env)).toMatchObject({ identity: "github.com/acme/tools" });

    const including = repositories.create("including");
    writeFileSync(repositories.at("extra"), '[remote "origin"]\n\turl = gh:acme/other\n');
    appendFileSync(
      join(including, ".git/config"),
      `[include]\n\tpath = ${repositories.at("extra")}\n`,
    );
    expect(await identityAround(including, env)).toMatchObject({
      identity: "github.com/acme/other",
    });
  });

  test("the identity of a work tree whose git folder is gone is its own folder", async () => {
    const repositories = new Repositories();
    const main = repositories.create("main");
    const tree = repositories.at("tree");
    repositories.git("main", "worktree", "add", "-q", tree, "-b", "side");
    rmSync(join(main, ".git"), { recursive: true });
    expect(await identityAround(tree, repositories.env)).toMatchObject({ kind: "local" });
  });
});

describe("the name of the acting user", () => {
  test.each([
    ["the flag", " ann ", { SVC_AUTHOR: "bea", USER: "carl" }, { actor: "ann", source: "flag" }],
    ["SVC_AUTHOR", undefined, { SVC_AUTHOR: "bea", USER: "carl" }, { actor: "bea", source: "env" }],
    [
      "SVC_AUTHOR where the flag is blank",
      " ",
      { SVC_AUTHOR: "bea", USER: "carl" },
      { actor: "bea", source: "env" },
    ],
    ["USER", undefined, { SVC_AUTHOR: "", USER: "carl" }, { actor: "carl", source: "user" }],
  ])("is taken from %s", async (_name, flag, env, expected) => {
    const config = await loadConfig({ env: { SVC_HOME: folderWith(), ...env }, cwd: "/" });
    expect(await whoActs(config, flag, "/")).toEqual(expected);
  });

  test("is git's user.name in the folder if no flag or variable names one, and anonymous if git has none", async () => {
    const repositories = new Repositories();
    const named = repositories.create("named");
    repositories.git("named", "config", "user.name", "Local Person");
    const config = await loadConfig({ env: { SVC_HOME: folderWith() }, cwd: "/" });
    expect(await whoActs(config, undefined, named)).toEqual({
      actor: "Local Person",
      source: "git",
    });
    repositories.git("named", "config", "user.name", " ");
    expect(await whoActs(config, "", named)).toEqual({ actor: "anonymous", source: "fallback" });
  });
});

describe("a typed reference to an issue", () => {
  const uid = "01M7Y8X2V2HDE9TMW24B1830X3";

  test.each([
    ["abc4", { project: undefined, ref: "abc4" }],
    ["ABC4", { project: undefined, ref: "abc4" }],
    ["tools#abc4", { project: "tools", ref: "abc4" }],
    ["a#b#abc4", { project: "a#b", ref: "abc4" }],
    ["tools#1234", { project: "tools", ref: "1234" }],
    ["x7", { project: undefined, ref: "x7" }],
    ["bd-077e.1", { project: undefined, ref: "bd-077e.1" }],
    ["#12", { project: undefined, ref: "#12" }],
    ["0B7D9C1E", { project: undefined, ref: "0b7d9c1e" }],
    ["tools#PROJ-12", { project: "tools", ref: "PROJ-12" }],
    [uid, { project: undefined, ref: uid }],
    [uid.toLowerCase(), { project: undefined, ref: uid }],
    [`tools#${uid}`, { project: "tools", ref: uid }],
    // Eight digits may begin the UUID of an imported task.
    ["12345678", { project: undefined, ref: "12345678" }],
    ["02345678", { project: undefined, ref: "02345678" }],
  ])("%s is accepted", (text, expected) => expect(readRef(text)).toEqual(expected));

  test.each([
    "5",
    "1234",
    "1234567",
    "123456789",
    "",
    "#abc4",
    " #abc4",
    "tools#",
    "abc 4",
    "abc4!",
    "01M7Y8X2",
    `${uid}0`,
    "-5",
    "é",
  ])("%j is refused", (text) => {
    expect(throws(() => readRef(text))).toBe(true);
  });
});
