import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer as httpServer, request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { readFastArgs } from "../../../src/cli/fast-path/args.ts";
import { FAST_COMMANDS } from "../../../src/cli/fast-path/table.ts";
import { parseDsn } from "../../../src/config/dsn.ts";
import { runtimeDir } from "../../../src/config/paths.ts";
import * as issues from "../../../src/contract/issues.ts";
import { JSON_BUDGET_BYTES } from "../../../src/contract/list-budget.ts";
import * as search from "../../../src/contract/search.ts";
import { type Box, box, type Ended } from "../../e2e/box.ts";

const root = join(import.meta.dirname, "..", "..", "..");

interface FlagOfClass {
  readonly type: "boolean" | "option";
  readonly multiple?: boolean;
  readonly options?: readonly string[];
  readonly exclusive?: readonly string[];
}

describe("the table of fast commands", () => {
  const routes = {
    list: issues.listIssues,
    show: issues.showIssue,
    ready: search.readyIssues,
    next: search.readyIssues,
    search: search.searchIssues,
  };

  test.each(Object.entries(FAST_COMMANDS))(
    "gives svc %s the same flags as the command itself",
    async (id, fast) => {
      const { default: command } = await import(
        pathToFileURL(join(root, "commands", `${id}.ts`)).href
      );
      const flags = command.flags as Readonly<Record<string, FlagOfClass>>;
      for (const [name, { takes, values, excludes }] of Object.entries(fast.flags)) {
        const flag = flags[name];
        expect(flag?.type, name).toBe(takes === "nothing" ? "boolean" : "option");
        expect(flag?.multiple ?? false, name).toBe(takes === "texts");
        expect(flag?.options?.toSorted(), name).toEqual(values && Object.keys(values).toSorted());
        // Of two flags that exclude each other, one or both name the other.
        for (const other of flag?.exclusive ?? []) expect(excludes, name).toBe(other);
      }
    },
  );

  test.each(Object.entries(routes))("gives svc %s the path of its API route", (id, route) => {
    expect(`/projects/{project_id}${FAST_COMMANDS[id]?.path}`).toBe(route.path);
    const known = Object.keys(route.query().shape);
    const { flags = {}, defaults = {}, actor } = FAST_COMMANDS[id] ?? {};
    const sent = Object.values(flags).map(({ param }) => param);
    if (actor !== undefined) sent.push(actor.param);
    expect(known).toEqual(expect.arrayContaining([...sent, ...Object.keys(defaults)]));
  });
});

describe("a command line that is parsed without oclif", () => {
  test.each([
    ["list --json", "status=open&limit=200&fields=-body&max_bytes=65536"],
    ["list --json --limit 5", "limit=5&status=open&fields=-body&max_bytes=0"],
    ["list --limit=5 --status all --json", "limit=5&status=&fields=-body&max_bytes=0"],
    [
      "list --label a --label=b --json",
      "label=a&label=b&status=open&limit=200&fields=-body&max_bytes=65536",
    ],
    [
      "list --json --as ann --unowned",
      "unowned=true&status=open&limit=200&fields=-body&max_bytes=65536",
    ],
    ["ready --json --limit 0", "limit=0&order=take&fields=-body&max_bytes=0"],
    ["list --json --limit 5 --max-bytes 900", "limit=5&max_bytes=900&status=open&fields=-body"],
    ["ready --json --order recent", "order=recent&limit=200&fields=-body&max_bytes=65536"],
    ["next --json --unowned --label bug", "unowned=true&label=bug&order=take&limit=1&fields=-body"],
    ["search two words --json --limit 3", "limit=3&fields=-body&max_bytes=0&q=two words"],
    [
      "list --json --fields id,title --max-bytes 0",
      "fields=id,title&max_bytes=0&status=open&limit=200",
    ],
    ["show abc4 --json", "max_bytes=65536"],
    ["show --json abc4 --project web", "max_bytes=65536"],
  ])("svc %s is sent with the query %s", (line, query) => {
    const read = readFastArgs(line.split(" "));
    expect(read?.query.map((pair) => pair.join("=")).join("&")).toBe(query);
  });

  test.each([
    "list",
    "list --agent",
    "list --json --agent",
    "list --json --quiet",
    "list --json -q",
    "list --json --all",
    "list --json --limit 0",
    "list --json --full",
    "list --json --max-bytes -1",
    "list --json --limit -1",
    "list --json --limit x",
    "list --json --limit",
    "list --json --limit 1 --limit 2",
    "list --json --status done",
    "list --json --status constructor",
    "list --json --owner ann --unowned",
    "list --json --owner=",
    "list --json --owner @me",
    "list --json --owner me",
    "list --json --unowned=true",
    "list --json extra",
    "list --json --",
    "list --json --help",
    "list --json --constructor",
    "list -- --json",
    "next --json --limit 5",
    "next --json --full",
    "next --json --claim",
    "show --json",
    "show --json a b",
    "search --json",
    "close abc4 --json",
    "constructor --json",
  ])("svc %s is left to oclif", (line) => {
    expect(readFastArgs(line.split(" "))).toBeUndefined();
  });
});

