import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * svc has its own start instead of oclif's. The same words must give the same output, error and exit code with both,
 * and also when svc runs from the source.
 */
const root = join(import.meta.dirname, "..", "..");
const dist = join(root, "dist");
let home = "";

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "svc-start-"));
  mkdirSync(join(home, "work"));
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

const built = (words: readonly string[]): Outcome => node([join(root, "bin", "run.js"), ...words]);
const source = (words: readonly string[]): Outcome => node([join(root, "bin", "dev.js"), ...words]);

/** Runs oclif's own start: the full configuration, every plugin and hook, and its own dispatch. */
function stock(id: string, rest: readonly string[]): Outcome {
  const script = `
    const load = require(${JSON.stringify(join(dist, "oclif.cjs"))});
    const { Config } = load("node_modules/@oclif/core/lib/config/index.js");
    const { handle } = load("node_modules/@oclif/core/lib/errors/handle.js");
    Config.load({ root: ${JSON.stringify(dist)}, userPlugins: false, devPlugins: false })
      .then((config) => config.runCommand(${JSON.stringify(id)}, ${JSON.stringify(rest)}))
      .catch((error) => handle(error));`;
  return node(["-e", script]);
}

/** Only a build knows its commit and time. */
function unbuilt(outcome: Outcome): Outcome {
  const stdout = outcome.stdout
    .replace(/, commit \w+/, "")
    .replace(/, built [\w:.-]+/, "")
    .replaceAll(/"(commit|built_at)":"[^"]*"/g, '"$1":""');
  return { ...outcome, stdout };
}

describe("a command line gives the same result however svc is started", () => {
  test.each([
    ["version", []],
    ["version", ["--json"]],
    ["whoami", ["--as", "ann", "--agent"]],
    ["quickstart", []],
    ["list", ["--no-such-flag"]],
    ["list", ["--limt", "3", "--json"]],
    ["list", ["--limit"]],
    ["list", ["--limit", "many", "--agent"]],
    ["list", ["extra"]],
    ["list", ["--json", "--agent"]],
    ["show", []],
    ["create", ["--help-me"]],
    ["label:add", ["abc4"]],
    ["comment:edit", ["abc4", "--bdy", "x"]],
  ] as const)("svc %s %j", (id, rest) => {
    const words = [...id.split(":"), ...rest];
    const own = built(words);
    expect(own).toEqual(stock(id, rest));
    expect(unbuilt(own)).toEqual(source(words));
    expect(own.stdout + own.stderr).not.toBe("");
  });

  test.each([
    [[]],
    [["--help"]],
    [["-h"]],
    [["help"]],
    [["--version"]],
    [["list", "--help"]],
    [["list", "--json", "-h"]],
    [["help", "create"]],
    [["label"]],
    [["label", "add", "--help"]],
    [["ls", "--help"]],
    [["ls", "--no-such-flag"]],
    [["dep", "remove", "a"]],
    [["lst"]],
    [["label", "ad", "--json"]],
    [["--json", "list"]],
    [["nothing", "like", "it"]],
  ])("svc %j", (words) => {
    const own = built(words);
    expect(own).toEqual(source(words));
    expect(own.stdout + own.stderr).not.toBe("");
  });
});

describe("the words of the command line select the command", () => {
  test("--help after -- does not ask for help", () => {
    const { status, stderr } = built(["why", "--", "--help", "more"]);
    expect(status).toBe(2);
    expect(stderr).toContain('unexpected argument "more"');
  });

  test("svc help prints the same as --help", () => {
    expect(built(["help", "list"])).toEqual(built(["list", "--help"]));
  });

  test("a word that is a command and also begins longer commands is read as the longer one if possible", () => {
    expect(built(["comment", "edit", "--help"]).stdout).toContain("svc comment edit");
    expect(built(["comment", "--help"]).stdout).toContain("svc comment");
  });

  test.each([
    ["lst", "svc list"],
    ["craete", "svc create"],
    ["label ad", "svc label add"],
    ["projcts", "svc projects"],
  ])("svc %s is answered with the suggestion %s", (typed, meant) => {
    const { status, stdout, stderr } = built(typed.split(" "));
    expect(status).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(`did you mean ${meant}?`);
  });
});

