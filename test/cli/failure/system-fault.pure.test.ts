import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { failureOf } from "../../../src/cli/failure/failure.ts";
import { reasonOf } from "../../../src/cli/failure/system-fault.ts";

function faultOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("it worked");
}

test("the error about a folder in place of a file names the folder, and what to do", () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-fault-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = `${folder}.file`;
  writeFileSync(file, "");
  onTestFinished(() => rmSync(file, { force: true }));
  expect(failureOf(faultOf(() => renameSync(file, folder)))).toEqual({
    kind: "internal",
    message: `${folder}: it is a folder (rename)`,
    hint: "name a file",
  });
  expect(reasonOf(faultOf(() => readFileSync(folder)))).toBe("it is a folder");
  expect(reasonOf(faultOf(() => readFileSync(join(folder, "none"))))).toBe("there is no such file");
});

test.runIf(process.platform === "linux")(
  "the error about a full disk says so, and what to do",
  () => {
    expect(failureOf(faultOf(() => writeFileSync("/dev/full", "text")))).toEqual({
      kind: "internal",
      message: "the disk is full (write)",
      hint: "free some space there, then repeat the command",
    });
  },
);

test("an error that svc itself throws is not reported as a fault of the system", () => {
  expect(failureOf(Object.assign(new Error("own"), { code: "EISDIR" }))).toEqual({
    kind: "internal",
    message: "own",
  });
});
