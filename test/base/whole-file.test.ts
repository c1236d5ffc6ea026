import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeWhole } from "../../src/base/whole-file.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "svc-whole-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test("a file replaces the previous one, and is readable by its owner alone unless another mode is given", () => {
  const path = join(folder(), "one.json");
  writeWhole(path, "old");
  writeWhole(path, "new");
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  writeWhole(path, "open", 0o644);
  expect(statSync(path).mode & 0o777).toBe(0o644);
});

test("a file that cannot replace the target leaves nothing behind", () => {
  const place = folder();
  mkdirSync(join(place, "taken", "by"), { recursive: true });
  expect(() => writeWhole(join(place, "taken"), "secret")).toThrow(/^E/);
  expect(readdirSync(place)).toEqual(["taken"]);
});