test("the manifest that help is printed from matches the commands' classes", () => {
  const script = `
    import { Plugin } from "@oclif/core";
    const plugin = new Plugin({ root: ${JSON.stringify(root)}, isRoot: true, ignoreManifest: true,
      errorOnManifestCreate: true, respectNoCacheDefault: true });
    await plugin.load();
    process.stdout.write(JSON.stringify(plugin.manifest.commands));`;
  const fromSource = JSON.parse(node(["--input-type=module", "-e", script], root).stdout);
  const { commands } = JSON.parse(readFileSync(join(dist, "oclif.manifest.json"), "utf8"));
  for (const command of Object.values<Record<string, unknown>>(fromSource)) {
    delete command["isESM"];
    delete command["relativePath"];
  }
  expect(commands).toEqual(fromSource);
});

test("svc prints no error if the reader of its output stops", () => {
  const run = join(root, "bin", "run.js");
  const line = '"$0" "$1" quickstart | head -n 1';
  const { stdout, stderr } = spawnSync("sh", ["-c", line, process.execPath, run], {
    env: environment(),
    encoding: "utf8",
  });
  expect(stdout.split("\n")).toHaveLength(2);
  expect(stderr).toBe("");
});

test("svc stores compiled code in a folder that only its owner can use", () => {
  built(["version"]);
  const folder = join(home, ".cache", "svc", "compiled");
  expect(existsSync(folder)).toBe(true);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("a home that cannot be written to does not stop a command", () => {
  const env = { ...environment(), HOME: "/dev/null", XDG_CACHE_HOME: "" };
  const run = spawnSync(process.execPath, [join(root, "bin", "run.js"), "version"], {
    env,
    encoding: "utf8",
  });
  expect(run).toMatchObject({ status: 0, stderr: "" });
});

test("a Node that is too old is reported in one line before anything is loaded", () => {
  const run = join(root, "bin", "run.js");
  const script = `Object.defineProperty(process.versions, "node", { value: "20.20.2" }); require(${JSON.stringify(run)});`;
  expect(node(["-e", script])).toEqual({
    status: 1,
    stdout: "",
    stderr: "svc: needs Node 22.18 or later, and this is Node 20.20.2\n",
  });
});

test("the launcher is found through symbolic links, and from any folder", () => {
  const link = join(home, "svc-link");
  const made = spawnSync("ln", ["-s", join(root, "bin", "svc"), link]);
  expect(made.status).toBe(0);
  const run = spawnSync(link, ["--version"], { env: environment(), cwd: home, encoding: "utf8" });
  expect(run).toMatchObject({ status: 0, stderr: "" });
  expect(run.stdout).toMatch(/^svc\/\d+\.\d+\.\d+ /);
});

test.each([
  [["tui", "abc4", "--mouse"], ["--max-semi-space-size=8"]],
  [["demo"], ["--max-semi-space-size=8"]],
  [
    ["daemon", "start", "--foreground"],
    ["--max-semi-space-size=4", "--heap-growing-percent=30"],
  ],
  [["daemon", "status"], []],
  [["list", "two words", ""], []],
  [[], []],
] as const)("the launcher starts svc %j with the Node options %j", (words, own) => {
  const folder = mkdtempSync(join(home, "launcher-"));
  mkdirSync(join(folder, "bin"));
  mkdirSync(join(folder, "node_modules", ".bin"), { recursive: true });
  const svc = join(folder, "bin", "svc");
  copyFileSync(join(root, "bin", "svc"), svc);
  // This script replaces Node and prints its arguments.
  const said = '#!/bin/sh\nprintf "%s\\n" "$@"\n';
  writeFileSync(join(folder, "node_modules", ".bin", "node"), said, { mode: 0o755 });
  const { stdout } = spawnSync(svc, words, { encoding: "utf8" });
  const called = [...own, `${join(folder, "bin")}/../bin/run.js`, ...words];
  expect(stdout).toBe(called.map((word) => `${word}\n`).join(""));
});

test("the first npx of a built clone does not build it again", () => {
  const prepare = join(root, "scripts", "prepare.cjs");
  const run = spawnSync(process.execPath, [prepare], {
    env: { ...environment(), npm_command: "exec" },
    encoding: "utf8",
  });
  expect(run).toMatchObject({ status: 0, stdout: "", stderr: "" });
});

function node(args: readonly string[], cwd = join(home, "work")): Outcome {
  const run = spawnSync(process.execPath, args, { cwd, env: environment(), encoding: "utf8" });
  const { status, stdout, stderr } = run;
  return { status, stdout, stderr };
}

function environment(): NodeJS.ProcessEnv {
  const PATH = process.env["PATH"] ?? "";
  return {
    PATH,
    HOME: home,
    SVC_HOME: join(home, ".svc"),
    USER: "starter",
    NO_COLOR: "1",
    TZ: "UTC",
  };
}