test("svc next asks for issues that the caller, or the person named by --owner, may take", () => {
  expect(readFastArgs(["next", "--json", "--as", "bea"])).toMatchObject({
    as: "bea",
    actorParam: "takeable_by",
  });
  const owned = readFastArgs(["next", "--json", "--owner", "cid"]);
  expect(owned?.query).toContainEqual(["takeable_by", "cid"]);
  expect(owned?.actorParam).toBeUndefined();
  expect(readFastArgs(["ready", "--json", "--as", "bea"])?.actorParam).toBeUndefined();
});

describe("a fast command and the command itself", () => {
  test("print the same and exit with the same code, whatever the result", async () => {
    const b = box();
    await b.svc("init", "--project", "web");
    await b.svc("projects", "create", "other");
    const { issue } = await b.json<CreateAnswer>(
      "create",
      "crash on an empty file",
      "--label",
      "bug",
    );
    await b.json<CreateAnswer>(
      "create",
      "ünïcödé 🎉\u009b31m\u202e",
      "--body",
      "line\nline",
      "--priority",
      "1",
    );
    await b.json<CreateAnswer>("comment", issue.short_id, "--body", "seen twice");
    for (const line of [
      ["list", "--json"],
      ["list", "--json", "--status", "all", "--label", "bug", "--limit", "1"],
      ["list", "--json", "--project", "other"],
      ["ready", "--json", "--unowned"],
      ["ready", "--json", "--order", "recent"],
      ["next", "--json"],
      ["next", "--json", "--label", "none"],
      ["next", "--json", "--as", "bea"],
      ["next", "--json", "--owner", "bea"],
      ["list", "--json", "--limit", "1"],
      ["ready", "--json", "--limit", "2", "--max-bytes", "900"],
      ["search", "unicode", "empty", "--json", "--limit", "1"],
      ["show", issue.short_id, "--json", "--max-bytes", "600"],
      ["show", issue.short_id, "--json"],
      ["show", `web#${issue.short_id}`, "--json"],
      ["search", "empty", "file", "--json"],
    ]) {
      expect(loaded(b, line), line.join(" ")).toEqual({ fast: true, core: false });
      expect(await b.svc(...line), line.join(" ")).toEqual(fromSource(b, line));
    }
    for (const line of [
      ["show", "zzzz", "--json"],
      ["show", "17", "--json"],
      ["show", issue.uid, "--json"],
      ["list", "--json", "--project", "nowhere"],
      ["list", "--json", "--limit", "0"],
      ["search", "--json"],
    ]) {
      expect(loaded(b, line).core, line.join(" ")).toBe(true);
      expect(await b.svc(...line), line.join(" ")).toEqual(fromSource(b, line));
    }
  }, 120_000);
});

test("svc next cuts the links of an issue in the same way with and without the fast path", async () => {
  const b = box();
  await b.svc("init", "--project", "web");
  const at = "2025-01-01T00:00:00Z";
  const ids = Array.from({ length: 901 }, (_, n) => `old-${n}`);
  const lines = ids.map((id, n) => ({
    id,
    title: id,
    status: "open",
    priority: n === 0 ? 0 : 1,
    created_at: at,
    updated_at: at,
    dependencies: n === 0 ? [] : [{ issue_id: id, depends_on_id: "old-0", type: "blocks" }],
  }));
  const input = join(b.work, "b.jsonl");
  writeFileSync(input, lines.map((one) => JSON.stringify(one)).join("\n"));
  await b.svc("import", "--merge", "--source-format", "beads", "--input", input);
  for (const words of [["next"], ["ready"], ["search", "old-0"]]) {
    const line = [...words, "--json"];
    expect(loaded(b, line)).toEqual({ fast: true, core: false });
    const fast = await b.svc(...line);
    const { stdout, stderr } = fast;
    expect(stdout).toContain('"counts":{"blocks":900}');
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(JSON_BUDGET_BYTES);
    const flag = words[0] === "next" ? "--full" : "--max-bytes 0";
    expect(stderr).toContain(`... an issue is cut (${flag} shows all of it)\n`);
    expect(fromSource(b, line)).toEqual(fast);
  }
}, 120_000);

