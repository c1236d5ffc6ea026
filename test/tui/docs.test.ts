import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KEYS, type KeyScope } from "../../tui/keys.ts";
import { SIGNS } from "../../tui/state/signs.ts";
import { golden } from "../support/golden.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

const TITLES: Readonly<Record<KeyScope, string>> = {
  everywhere: "Everywhere",
  list: "On the board",
  lanes: "On the board in lanes",
  browse: "Among views, projects, labels and owners",
  issue: "On an issue, in a list or open",
  detail: "In an open issue",
  inbox: "In the inbox",
  graph: "In the graph",
  cron: "Among jobs and runs",
  lines: "In every list but the board's",
  projects: "Among projects",
  fleet: "In the fleet",
};

function keysText(): string {
  const sections = Object.entries(TITLES).map(([scope, title]) => {
    const rows = KEYS.filter((row) => row.scope === scope).map(({ keys, command, label }) => {
      return `| ${keys.map((key) => `\`${key}\``).join(" ")} | ${command} | ${label} |`;
    });
    return [`### ${title}`, "", "| Key | Command | |", "| --- | --- | --- |", ...rows].join("\n");
  });
  return `## Keys\n\n${sections.join("\n\n")}\n\n${signsText()}`;
}

function signsText(): string {
  const rows = SIGNS.map(({ on, text, label }) => {
    const names = on.map((scope) => PLACES[scope] ?? scope).join(", ");
    return `| \`${text}\` | ${on.length > 3 ? "nearly everywhere" : names} | ${label} |`;
  });
  return `### Signs\n\n| Sign | Where | |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
}

const PLACES: Readonly<Partial<Record<KeyScope, string>>> = {
  list: "board",
  detail: "open issue",
  everywhere: "title",
};

test("docs/tui.md has the board as it is drawn, and every key with its command", () => {
  const page = read("docs/tui.md");
  const picture = `\`\`\`text\n${read("test/golden/tui/board-80x24.txt").trimEnd()}\n\`\`\``;
  const text = page
    .replace(/```text\n[\s\S]*?\n```/, () => picture)
    .replace(/## Keys\n[\s\S]*$/, keysText);
  expect(golden("docs/tui.md", text)).toBe(text);
});

test.each(["README.md", "docs/tui.md"])("the pictures in %s are those of the tour", (path) => {
  const text = read(path);
  const pictures = /(<!-- picture (\S+) -->\n\n```text\n).*?```/gs;
  expect(text.match(pictures)?.length).toBeGreaterThan(0);
  const current = text.replaceAll(
    pictures,
    (_whole, head: string, name: string) =>
      `${head}${read(`test/golden/tour/80x24/${name}.txt`)}\`\`\``,
  );
  expect(text).toBe(golden(path, current));
});
