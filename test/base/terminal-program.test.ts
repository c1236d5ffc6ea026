import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runOnTerminal } from "../../src/base/terminal-program.ts";
import { folderWith } from "../config/folder.ts";

const ends = (script: string) => runOnTerminal(process.execPath, ["-e", script]);

test("a program that ended with success has no failure reason, and every other end has one", () => {
  expect(ends("")).toEqual({ why: undefined, wasKilled: false });
  expect(ends("process.exit(4)")).toEqual({ why: "exit code 4", wasKilled: false });
  const killed = ends('process.kill(process.pid, "SIGKILL")');
  expect(killed).toEqual({ why: "killed by SIGKILL", wasKilled: true });
});

test("a program that cannot be started has its reason in words", () => {
  const missing = runOnTerminal("svc-has-no-such-program", []);
  expect(missing).toEqual({ why: "there is no such program", wasKilled: false });
  const plain = join(folderWith({}), "plain");
  writeFileSync(plain, "no program", { mode: 0o600 });
  expect(runOnTerminal(plain, []).why).toBe("permission is denied");
});
