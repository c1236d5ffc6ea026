import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { folderForPath } from "../../src/cli/demo/path-folder.ts";
import { demoView } from "../../src/cli/render/demo.ts";
import { paintFor } from "../../src/cli/render/palette.ts";

let root = "";
const at = (...names: readonly string[]): string => join(root, ...names);

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "svc-shell-")));
  const folders = [
    "clone/bin",
    "clone/node_modules/.bin",
    "linked",
    "other",
    "empty",
    "folder/svc",
  ];
  for (const folder of folders) mkdirSync(at(folder), { recursive: true });
  writeFileSync(at("clone/bin/svc"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(at("other/svc"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(at("empty/svc"), "not a program\n", { mode: 0o644 });
  symlinkSync(at("clone/bin/svc"), at("linked/svc"));
  symlinkSync(at("clone/bin/svc"), at("clone/node_modules/.bin/svc"));
});

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

test.each([
  ["no folder", [], true],
  ["svc itself", ["clone/bin"], false],
  ["a link to it, as an installed package has", ["linked"], false],
  ["a link that only programs started by npx find", ["clone/node_modules/.bin"], true],
  ["another program of this name in front", ["other", "linked"], true],
  ["another program of this name behind", ["linked", "other"], false],
  ["a file that is no program in front", ["empty", "linked"], false],
  ["a folder of this name in front", ["folder", "linked"], false],
])("the demo names the folder for PATH if it has %s: %j", (_what, folders, isNamed) => {
  const PATH = folders.map((folder) => at(folder)).join(delimiter);
  const found = folderForPath(at("clone/bin/run.js"), { PATH });
  expect(found).toBe(isNamed ? at("clone/bin") : undefined);
});

const demo = { folder: "/tmp/a b", home: "/tmp/a b/home", work: "/tmp/a b/work" };
const made = { project: "lantern", issues: 25, closed: 3, comments: 5 };
const style = { paint: paintFor("none"), columns: undefined, quiet: false };

test("the demo ends with commands that a shell can run as they stand", () => {
  const lines = demoView(demo, "a01n", "/opt/svc/bin").human({ ...made, kept: true }, style);
  expect(lines).toContain('\n  export PATH=/opt/svc/bin:"$PATH"\n');
  expect(lines).toContain('\n  cd "/tmp/a b/work"\n');
  expect(lines).toContain('\n  svc daemon stop && rm -r "/tmp/a b"\n');
  expect(lines).toContain("\n  svc init ");
  expect(lines).not.toMatch(/[<>]/);
});

test("where the shell finds svc, the demo says nothing of PATH", () => {
  expect(demoView(demo, "a01n").human({ ...made, kept: false }, style)).not.toContain("PATH");
});
