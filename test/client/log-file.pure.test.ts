import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { Clock } from "../../src/base/clock.ts";
import { type LogFile, openLog } from "../../src/client/log-file.ts";

let path: string;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "svc-log-"));
  path = join(folder, "daemon.log");
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

function opened(): LogFile {
  const log = openLog(path);
  onTestFinished(() => log.close());
  return log;
}

/** Returns the lines that are added during `steps`. Each step runs when the reader waits. */
async function added(log: LogFile, ...steps: readonly (() => void)[]): Promise<readonly string[]> {
  const end = new AbortController();
  const left = [...steps, () => end.abort()];
  const clock: Clock = { nowMs: () => 0, now: () => "", sleep: async () => left.shift()?.() };
  const lines: string[] = [];
  for await (const line of log.added(clock, end.signal)) lines.push(line);
  return lines;
}

test("the last lines of a log are also read from its rotated files, and a missing log has no lines", () => {
  expect(opened().last(3)).toEqual([]);
  writeFileSync(`${path}.2`, "a\nb\n");
  writeFileSync(`${path}.1`, "c\n");
  writeFileSync(path, "d\ne\n");
  expect(opened().last(2)).toEqual(["d", "e"]);
  expect(opened().last(4)).toEqual(["b", "c", "d", "e"]);
  expect(opened().last(9)).toEqual(["a", "b", "c", "d", "e"]);
});

test("each line that is added to a log after its last lines were read is followed once, also across a rotation", async () => {
  writeFileSync(path, "a\n");
  const log = opened();
  expect(log.last(5)).toEqual(["a"]);
  appendFileSync(path, "b\n");
  renameSync(path, `${path}.1`);
  writeFileSync(path, "c\n");
  expect(
    await added(
      log,
      () => appendFileSync(path, "d"),
      () => appendFileSync(path, "\ne\n"),
    ),
  ).toEqual(["b", "c", "d", "e"]);
});

test("a log that does not exist yet is read from its beginning as soon as it exists", async () => {
  const log = opened();
  expect(log.last(5)).toEqual([]);
  expect(
    await added(
      log,
      () => undefined,
      () => writeFileSync(path, "a\n"),
    ),
  ).toEqual(["a"]);
});
