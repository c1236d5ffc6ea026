import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolders, missingFrom } from "../../src/base/folders.ts";
import { folderWith } from "../config/folder.ts";

test("a folder is created with all missing parents, for its owner alone", () => {
  const folder = folderWith();
  const deep = join(folder, "a", "b", "c");
  expect(missingFrom(deep)).toEqual([join(folder, "a"), join(folder, "a", "b"), deep]);
  makeFolders(deep);
  makeFolders(deep);
  expect(missingFrom(deep)).toEqual([]);
  expect(statSync(join(folder, "a")).mode & 0o777).toBe(0o700);
});

test("a file in place of a folder is an error", () => {
  const folder = folderWith();
  writeFileSync(join(folder, "file"), "");
  expect(() => makeFolders(join(folder, "file", "below"))).toThrow("ENOTDIR");
});

test.runIf(existsSync("/proc/self"))("if no folder can be created, the error comes at once", () => {
  expect(() => makeFolders("/proc/svc/below")).toThrow("ENOENT");
});
