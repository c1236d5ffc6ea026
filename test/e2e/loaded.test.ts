import { spawnSync } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { box } from "./box.ts";

const root = join(import.meta.dirname, "..", "..");
const MESSAGE = "this closes the issue of the test, with enough words to pass";

/** When the process ends, it prints on another descriptor which files of dist/ it has loaded. */
const TELL_LOADED = `process.once("exit", () => {
  const files = Object.keys(require.cache).filter((file) => file.includes("/dist/"));
  require("node:fs").writeSync(3, files.map((file) => file.split("/dist/")[1]).sort().join(" "));
});`;

/** What each command loads. compiled-fault.cjs is the rule by which the launcher judges the folder of compiled code. */
const ALWAYS = ["compiled-fault.cjs", "core.cjs", "run.cjs"];
/** With `--json` these are answered without their command. */
const READ_FAST = new Set(["list", "ready"]);
/** The core is read by every command, and each further 100 KiB of it take a millisecond or two. */
const CORE_BYTES = 410 * 1024;

test("an everyday command loads its own file and the core, and no other file of dist/", async () => {
  const b = box();
  await b.svc("init", "--project", "loaded");
  const { issue } = await b.json<{ issue: { short_id: string } }>("create", "a first issue");
  const preload = join(b.folder, "tell-loaded.cjs");
  writeFileSync(preload, TELL_LOADED);
  const loaded = (...words: string[]): readonly string[] | undefined => {
    const { output, status } = spawnSync(
      process.execPath,
      ["--require", preload, b.launcher, ...words],
      { cwd: b.work, env: b.env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe", "pipe"] },
    );
    expect([status, output[2]]).toEqual([0, ""]);
    return output[3]?.split(" ");
  };
  const ref = issue.short_id;
  const everyday: Readonly<Record<string, readonly string[]>> = {
    assign: [ref, "ann"],
    claim: [ref, "--force"],
    close: [ref, "--done", "--commit", "0123456789", "-m", MESSAGE],
    comment: [ref, "-m", "a comment"],
    create: ["another one", "--label", "bug", "--priority", "1"],
    edit: [ref, "--priority", "1"],
    "label.add": [ref, "docs"],
    list: ["--status", "all"],
    ready: [],
    reopen: [ref],
    unassign: [ref],
  };
  for (const [name, words] of Object.entries(everyday)) {
    const files = loaded(...name.split("."), ...words);
    expect(files, name).toEqual([`commands/${name}.cjs`, ...ALWAYS]);
    if (READ_FAST.has(name)) continue;
    const withJson = loaded(...name.split("."), ...words, "--json");
    expect(withJson, `${name} --json`).toEqual([`commands/${name}.cjs`, ...ALWAYS]);
  }
  expect(loaded("list", "--agent")).toEqual(["commands/list.cjs", ...ALWAYS]);
  expect(loaded("ready", "--json")).toEqual(["compiled-fault.cjs", "fast-path.cjs", "run.cjs"]);
  expect(loaded("ls", "--json")).toEqual(["compiled-fault.cjs", "fast-path.cjs", "run.cjs"]);
});

test("the code that every command loads stays small", () => {
  expect(statSync(join(root, "dist", "core.cjs")).size).toBeLessThan(CORE_BYTES);
});
