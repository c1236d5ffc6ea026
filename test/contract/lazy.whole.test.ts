import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");

/** Replaces zod by a module that throws when it is used. */
const NO_ZOD = `
import { registerHooks } from "node:module";
const url = "data:text/javascript," + encodeURIComponent(
  "export const z = new Proxy({}, { get() { throw new Error('zod was used'); } });",
);
registerHooks({
  resolve: (name, context, next) => (name === "zod" ? { url, shortCircuit: true } : next(name, context)),
});
`;

function run(code: string) {
  const hooks = `data:text/javascript,${encodeURIComponent(NO_ZOD)}`;
  const words = ["--no-warnings", "--import", hooks, "--input-type=module", "--eval", code];
  return spawnSync(process.execPath, words, { cwd: ROOT, encoding: "utf8" });
}

test("importing the contract builds no schema and does not load zod", () => {
  const files = readdirSync(join(ROOT, "src/contract")).filter((name) => name.endsWith(".ts"));
  const imports = files.map((name) => `await import("./src/contract/${name}");`).join("\n");
  const { status, stderr, stdout } = run(`${imports}\nconsole.log("imported");`);
  expect(stderr).toBe("");
  expect({ status, stdout }).toEqual({ status: 0, stdout: "imported\n" });
  expect(files.length).toBeGreaterThan(15);
});

test("the first use of a schema loads zod", () => {
  const { status, stderr } = run(
    `const { createIssue } = await import("./src/contract/issues.ts"); createIssue.body();`,
  );
  expect(status).not.toBe(0);
  expect(stderr).toContain("zod was used");
});
