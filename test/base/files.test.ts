import { existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placeNew, removeFiles, unusedName } from "../../src/base/files.ts";

const folderWith = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), "svc-files-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};

test("a finished file gets a free name, and its temporary name is gone", () => {
  const folder = folderWith({ temp: "new" });
  expect(placeNew(join(folder, "temp"), join(folder, "name"))).toBe(true);
  expect(readFileSync(join(folder, "name"), "utf8")).toBe("new");
  expect(existsSync(join(folder, "temp"))).toBe(false);
});

test("a finished file never replaces another one", () => {
  const folder = folderWith({ temp: "new", name: "old" });
  expect(placeNew(join(folder, "temp"), join(folder, "name"))).toBe(false);
  expect(readFileSync(join(folder, "name"), "utf8")).toBe("old");
});

test("a missing source leaves no empty file under the final name", () => {
  const folder = folderWith({});
  expect(() => placeNew(join(folder, "temp"), join(folder, "name"))).toThrow("ENOENT");
  expect(existsSync(join(folder, "name"))).toBe(false);
});

test("a name that is taken gets the next free number", () => {
  const folder = folderWith({ a: "", "a.2": "" });
  expect(unusedName(join(folder, "a"))).toBe(join(folder, "a.3"));
  expect(unusedName(join(folder, "b"))).toBe(join(folder, "b"));
});

test("a broken symbolic link occupies its name", () => {
  const folder = folderWith({});
  symlinkSync(join(folder, "gone"), join(folder, "a"));
  expect(unusedName(join(folder, "a"))).toBe(join(folder, "a.2"));
});

test("only files whose name matches after the given prefix are removed", () => {
  const folder = folderWith({ "db.new-1": "", "db.new-x": "", db: "" });
  removeFiles(join(folder, "db.new-"), /^\d+$/);
  expect(["db.new-1", "db.new-x", "db"].map((name) => existsSync(join(folder, name)))).toEqual([
    false,
    true,
    true,
  ]);
});
