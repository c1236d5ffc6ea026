import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");

function openapi(...words: string[]) {
  const home = mkdtempSync(join(tmpdir(), "svc-openapi-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const env = { PATH: process.env["PATH"], HOME: home, SVC_HOME: join(home, "svc") };
  const run = spawnSync(process.execPath, [join(ROOT, "bin/run.js"), "openapi", ...words], {
    cwd: home,
    env: {
      ...env,
      SVC_DSN: "postgres://nobody@127.0.0.1:1/nowhere",
      XDG_CACHE_HOME: "/nonexistent",
    },
    encoding: "utf8",
  });
  return { ...run, left: readdirSync(home) };
}

test("svc openapi prints the committed document without a daemon, a database or a home", () => {
  const { status, stdout, stderr, left } = openapi();
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(stdout).toBe(readFileSync(join(ROOT, "api/openapi.yaml"), "utf8"));
  expect(left).toEqual([]);
});

test("svc openapi --version 3.0 --json prints one line of JSON in the 3.0 dialect", () => {
  const { status, stdout } = openapi("--version", "3.0", "--json");
  expect(status).toBe(0);
  expect(stdout.indexOf("\n")).toBe(stdout.length - 1);
  expect(JSON.parse(stdout)).toMatchObject({ openapi: "3.0.4", info: { version: "0.22.0" } });
});

test("svc openapi refuses a version that it does not write", () => {
  const { status, stdout, stderr } = openapi("--version", "2.0");
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain("3.1");
});
