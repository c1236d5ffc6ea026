import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { box } from "./box.ts";

const MESSAGE = "this closes the issue of the test, with enough words to pass";

/** When the process ends, it prints on another descriptor which files of dist/ it has loaded. */
const TELL_LOADED = `process.once("exit", () => {
  const files = Object.keys(require.cache).filter((file) => file.includes("/dist/"));
  require("node:fs").writeSync(3, files.map((file) => file.split("/dist/")[1]).sort().join(" "));
});`;

/** compiled-fault.cjs is the rule by which the launcher judges the folder of compiled code. */
test("a change loads its command and the core, and no other file of dist/", async () => {
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
  expect(loaded("create", "another one")).toEqual([
    "commands/create.cjs",
    "compiled-fault.cjs",
    "core.cjs",
    "run.cjs",
  ]);
  expect(loaded("claim", ref)).toEqual([
    "commands/claim.cjs",
    "compiled-fault.cjs",
    "core.cjs",
    "run.cjs",
  ]);
  expect(loaded("edit", ref, "--priority", "1")).toEqual([
    "commands/edit.cjs",
    "compiled-fault.cjs",
    "core.cjs",
    "run.cjs",
  ]);
  expect(loaded("close", ref, "--done", "--commit", "0123456789", "-m", MESSAGE)).toEqual([
    "commands/close.cjs",
    "compiled-fault.cjs",
    "core.cjs",
    "run.cjs",
  ]);
  expect(loaded("ready", "--json")).toEqual(["compiled-fault.cjs", "fast-path.cjs", "run.cjs"]);
  expect(loaded("list")).not.toContain("hints.cjs");
  expect(loaded("ls", "--json")).toEqual(["compiled-fault.cjs", "fast-path.cjs", "run.cjs"]);
});
