import { mkdtempSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { writeFileWhole } from "../../src/archive/write-file.ts";

const MIB = 1024 * 1024;

test("a long file is synced in pieces, so that commits of a daemon never wait for all of it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-write-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "export.jsonl");
  const handle = await open(join(folder, "other"), "w");
  // All file handles of this process share the method, so the spy is on their prototype. The method still does its
  // work.
  const synced = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, "datasync");
  onTestFinished(() => synced.mockRestore());
  await handle.close();
  async function* lines(count: number) {
    for (let at = 0; at < count; at++) yield "x".repeat(MIB - 1);
  }
  await writeFileWhole(path, lines(7));
  expect(synced).not.toHaveBeenCalled();
  await writeFileWhole(path, lines(40));
  expect(synced).toHaveBeenCalledTimes(5);
  expect(statSync(path).size).toBe(40 * MIB);
});
