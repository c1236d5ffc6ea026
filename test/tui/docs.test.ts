import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KEYS } from "../../tui/keys.ts";

const root = join(import.meta.dirname, "..", "..");
const page = readFileSync(join(root, "docs", "tui.md"), "utf8");

test("docs/tui.md lists each key with its command, and no other", () => {
  const rows = KEYS.map(({ keys, command, label }) => {
    return `| ${keys.map((key) => `\`${key}\``).join(" ")} | ${command} | ${label} |`;
  });
  const listed = page.slice(page.indexOf("## Keys")).split("\n");
  expect(listed.filter((line) => line.startsWith("| `")).toSorted()).toEqual(rows.toSorted());
});

test("its picture is the board as it is drawn", () => {
  expect(page).toContain(
    readFileSync(join(root, "test/golden/tui/board-80x24.txt"), "utf8").trimEnd(),
  );
});
