import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const TEXT = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");

/** Returns the files in the table below this line of CONTRIBUTING.md. */
function filesBelow(line: string): readonly string[] {
  const [, below = ""] = TEXT.split(`\n${line}\n`);
  const [table = ""] = below.trimStart().split("\n\n", 1);
  return [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, file = ""]) => file);
}

/** `<subject>` stands for any word and `NNNN` for any number. */
function isThere(file: string): boolean {
  const [folder, name] = [dirname(file), file.slice(dirname(file).length + 1)];
  const pattern = name.replaceAll(".", "\\.").replace("NNNN", "\\d{4}").replace(/<\w+>/, "[\\w-]+");
  return readdirSync(join(ROOT, folder)).some((found) => new RegExp(`^${pattern}$`).test(found));
}

test.each([
  ["A new table:", 6],
  ["A new column, here of issues:", 8],
])('the list under "%s" in CONTRIBUTING.md has at most %i files, and each exists', (line, most) => {
  const files = filesBelow(line);
  expect(files.length).toBeGreaterThan(0);
  expect(files.length).toBeLessThanOrEqual(most);
  expect(files.filter((file) => !isThere(file))).toEqual([]);
});

test("every check that CONTRIBUTING.md mentions exists", () => {
  const named = [...TEXT.matchAll(/`(test\/[\w/-]+\.test\.ts)`/g)].map(([, file = ""]) => file);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((file) => !isThere(file))).toEqual([]);
});

test("the glossary has at most forty terms, in alphabetical order", () => {
  const glossary = readFileSync(join(ROOT, "docs/glossary.md"), "utf8");
  const terms = [...glossary.matchAll(/^\| \*\*([^*]+)\*\* \|/gm)].map(([, term = ""]) => term);
  expect(terms.length).toBeGreaterThan(0);
  expect(terms.length).toBeLessThanOrEqual(40);
  expect(terms).toEqual(terms.toSorted((a, b) => a.localeCompare(b)));
});

test("a release in CHANGELOG.md is one page, with each group once", () => {
  const [, ...releases] = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8").split(/^## /m);
  expect(releases.length).toBeGreaterThan(0);
  for (const release of releases) {
    const groups = [...release.matchAll(/^### (.+)$/gm)].map(([, group]) => group);
    expect(groups).toEqual([...new Set(groups)]);
    expect(release.split("\n").length).toBeLessThanOrEqual(100);
  }
});
