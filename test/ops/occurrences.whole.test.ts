import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");

/** Refuses to load the library that computes the days of series. */
const NO_RULES = `
import { registerHooks } from "node:module";
registerHooks({
  resolve: (name, context, next) => {
    if (name === "rrule-temporal") throw new Error("the library was loaded");
    return next(name, context);
  },
});
`;

function run(code: string) {
  const hooks = `data:text/javascript,${encodeURIComponent(NO_RULES)}`;
  const words = ["--no-warnings", "--import", hooks, "--input-type=module", "--eval", code];
  return spawnSync(process.execPath, words, { cwd: ROOT, encoding: "utf8" });
}

test("a daemon and the commands of series do not load the library that computes occurrence dates", () => {
  const commands = readdirSync(join(ROOT, "commands/recurrence")).map(
    (file) => `./commands/recurrence/${file}`,
  );
  const files = ["./src/daemon/index.ts", "./src/daemon/routes/all.ts", ...commands];
  const imports = files.map((file) => `await import("${file}");`).join("\n");
  const { status, stderr, stdout } = run(`${imports}\nconsole.log("imported");`);
  expect(stderr).toBe("");
  expect({ status, stdout }).toEqual({ status: 0, stdout: "imported\n" });
});

test("the first write that needs the date library is rolled back, and repeated once the library is loaded", () => {
  const { status, stderr } = run(`
    const { occurrences, withOccurrences } = await import("./src/ops/recurrences/occurrences.ts");
    let asked = 0;
    await withOccurrences(async () => { asked += 1; return asked; });
    if (asked !== 1) throw new Error("a write that needs nothing is done once");
    await withOccurrences(async () => occurrences());
  `);
  expect(status).not.toBe(0);
  expect(stderr).toContain("the library was loaded");
});
