import { join } from "node:path";
import { expect, test } from "vitest";
import { manPages } from "../../scripts/build/man.ts";
import { allCommands } from "../../src/cli/start/help.ts";
import { golden } from "../support/golden.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const RELEASE = { version: "1.2.3", day: "2026-12-01" };
const commands = await allCommands(ROOT, RELEASE.version);
const pages = manPages(commands, RELEASE);

test("each command, alias and topic has a manual page, and svc has one", () => {
  const names = commands.flatMap(({ id, aliases }) => [id, ...aliases]);
  const files = names.map((id) => `svc-${id.replaceAll(":", "-")}.1`);
  expect([...pages.keys()]).toEqual(expect.arrayContaining([...files, "svc.1", "svc-cron.1"]));
  expect(pages.get("svc-cron-job.1")).toContain("svc\\-cron\\-job\\-list");
  expect(pages.get("svc-ls.1")).toBe(".so man1/svc-list.1\n");
});

test("the page of svc names the page of each command and the flags of every command", () => {
  const page = pages.get("svc.1") ?? "";
  for (const { id } of commands)
    expect(page).toContain(`\\fBsvc\\-${id.replaceAll(/[:-]/g, "\\-")}\\fP(1)`);
  expect(page).toContain("\\fB\\-\\-json\\fP");
});

test("a manual page has the texts of the command's help", () => {
  const text = ["svc-close.1", "svc-cron.1"]
    .map((file) => `${file}\n${pages.get(file)}`)
    .join("\n");
  expect(text).toBe(golden("test/golden/man.txt", text));
});

test("text that roff would read as something else is escaped", () => {
  const command = {
    id: "try",
    summary: "it's - ^a~ `b` \\n",
    description: ".dot begins\n'quote begins\n  .copied\n\u00e9 \u{1f600}",
    args: {},
    flags: {},
    aliases: [],
  };
  const page = manPages([command], RELEASE).get("svc-try.1");
  expect(page).toContain("svc\\-try \\- it\\(aqs \\- \\(haa\\(ti \\(gab\\(ga \\en\n");
  expect(page).toContain("\n\\&.dot begins\n");
  expect(page).toContain("\n\\(aqquote begins\n");
  expect(page).toContain("\n  .copied\n");
  expect(page).toContain("\n\\[u00E9] \\[u1F600]\n");
});

test("pages are ASCII, and each line that begins with a dot is a known macro", () => {
  for (const [file, text] of pages) {
    expect(text, file).toMatch(/^[\n -~]*$/);
    for (const [line] of text.matchAll(/^[.'].*$/gm))
      expect(line, file).toMatch(/^\.(TH|SH|SS|TP|PP|nf|fi|so)( |$)/);
  }
});
