import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { jsonObjects } from "../../src/sources/files/json-objects.ts";
import { readTextFile } from "../../src/sources/files/text-file.ts";
import { readTime } from "../../src/sources/files/times.ts";
import { scratch } from "../archive/targets.ts";

describe("reading a text of JSON objects", () => {
  test.each<[string, string, readonly number[]]>([
    ["a list over several lines", '[\n  {\n "a": 1\n },\n\n {"a":\n2}\n]', [2, 6]],
    ["one object per line", '{"a":1}\n{"a":2}\n', [1, 2]],
    ["several lists, one after the other", '[{"a":1}]\n[{"a":2}]', [1, 2]],
    ["lists in a list", '[[{"a":1}],\n[{"a":2}]]', [1, 2]],
    ["brackets in texts", '[{"a":1,"b":"}]\\"{"},\n{"a":2,"b":{"c":[{"d":"\\\\"}]}}]', [1, 2]],
  ])("gives each object with its line: %s", (_name, text, lines) => {
    const found = [...jsonObjects(text)];
    expect(found.map(({ fields }) => fields["a"])).toEqual([1, 2]);
    expect(found.map(({ line }) => line)).toEqual(lines);
  });

  test("reads a text of many megabytes", () => {
    const long = "x".repeat(20_000_000);
    const found = [...jsonObjects(`[{"a":"${long}"},{"a":2}]`)];
    expect(found.map(({ fields }) => String(fields["a"]).length)).toEqual([20_000_000, 1]);
  });

  test("keeps the spelling of numbers", () => {
    const [found] = jsonObjects('[{"a":1.50,"b":12345678901234567890}]');
    expect(JSON.stringify(found?.fields)).toBe('{"a":1.50,"b":12345678901234567890}');
  });
});

test.each([
  ["20261122T101112Z", "2026-11-22T10:11:12.000Z"],
  ["2026-11-22T10:11:12Z", "2026-11-22T10:11:12.000Z"],
  ["2026-11-22T10:11:12.5+02:00", "2026-11-22T08:11:12.500Z"],
  ["2026-11-22 10:11", "2026-11-22T10:11:00.000Z"],
  ["2026-11-22 10:11:12 +0200", "2026-11-22T08:11:12.000Z"],
  ["2026-11-22", "2026-11-22T00:00:00.000Z"],
  ["1764000000", "2025-11-24T16:00:00.000Z"],
  [1_764_000_000, "2025-11-24T16:00:00.000Z"],
  ["20261322T101112Z", undefined],
  ["2026-02-30", undefined],
  ["2026-02-30 10:11", undefined],
  ["tomorrow", undefined],
  ["12", undefined],
  [true, undefined],
])("the time %s is read as %s", (written, instant) => {
  expect(readTime(written)).toBe(instant);
});

describe("a file of another tracker", () => {
  test("a file that is not UTF-8 is refused with its name, the line and the remedy", async () => {
    const path = join(await scratch(), "latin.md");
    writeFileSync(path, Buffer.from("a\nb\ncaf\xe9\n", "latin1"));
    await expect(readTextFile(path, 100)).rejects.toMatchObject({
      message: `${path}, line 3: not UTF-8 text; nothing was written`,
      hint: "save the file as UTF-8 and import it again",
    });
  });

  test("a file that is too large is refused before it is read", async () => {
    const path = join(await scratch(), "big.md");
    writeFileSync(path, "x".repeat(101));
    expect(await readTextFile(path, 101)).toHaveLength(101);
    await expect(readTextFile(path, 100, "big.md")).rejects.toMatchObject({
      message:
        "big.md: it has 101 bytes, more than the 100 that svc reads at once; nothing was written",
    });
  });

  test("a path that is a folder or missing is refused", async () => {
    const path = join(await scratch(), "folder");
    mkdirSync(path);
    await expect(readTextFile(path, 1)).rejects.toMatchObject({
      message: `${path}: it is a folder; nothing was written`,
    });
    await expect(readTextFile(`${path}/none`, 1)).rejects.toMatchObject({ code: "validation" });
  });

  test("a file is read without its byte order mark", async () => {
    const path = join(await scratch(), "bom.md");
    writeFileSync(path, "\uFEFF---\n");
    expect(await readTextFile(path, 100)).toBe("---\n");
  });
});