test("a fast command lists the project of SVC_PROJECT, and not that of the folder", async () => {
  const b = box({ SVC_PROJECT: "other" });
  await b.svc("init", "--project", "web");
  await b.svc("projects", "create", "other");
  await b.svc("create", "elsewhere");
  const list = ["list", "--json"];
  expect((await b.svc(...list)).stdout).toContain("elsewhere");
  expect((await b.svc(...list, "--project", "web")).stdout).not.toContain("elsewhere");
}, 60_000);

test("a command waits once, and not twice, for a daemon that accepts a read request and answers nothing", async () => {
  const b = box({ SVC_HTTP_TIMEOUT: "300ms" });
  const address = join(b.folder, "silent.sock");
  let connections = 0;
  const server = createServer(() => void connections++).listen(address);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const folder = runtimeDir(b.home, parseDsn(join(b.home, "svc.db"), b.home));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const record = { pid: process.pid, network: "unix", address, service: "svc", version: "0.1.0" };
  const path = join(folder, `daemon.${process.pid}.json`);
  writeFileSync(path, JSON.stringify({ ...record, started_at: "2026-01-01T00:00:00.000Z" }));
  const reading = await b.svc("list", "--json", "--project", "web");
  expect(connections).toBe(1);
  expect(reading).toMatchObject({ code: 7, stdout: "" });
  const { pid } = process;
  expect(reading.stderr).toContain(`the daemon (pid ${pid}) at unix://${address} did not answer`);
  expect(reading.stderr).toContain(`svc daemon stop --force (pid ${pid})`);
  // This flag is not handled by the quick path, so the command itself runs.
  expect(await b.svc("list", "--json", "--project", "web", "--quiet")).toEqual(reading);
  expect(connections).toBe(2);
  rmSync(path);
});

test("svc next sorts the ready list itself if the daemon does not know the order of takes", async () => {
  const b = box();
  await b.svc("init", "--project", "web");
  await b.svc("create", "urgent", "--priority", "0");
  await b.svc("create", "newer");
  const folder = runtimeDir(b.home, parseDsn(join(b.home, "svc.db"), b.home));
  const file = readdirSync(folder).find((name) => /^daemon\.\d+\.json$/.test(name)) ?? "";
  const record = JSON.parse(readFileSync(join(folder, file), "utf8"));
  const address = join(b.folder, "old.sock");
  const asked: (string | undefined)[] = [];
  // An older daemon ignores the parameter.
  const old = httpServer((from, to) => {
    if (from.url?.includes("/ready")) asked.push(from.url.split("?")[1]);
    const path = from.url?.replace(/&order=take|order=take&/, "");
    const on = request(
      { socketPath: record.address, method: from.method, path, headers: from.headers },
      (answer) => answer.pipe(to.writeHead(answer.statusCode ?? 0, answer.headers)),
    );
    from.pipe(on);
  }).listen(address);
  await once(old, "listening");
  onTestFinished(() => void old.close());
  const before = readFileSync(join(folder, file));
  writeFileSync(join(folder, file), JSON.stringify({ ...record, address }));
  const { issue } = await b.json<{ readonly issue: { readonly title: string } }>("next");
  expect(await b.svc("next", "--agent")).toMatchObject({ code: 0 });
  writeFileSync(join(folder, file), before);
  expect(issue.title).toBe("urgent");
  // The quick path, the command, and the second request of the command.
  expect(asked).toEqual([
    "order=take&limit=1&fields=-body&takeable_by=ann",
    "limit=1&fields=-body&takeable_by=ann&order=take",
    "fields=-body&takeable_by=ann",
    "limit=1&fields=-body&takeable_by=ann&order=take",
    "fields=-body&takeable_by=ann",
  ]);
});

