import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { AGENTS_BEGIN, AGENTS_END } from "../../src/cli/agent-files/guide.ts";
import { LOCAL_HOST } from "../../src/client/host.ts";
import { cliWorld, projectWorld, runCommand } from "./harness.ts";

type World = Awaited<ReturnType<typeof cliWorld>>;

/** Makes the folder look like the work tree of a repository, without running git. */
function repository({ work }: World, remote?: string): void {
  mkdirSync(join(work, ".git"));
  writeFileSync(join(work, ".git", "HEAD"), "ref: refs/heads/main\n");
  const origin = remote === undefined ? "" : `[remote "origin"]\n\turl = ${remote}\n`;
  writeFileSync(join(work, ".git", "config"), `[core]\n\tbare = false\n${origin}`);
}

const textOf = ({ work }: World, name: string): string => readFileSync(join(work, name), "utf8");

describe("the init command", () => {
  test("binds the folder to a project with the folder's name, and changes nothing the second time", async () => {
    const w = await cliWorld();
    expect(await w.ok(["init"])).toBe("created and bound project web\n");
    expect(textOf(w, ".svc.toml")).toBe('version = 1\n\n[project]\nname = "web"\n');
    expect(w.has(".gitignore")).toBe(false);
    expect(await w.ok(["init"])).toBe("bound project web\n");
    expect(await w.ok(["init", "--agent"])).toBe(
      `OK init project=web workspace=${w.work} changed=false\n`,
    );
    expect(JSON.parse(await w.ok(["init", "--json"]))).toMatchObject({
      project: { name: "web" },
      created: false,
    });
  });

  test("names a repository's project after its remote, writes .svc.toml at its root, and lets git ignore .svc.local.toml", async () => {
    const w = await cliWorld();
    repository(w, "git@example.org:team/shop.git");
    mkdirSync(join(w.work, "deep", "down"), { recursive: true });
    writeFileSync(join(w.work, ".gitignore"), "node_modules");
    const cwd = join(w.work, "deep", "down");
    expect(await w.ok(["init"], { cwd })).toBe("created and bound project shop\n");
    expect(textOf(w, ".svc.toml")).toContain('name = "shop"');
    expect(textOf(w, ".gitignore")).toBe("node_modules\n.svc.local.toml\n");
    await w.ok(["init"], { cwd });
    expect(textOf(w, ".gitignore")).toBe("node_modules\n.svc.local.toml\n");
    expect(await w.ok(["projects", "show"])).toContain("example.org/team/shop (git)");
  });

  test("gives a clone the project of its repository, even if the project was renamed", async () => {
    const w = await cliWorld();
    repository(w, "https://example.org/team/shop");
    await w.ok(["init", "-q"]);
    await w.ok(["projects", "rename", "shop", "store", "--workspace", w.home]);
    const clone = join(w.home, "..", "clone");
    mkdirSync(clone);
    repository({ ...w, work: clone }, "git@example.org:team/shop.git");
    expect(await w.ok(["init"], { cwd: clone })).toBe("bound project store\n");
  });

  test("does not write the project of SVC_PROJECT into .svc.toml, and warns that the variable takes precedence", async () => {
    const w = await cliWorld();
    const env = { SVC_PROJECT: "shop" };
    const bound = await w.run(["init"], { env });
    expect(bound).toMatchObject({ out: "created and bound project web\n", code: 0 });
    expect(bound.err).toBe(
      "svc: warning: SVC_PROJECT names the project shop, which commands of this shell use instead; unset it to use web\n",
    );
    expect(textOf(w, ".svc.toml")).toContain('name = "web"');
    expect((await w.run(["init"], { env: { SVC_PROJECT: "web" } })).err).toBe("");
    expect((await w.run(["init", "--project", "web", "-q"], { env })).err).toBe("");
  });

  test("does not rebind a bound workspace to another project without --replace", async () => {
    const w = await projectWorld();
    const { err, code } = await w.refused(["init", "--project", "other"]);
    expect(err).toBe(
      "svc: .svc.toml binds this workspace to web\nhint: --replace binds it to other\n",
    );
    expect(code).toBe(5);
    expect(textOf(w, ".svc.toml")).toContain('"web"');
    await w.ok(["init", "--project", "other", "--replace"]);
    expect(textOf(w, ".svc.toml")).toContain('"other"');
  });

  test("says in one message that both the workspace and its repository must be reassigned", async () => {
    const w = await cliWorld();
    repository(w, "https://example.org/team/shop");
    await w.ok(["init", "-q"]);
    const { err, code } = await w.refused(["init", "--project", "other"]);
    expect(err).toBe(
      "svc: .svc.toml binds this workspace to shop, and its repository belongs to shop\n" +
        "hint: --replace --reassign binds it to other\n",
    );
    expect(code).toBe(5);
    expect(textOf(w, ".svc.toml")).toContain('"shop"');
    await w.ok(["init", "--project", "other", "--replace", "--reassign"]);
    expect(textOf(w, ".svc.toml")).toContain('"other"');
  });

  test("does not join an unrelated project of the same name, and names both projects in every form of output", async () => {
    const w = await cliWorld();
    repository(w, "https://example.org/play/api");
    await w.ok(["init"]);
    for (const [at, mode] of [[], ["--agent"], ["--json"], ["-q"]].entries()) {
      const work = join(w.home, "..", `clone-${at}`);
      mkdirSync(work);
      repository({ ...w, work }, `https://example.org/work-${at}/api.git`);
      const { out, err } = await w.run(["init", ...mode], { cwd: work });
      expect(err).toBe(
        `svc: the project api belongs to example.org/play/api, so this is the new project work-${at}-api; if it is the same and only its folder was moved: svc init --project api --replace --reassign\n`,
      );
      expect(textOf({ ...w, work }, ".svc.toml")).toContain(`name = "work-${at}-api"`);
      if (mode[0] === "--agent") expect(out).toContain(" changed=true namesake=api\n");
      if (mode[0] === "--json")
        expect(JSON.parse(out)).toMatchObject({ namesake: { name: "api" } });
      expect(await w.ok(["init"], { cwd: work })).toBe(`bound project work-${at}-api\n`);
      expect(await w.ok(["ready", "-q"], { cwd: work })).toBe("");
    }
  });

  test("outside a repository does not join an unrelated project on another machine's daemon", async () => {
    const w = await cliWorld();
    const { endpoint } = w.daemon;
    const socketPath = endpoint.network === "unix" ? endpoint.address : "";
    const server = createServer((from, to) => {
      const headers = { ...from.headers, host: LOCAL_HOST };
      const on = { socketPath, method: from.method, path: from.url, headers };
      from.pipe(
        request(on, (answer) => answer.pipe(to.writeHead(answer.statusCode ?? 0, answer.headers))),
      );
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const env = { SVC_SERVER: `http://127.0.0.1:${port}` };
    await w.ok(["init"]);
    const other = join(w.home, "..", "other", "web");
    mkdirSync(other, { recursive: true });
    const first = await w.run(["init"], { cwd: other, env });
    expect(first.out).toBe("created and bound project other-web\n");
    expect(first.err).toContain("svc: the project web belongs to local://");
    expect(await w.ok(["init"], { cwd: other, env })).toBe("bound project other-web\n");
  });

  test("makes a new project for a moved folder, and prints the command that joins the folder to its old project", async () => {
    const w = await cliWorld();
    await w.ok(["init"]);
    await w.ok(["create", "from before"]);
    const moved = join(w.home, "..", "moved", "web");
    mkdirSync(moved, { recursive: true });
    const { out, err } = await w.run(["init"], { cwd: moved });
    expect(out).toBe("created and bound project moved-web\n");
    const [, line = ""] = /moved: svc (.+)\n$/.exec(err) ?? [];
    const again = await w.run(line.split(" "), { cwd: moved });
    expect(again).toMatchObject({ out: "bound project web\n", code: 0 });
    expect(again.err).toContain("svc: this joins the project web of local://");
    expect(await w.ok(["list", "--agent"], { cwd: moved })).toContain("from before");
  });

  test("joins the project that the committed .svc.toml names, and reports it the first time", async () => {
    const w = await cliWorld();
    repository(w, "https://example.org/play/api");
    await w.ok(["init"]);
    const fork = join(w.home, "..", "fork");
    mkdirSync(fork);
    repository({ ...w, work: fork }, "https://example.org/fork/api");
    writeFileSync(join(fork, ".svc.toml"), 'version = 1\n\n[project]\nname = "api"\n');
    const first = await w.run(["init"], { cwd: fork });
    expect(first.out).toBe("bound project api\n");
    expect(first.err).toBe(
      "svc: this joins the project api of example.org/play/api; to bind another project: svc init --project <name> --replace --reassign\n",
    );
    expect(await w.ok(["init"], { cwd: fork })).toBe("bound project api\n");
  });

  test("creates the project that the committed .svc.toml names", async () => {
    const w = await cliWorld();
    writeFileSync(join(w.work, ".svc.toml"), 'version = 1\n\n[project]\nname = "agreed"\n');
    expect(await w.ok(["init"])).toBe("created and bound project agreed\n");
  });
});

describe("init --with-agents", () => {
  test("creates AGENTS.md, and later updates its own block and leaves the rest unchanged", async () => {
    const w = await cliWorld();
    const made = await w.run(["init", "--with-agents"]);
    expect(made.err).toBe("svc: AGENTS.md tells agents about svc\n");
    const block = textOf(w, "AGENTS.md");
    expect(block.startsWith(AGENTS_BEGIN)).toBe(true);
    writeFileSync(
      join(w.work, "AGENTS.md"),
      `# Ours\n\n${AGENTS_BEGIN}\nold\n${AGENTS_END}\n\nmore of ours\n`,
    );
    await w.run(["init", "--with-agents"]);
    expect(textOf(w, "AGENTS.md")).toBe(`# Ours\n\n${block.trimEnd()}\n\nmore of ours\n`);
    expect((await w.run(["init", "--with-agents"])).err).toBe("");
  });

  test("adds its block to an existing file, also if another file is a link to it", async () => {
    const w = await cliWorld();
    writeFileSync(join(w.work, "CLAUDE.md"), "Ours.\n");
    symlinkSync("CLAUDE.md", join(w.work, "AGENTS.md"));
    await w.run(["init", "--with-agents"]);
    expect(textOf(w, "CLAUDE.md")).toMatch(/^Ours\.\n\n<!-- svc:begin -->\n/);
    expect(w.has("GEMINI.md")).toBe(false);
  });

  test("refuses a link to a file outside the workspace, and changes nothing", async () => {
    const w = await cliWorld();
    const outside = join(w.home, "outside.md");
    writeFileSync(outside, "not ours");
    symlinkSync(outside, join(w.work, "AGENTS.md"));
    const { err, code } = await w.refused(["init", "--with-agents"]);
    expect(err).toContain("AGENTS.md is a symbolic link");
    expect(code).toBe(3);
    expect(readFileSync(outside, "utf8")).toBe("not ours");
    expect(w.has(".svc.toml")).toBe(false);
    expect(await w.ok(["projects", "list", "-q"])).toBe("");
  });
});

describe("projects", () => {
  test("are listed, shown, created and renamed", async () => {
    const w = await projectWorld();
    expect(await w.ok(["projects", "create", "errands"])).toBe("created project #2 (errands)\n");
    expect(await w.ok(["projects", "create", "errands"])).toBe(
      "project #2 (errands) exists already\n",
    );
    expect(await w.ok(["projects", "create", "third", "--agent"])).toBe(
      "OK project id=3 name=third created=true\n",
    );
    expect(await w.ok(["projects", "list"])).toBe("1  web\n2  errands\n3  third\n");
    const shown = (await w.ok(["projects", "show"])).replaceAll(/[0-9A-Z]{26}/g, "UID");
    expect(shown).toBe(`web\nid      1\nuid     UID\nalias   local://${w.work} (local)\n`);
    await w.ok(["create", "an errand", "--project", "errands"]);
    const listed = (await w.ok(["projects", "list", "--agent"])).replaceAll(/[0-9A-Z]{26}/g, "UID");
    expect(listed).toBe(
      "OK projects count=3\n- id=1 name=web uid=UID open=0 closed=0\n- id=2 name=errands uid=UID open=1 closed=0\n- id=3 name=third uid=UID open=0 closed=0\n",
    );
    expect(await w.ok(["projects", "rename", "errands", "chores"])).toBe(
      "project renamed to chores\n",
    );
    expect(await w.ok(["projects", "rename", "chores", "chores"])).toBe(
      "project is called chores\n",
    );
    expect((await w.refused(["projects", "rename", "chores", "web"])).code).toBe(5);
    expect((await w.refused(["projects", "create", "a#b"])).code).toBe(3);
  });

  test("keep their workspace when they are renamed in it", async () => {
    const w = await projectWorld();
    await w.ok(["projects", "rename", "web", "shop"]);
    expect(textOf(w, ".svc.toml")).toContain('name = "shop"');
    expect(await w.ok(["create", "still here"])).toContain("still here");
  });

  test("are found by id, name, repository or the last part of it, and an ambiguous text is refused", async () => {
    const w = await cliWorld();
    repository(w, "https://example.org/team/shop");
    await w.ok(["init", "-q", "--project", "store"]);
    for (const selector of ["1", "store", "example.org/team/shop", "shop"]) {
      expect(await w.ok(["projects", "show", selector])).toMatch(/^store\n/);
    }
    await w.ok(["projects", "create", "1"]);
    const { err, code } = await w.refused(["projects", "show", "1"]);
    expect(err).toBe('svc: "1" fits several projects: store (1), 1 (2)\nhint: use the id\n');
    expect(code).toBe(3);
    expect((await w.refused(["projects", "show", "nothing"])).code).toBe(4);
  });
});

test("--project and --workspace choose a project for a single command", async () => {
  const w = await projectWorld();
  await w.ok(["projects", "create", "errands"]);
  await w.ok(["create", "an errand", "--project", "errands"]);
  expect(await w.ok(["list", "--agent"])).toBe("OK list count=0\n");
  expect(await w.ok(["list", "--agent", "--project", "errands"])).toContain("an errand");
  expect(await w.ok(["list", "--agent", "--workspace", "web"], { cwd: join(w.work, "..") })).toBe(
    "OK list count=0\n",
  );
  const lost = await w.refused(["list"], { cwd: join(w.work, "..") });
  expect(lost).toEqual({
    err: "svc: this folder belongs to no project\nhint: run svc init here\n",
    code: 4,
  });
});

test.each(["missing", "file"])(
  "--workspace with a path that is no folder (%s) is refused",
  async (name) => {
    const w = await projectWorld();
    writeFileSync(join(w.work, "file"), "");
    for (const words of [["list"], ["list", "--json"], ["create", "x"], ["whoami"]]) {
      const { code, err } = await w.refused([...words, "--workspace", name]);
      expect(code).toBe(3);
      expect(err).toContain(`--workspace names no folder: ${join(w.work, name)}`);
    }
  },
);

test("--json escapes control characters and direction marks, in answers and errors", async () => {
  const w = await projectWorld();
  const title = "a\u009b31mb\u202ec\u2066d";
  const id = await w.issue(title);
  for (const words of [["show", id], ["list"], ["events"]]) {
    const out = await w.ok([...words, "--json"]);
    expect(out).toContain(String.raw`a\u009b31mb\u202ec\u2066d`);
    expect(out).not.toMatch(/[\u0080-\u009f\u202a-\u202e\u2066-\u2069]/);
  }
  expect(JSON.parse(await w.ok(["show", id, "--json"]))).toMatchObject({ issue: { title } });
  const { err } = await w.refused(["show", "x\u202ey", "--json"]);
  expect(err).toContain(String.raw`x\u202ey`);
  expect(err).not.toContain("\u202e");
});

test.each([
  ["a project", ["init", "--project", "\u200b\u2060"]],
  ["a title", ["create", "\u3164"]],
  ["an actor", ["create", "x", "--as", "\u200b"]],
  ["an owner", ["create", "x", "--owner", "\u2800"]],
])("%s with only invisible characters is refused", async (_name, words) => {
  const w = await projectWorld();
  const { code, err } = await w.refused(words, {
    cwd: words[0] === "init" ? w.home : w.work,
  });
  expect([code, err]).toEqual([3, expect.stringContaining("must not be blank")]);
});

describe("the acting name", () => {
  test.each([
    [["--as", "bea"], { SVC_AUTHOR: "cho" }, "actor=bea source=flag"],
    [["--as", " "], { SVC_AUTHOR: "cho" }, "actor=cho source=env"],
    [[], { SVC_AUTHOR: "cho" }, "actor=cho source=env"],
    [[], { SVC_AUTHOR: "" }, "actor=ann source=user"],
    [[], { SVC_AUTHOR: " \t" }, "actor=ann source=user"],
    [[], {}, "actor=ann source=user"],
  ])("is chosen from the flags %j and the environment %j", async (flags, env, told) => {
    const w = await cliWorld();
    await w.daemon.stop();
    expect(await w.ok(["whoami", ...flags], { env })).toBe(`${told}\n`);
  });

  test("is the one that changes are attributed to", async () => {
    const w = await projectWorld();
    const id = await w.issue("a", "--as", "bea");
    expect(await w.ok(["show", id])).toContain("by bea");
    expect(await w.ok(["whoami", "--as", "a b", "--agent"])).toBe(
      'OK whoami actor="a b" source=flag\n',
    );
    expect(JSON.parse(await w.ok(["whoami", "--json"]))).toEqual({
      svc_api_version: 1,
      actor: "ann",
      source: "user",
    });
  });
});

describe("commands without a daemon", () => {
  test("quickstart works without a daemon", async () => {
    const human = (await runCommand(["quickstart"])).out;
    expect(human).toContain("svc close <ref> --done");
    expect((await runCommand(["quickstart", "--agent"])).out).toBe(
      `OK quickstart agent_format=1\n${human}`,
    );
    expect(JSON.parse((await runCommand(["quickstart", "--json"])).out).text).toBe(human.trimEnd());
    const contract = (await runCommand(["quickstart", "--format", "contract"])).out;
    expect(contract).toContain("Exit codes");
    expect((await runCommand(["quickstart", "--format", "contract", "--json"])).code).toBe(2);
  });

  test("version works without a daemon", async () => {
    expect((await runCommand(["version", "--agent"])).out).toBe(
      "OK version version=1.2.3 agent_format=1\n",
    );
    expect(JSON.parse((await runCommand(["version", "--json"])).out)).toMatchObject({
      svc_api_version: 1,
      name: "svc",
      version: "1.2.3",
      node: process.version,
    });
    expect((await runCommand(["version"])).out).toContain("svc 1.2.3 (Node v");
  });
});

test("svc health prints the answer of a running daemon in the form of each mode", async () => {
  const w = await cliWorld();
  expect(await w.ok(["health"])).toMatch(/^ok=true schema_version=\d+ uptime=\S+s db=.*svc\.db\n$/);
  expect(await w.ok(["health", "--agent"])).toBe("OK health ok=true daemon=running\n");
  expect(JSON.parse(await w.ok(["health", "--json"]))).toMatchObject({
    svc_api_version: 1,
    ok: true,
  });
});
