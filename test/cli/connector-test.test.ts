import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../config/folder.ts";
import { runCommand } from "./harness.ts";

const PROGRAM = join(import.meta.dirname, "..", "connectors", "programs", "answers.mjs");

/** Runs `svc connector test` in a folder with these files and a home. */
async function tried(words: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const cwd = folderWith(files);
  mkdirSync(join(cwd, "home"), { mode: 0o700 });
  const env = { HOME: cwd, SVC_HOME: join(cwd, "home"), KEY: "geheim" };
  return { cwd, ...(await runCommand(["connector", "test", ...words], { cwd, env })) };
}

describe.runIf(process.platform !== "win32")("svc connector test", () => {
  test("prints for a behaviour that fails what was sent, what came and the rule, and exits with 1", async () => {
    const { out, err, code } = await tried(
      [
        ...[process.execPath, "--arg", PROGRAM, "--arg", "fail"],
        "--settings",
        "one.toml",
        "--only",
        "1",
      ],
      {
        "one.toml":
          'args = ["no_key", "no key geheim"]\nenv = { K = "KEY" }\n[test]\nroot = "one"\n',
      },
    );
    expect(out).toMatch(
      new RegExp(
        [
          "^failed   1 describe says the same each time",
          "why: {2}it answered with the error no_key: no key \\[redacted\\]",
          'sent: \\{"method":"describe","params":\\{\\}\\}',
          'came: \\{"protocol":"svc.connector.v1","id":"[0-9a-f]{32}","error":\\{.*\\[redacted\\]"\\}\\}',
          'rule: method.result: "A method that .*"\n\n1 failed\n$',
        ].join("\n +"),
      ),
    );
    expect({ err, code }).toEqual({ err: "svc: 1 of 1 behaviours failed\n", code: 1 });
  });

  test("with --json gives each behaviour, its rule and the counts", async () => {
    const words = ["program", "--root", "one", "--only", "12", "--only", "7", "--json"];
    const { out, code } = await tried(words);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      version: 1,
      behaviours: [
        { number: 7, status: "failed", rule: "process.start" },
        { number: 12, status: "failed", rule: "request.refused" },
      ],
      summary: { ok: 0, failed: 2, skipped: 0 },
    });
  });

  test.each([
    ["no root and no fixture", ["program"], 2, "neither a root nor a fixture"],
    ["an unknown behaviour", ["program", "--root", "a", "--only", "13"], 2, "--only 13"],
    ["a file that is not there", ["program", "--settings", "two.toml"], 3, "two.toml is not there"],
    [
      "a file with a mistake",
      ["program", "--settings", "one.toml"],
      3,
      "must be between 0 and 300",
    ],
  ])("refuses %s", async (_, words, exit, problem) => {
    const files = { "one.toml": "timeout_seconds = 301\n" };
    const { err, code } = await tried(words, files);
    expect({ code, err }).toEqual({ code: exit, err: expect.stringContaining(problem) as string });
  });

  test("finds the program in the folder in which it is run", async () => {
    const words = ["./program", "--root", "one", "--only", "1", "--json"];
    const script = `#!/bin/sh\nexec ${process.execPath} ${PROGRAM} two\n`;
    const cwd = folderWith({ home: "" });
    writeFileSync(join(cwd, "program"), script, { mode: 0o755 });
    const { out } = await runCommand(["connector", "test", ...words], {
      ...{ cwd, env: { HOME: cwd, SVC_HOME: join(cwd, ".svc") } },
    });
    expect(JSON.parse(out).behaviours).toMatchObject([{ rule: "answer.document" }]);
  });
});