describe("the remembered id of a project", () => {
  test("is used only while the name still means that project", async () => {
    const b = box();
    await b.svc("init", "--project", "web");
    await b.svc("create", "in the first");
    expect(await titles(b)).toEqual(["in the first"]);
    // The name's id is remembered now. From here on, the name means another project.
    expect(await titles(b)).toEqual(["in the first"]);
    await b.svc("projects", "rename", "web", "old");
    await b.svc("projects", "create", "web");
    await b.svc("create", "in the second", "--project", "web");
    expect(await titles(b, "web")).toEqual(["in the second"]);
    expect(await titles(b, "web")).toEqual(["in the second"]);
    expect(await titles(b, "old")).toEqual(["in the first"]);
    await b.svc("projects", "rename", "web", "gone");
    expect((await b.svc("list", "--json", "--project", "web")).code).toBe(4);
  });

  test("a remembered id of a project of another database is never used", async () => {
    const b = box();
    await b.svc("init", "--project", "web");
    await b.svc("create", "in the first");
    expect(await titles(b)).toEqual(["in the first"]);
    await b.svc("daemon", "stop");
    for (const end of ["", "-wal", "-shm"]) rmSync(join(b.home, `svc.db${end}`), { force: true });
    await b.svc("projects", "create", "before");
    await b.svc("projects", "create", "web");
    await b.svc("create", "in the new one", "--project", "web");
    expect(await titles(b)).toEqual(["in the new one"]);
  });

  test.each([
    ["is no JSON", "{"],
    ["holds another kind of JSON", '{"web":1}'],
    ["holds the wrong id", '[["web",99]]'],
    ["holds invalid ids", '[["web","1/../2"],["web",-1]]'],
  ])("is looked up again when its file %s", async (_what, text) => {
    const b = box();
    await b.svc("init", "--project", "web");
    await b.svc("create", "one");
    const path = keptPath(b);
    writeFileSync(path, text);
    expect(await titles(b)).toEqual(["one"]);
    expect(JSON.parse(readFileSync(path, "utf8"))).toContainEqual(["web", 1]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("is requested each time if it cannot be stored", async () => {
    const b = box();
    await b.svc("init", "--project", "web");
    await b.svc("create", "one");
    mkdirSync(keptPath(b));
    expect(await titles(b)).toEqual(["one"]);
    expect(await titles(b)).toEqual(["one"]);
    expect(readdirSync(join(keptPath(b), "..")).filter((name) => name.endsWith(".new"))).toEqual(
      [],
    );
  });
});

interface CreateAnswer {
  readonly issue: { readonly short_id: string; readonly uid: string };
}

async function titles(b: Box, project?: string): Promise<readonly string[]> {
  const words = project === undefined ? [] : ["--project", project];
  const found = await b.json<{ readonly issues: readonly { readonly title: string }[] }>(
    "list",
    ...words,
  );
  return found.issues.map(({ title }) => title);
}

function keptPath({ home }: Box): string {
  const runtime = join(home, "runtime");
  return join(runtime, readdirSync(runtime)[0] ?? "", "projects.json");
}

/** Reports which of the two paths answered. */
function loaded(b: Box, words: readonly string[]) {
  const hook = join(b.folder, "hook.cjs");
  const list = join(b.folder, "loaded.json");
  const text = `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache))));`;
  writeFileSync(hook, text);
  run(b, ["--require", hook, join(root, "bin", "run.js"), ...words]);
  const files = JSON.parse(readFileSync(list, "utf8")) as readonly string[];
  const has = (name: string): boolean => files.some((file) => file.endsWith(name));
  return { fast: has("fast-path.cjs"), core: has("core.cjs") };
}

/** Runs the command from the source, which has no quick path. */
function fromSource(b: Box, words: readonly string[]): Ended {
  return run(b, [join(root, "bin", "dev.js"), ...words]);
}

function run({ folder, home, work }: Box, words: readonly string[]): Ended {
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    SVC_HOME: home,
    SVC_AUTHOR: "ann",
    XDG_RUNTIME_DIR: join(folder, "run"),
    TMPDIR: join(folder, "tmp"),
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: work,
    env,
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
}
