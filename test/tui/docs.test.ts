import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allKeys, type KeyScope } from "../../src/screen/keys.ts";
import { SCREENS } from "../../src/screen/screens.ts";
import { allSigns } from "../../src/screen/signs.ts";
import { golden } from "../support/golden.ts";

const KEYS = allKeys(SCREENS);
const root = join(import.meta.dirname, "..", "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Returns the keys of one scope as rows of a table. Settings name them `scope.command`. */
function keysTable(scope: string): string {
  const rows = KEYS.filter((row) => row.scope === scope).map(({ keys, command, label }) => {
    return `| ${keys.map((key) => `\`${key}\``).join(" ")} | ${command} | ${label} |`;
  });
  return [`| Key | Command in \`${scope}\` | |`, "| --- | --- | --- |", ...rows].join("\n");
}

function signsTable(): string {
  const rows = allSigns(SCREENS).map(({ on, text, label }) => {
    const names = on.map((scope) => PLACES[scope] ?? scope).join(", ");
    return `| \`${text}\` | ${on.length > 3 ? "nearly everywhere" : names} | ${label} |`;
  });
  return ["| Sign | Where | |", "| --- | --- | --- |", ...rows].join("\n");
}

const PLACES: Readonly<Partial<Record<KeyScope, string>>> = {
  list: "board",
  detail: "open issue",
  everywhere: "title",
};

/** A table follows the mark that names it: `<!-- keys inbox -->`. */
const TABLES = /(<!-- (keys|signs)(?: (\w+))? -->\n\n)(?:\|.*\n)*/g;

test("docs/tui.md shows the board as it is drawn, and every key with its command", () => {
  const page = read("docs/tui.md");
  const scopes = [...page.matchAll(TABLES)].map(([, , , scope]) => scope ?? "");
  const all = new Set<string>(KEYS.map(({ scope }) => scope));
  expect(scopes.toSorted()).toEqual([...all, ""].toSorted());
  const picture = `\`\`\`text\n${read("test/golden/tui/board-80x24.txt").trimEnd()}\n\`\`\``;
  const text = page
    .replace(/```text\n[\s\S]*?\n```/, () => picture)
    .replace(TABLES, (_table, mark: string, _kind: string, scope?: string) => {
      return `${mark}${scope === undefined ? signsTable() : keysTable(scope)}\n`;
    });
  expect(golden("docs/tui.md", text)).toBe(text);
});

test.each(["README.md", "docs/tui.md"])("the pictures in %s match the tour", (path) => {
  const text = read(path);
  const pictures = /(<!-- picture (\S+) -->\n\n```text\n).*?```/gs;
  expect(text.match(pictures)?.length).toBeGreaterThan(0);
  const current = text.replaceAll(
    pictures,
    (_whole, head: string, name: string) =>
      `${head}${read(`test/golden/tour/80x24/${name}.txt`)}\`\`\``,
  );
  expect(golden(path, current)).toBe(current);
});
