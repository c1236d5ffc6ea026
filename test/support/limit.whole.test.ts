import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "./daemon.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Runs these test files in a folder of their own, with a limit, and returns what the command prints. */
function printedBy(files: Readonly<Record<string, string>>, limitMs: number): string {
  const root = tempFolder();
  mkdirSync(join(root, "test"));
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, "test", name), text);
  const reporter = JSON.stringify(join(import.meta.dirname, "reporter.ts"));
  const config = `export default { test: { include: ["test/*.test.js"], maxWorkers: 2,
    reporters: [[${reporter}, {}]] } };`;
  writeFileSync(join(root, "vitest.config.mjs"), config);
  const run = `import { runVitest } from ${JSON.stringify(join(ROOT, "scripts", "vitest.ts"))};
    const { passed, summary } = runVitest([], { root: ${JSON.stringify(root)}, limitMs: ${limitMs} });
    console.log([...summary, passed].join("\\n"));`;
  return execFileSync(process.execPath, ["--input-type=module", "--eval", run], {
    encoding: "utf8",
    env: { ...process.env, VITEST: undefined },
  });
}

const GOOD = `import { test } from "vitest"; test("passes", () => {}); test("passes too", () => {});`;
const HUNG = `import { test } from "vitest"; test("hangs", async () => { await new Promise(() => { setInterval(() => {}, 1000); }); }, 600_000);`;

test("a test run prints its counts, and if it reaches its time limit, also the files that were still running or slow", () => {
  const begun = performance.now();
  const inTime = printedBy({ "a-good.test.js": GOOD }, 60_000);
  expect(inTime).toMatch(/(^|\n)2 passed, 0 failed\ntrue\n$/);
  // Long enough for the good file of the second run.
  const limit = 2 * Math.ceil((performance.now() - begun) / 1000) + 2;
  const printed = printedBy({ "a-good.test.js": GOOD, "b-hung.test.js": HUNG }, limit * 1000);
  expect(printed).toContain(`the test run was ended by SIGKILL after ${limit} s`);
  expect(printed).toContain("still running: test/b-hung.test.js\n");
  expect(printed).toMatch(/took \d+ s: test\/a-good\.test\.js\n/);
  expect(printed).toMatch(/2 passed, 1 failed\nfalse\n$/);
}, 300_000);
