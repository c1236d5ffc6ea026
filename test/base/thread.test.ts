import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { enableCompileCache, getCompileCacheDir } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { newThread } from "../../src/base/thread.ts";

test("a thread gets its work data, and the compile cache folder of the process", async () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-thread-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "thread.cjs");
  const answer = `const { parentPort, workerData } = require("node:worker_threads");
    parentPort.postMessage(workerData);`;
  writeFileSync(file, answer);
  enableCompileCache(join(folder, "compiled"));
  const [data] = (await once(newThread(file, { path: "x" }), "message")) as [object];
  expect(data).toEqual({ path: "x", compileCache: dirname(getCompileCacheDir() ?? "") });
});

const TELL =
  'const { parentPort, resourceLimits } = require("node:worker_threads"); parentPort.postMessage(resourceLimits);';

async function limitsOf(youngMiB?: number): Promise<{ maxYoungGenerationSizeMb: number }> {
  const folder = mkdtempSync(join(tmpdir(), "svc-thread-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "thread.cjs");
  writeFileSync(file, TELL);
  const [limits] = await once(newThread(file, {}, youngMiB), "message");
  return limits;
}

test("a thread that sets a limit for new objects gets this limit, and any other thread gets that of Node", async () => {
  const { maxYoungGenerationSizeMb: usual, ...rest } = await limitsOf();
  const { maxYoungGenerationSizeMb: limited, ...others } = await limitsOf(24);
  expect(limited).toBe(24);
  expect(usual).toBeGreaterThan(24);
  expect(others).toEqual(rest);
});
