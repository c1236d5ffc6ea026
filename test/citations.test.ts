import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const PAGES = "docs/contract";
const FOLDERS = "api bench bin commands docs examples scripts src test tools tui web".split(" ");
const READ = /\.(?:c?js|css|json|md|mjs|py|sh|toml|tsx?|ya?ml)$/;

/** Every file of the repository that people read, with its text, but for this one, which has bad examples. */
const files: ReadonlyMap<string, string> = new Map(
  [...namesIn(""), ...FOLDERS.flatMap((folder) => namesIn(folder, true))]
    .filter((name) => READ.test(name) && name !== "test/citations.test.ts")
    .map((name) => [name, readFileSync(join(ROOT, name), "utf8")]),
);
const pages = [...files].filter(([name]) => name.startsWith(`${PAGES}/`));
const anchors = new Map(pages.map(([name, text]) => [name, anchorsOf(text)]));

function namesIn(folder: string, recursive = false): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
}

/** The anchors that GitHub gives the headings of a page. Headings with the same text are counted. */
function anchorsOf(page: string): ReadonlySet<string> {
  const prose = page.replaceAll(/^```.*?^```/gms, "");
  const counts = new Map<string, number>();
  const found = [...prose.matchAll(/^#{1,6} +(.*)$/gm)].map(([, heading = ""]) => {
    const anchor = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-");
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
  return new Set(found);
}

/** Addresses of rules that lead nowhere. Of `http-api.md#68-leases` only the page is there without `#68-leases`. */
function deadCitations(text: string): readonly string[] {
  return [...text.matchAll(/docs\/contract\/([\w<>/-]+\.md)(?:#([\w-]+))?/g)]
    .filter(([, page = "", anchor]) => !leads(`${PAGES}/${page}`, anchor))
    .map(([address]) => address);
}

function leads(name: string, anchor: string | undefined): boolean {
  if (anchor === undefined) return existsSync(join(ROOT, name));
  const known = anchors.get(name) ?? anchorsOf(files.get(name) ?? "");
  return known.has(anchor);
}

/** Links of a page that lead nowhere, except those to other hosts. */
function deadLinks(name: string, text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = "", anchor] = link.split("#", 2);
      const to = path === "" ? name : normalize(join(dirname(name), path));
      return !leads(to, anchor);
    });
}

const NOTES =
  "browser-and-auth|cli-and-config|connectors|cron-and-inbox|federation|http-api|issue-sync|mcp|search|tui";
/** Citations of papers outside of this repository, also where a comment breaks the line within one. */
const OLD = new RegExp(
  String.raw`\bdoc(?:ument)?s? [123]\b|\bfacts[,:]?[\s*/()]+(?:case \d|(?:${NOTES})\b(?![.\/]))`,
  "gi",
);

function oldCitations(text: string): readonly string[] {
  return [...text.matchAll(OLD)].map(([citation]) => citation);
}

/** Each finding with its file. */
function found(
  among: Iterable<readonly [string, string]>,
  find: (text: string, name: string) => readonly string[],
): readonly string[] {
  return [...among].flatMap(([name, text]) => find(text, name).map((what) => `${name}: ${what}`));
}

test("every citation of a rule leads to a section of docs/contract", () => {
  const count = [...files.values()].join("\n").match(/docs\/contract\/[\w-]+\.md#/g)?.length;
  expect(count).toBeGreaterThan(500);
  expect(found(files, deadCitations)).toEqual([]);
});

test("every link of the pages in docs/contract leads to a file and a section", () => {
  expect(pages.length).toBeGreaterThan(10);
  expect(found(pages, (text, name) => deadLinks(name, text))).toEqual([]);
});

test("every link of another page leads to a file and a section", () => {
  const others = [...files].filter(([name]) => name.endsWith(".md") && !name.startsWith(PAGES));
  expect(others.length).toBeGreaterThan(30);
  expect(found(others, (text, name) => deadLinks(name, text))).toEqual([]);
});

test("nothing cites papers that are not part of the repository", () => {
  expect(found(files, oldCitations)).toEqual([]);
});

describe("what these tests find", () => {
  const page = "docs/contract/http-api.md";

  test.each([
    ["a section", `${page}#68-leases, ${page}#67-no-such-section`, [`${page}#67-no-such-section`]],
    ["a page", "(docs/contract/nothing.md#1-a).", ["docs/contract/nothing.md#1-a"]],
    ["a page alone", "docs/contract/nothing.md", ["docs/contract/nothing.md"]],
    ["nothing that is not there", `see ${page}, and ${page}#68-leases.`, []],
  ])("a citation of %s", (_what, text, dead) => {
    expect(deadCitations(text)).toEqual(dead);
  });

  test("a link to a file, to a section of another page and to one of its own page", () => {
    const text =
      "[a](none.md) [b](search.md#none) [c](#none) [d](search.md#2-the-route) [e](https://example.org/x)";
    expect(deadLinks(page, text)).toEqual(["none.md", "search.md#none", "#none"]);
  });

  test.each([
    "the first name (doc 3)",
    "/** Set by doc 2, Limits. */",
    " * the project (facts\n * cli-and-config 1.1 rule 3).",
    "// Facts browser-and-auth 3.5, row by row.",
    "case numbers of the contract facts (cron-and-inbox 3)",
    '["no difference (facts case 2)", {}],',
    "(facts federation, section 0)",
  ])("an old citation: %s", (text) => {
    expect(oldCitations(text)).toHaveLength(1);
  });

  test.each([
    "`../screen/cron/facts.ts`",
    "the same facts in each mode",
    "docs/contract/search.md",
  ])("no old citation: %s", (text) => {
    expect(oldCitations(text)).toEqual([]);
  });
});
