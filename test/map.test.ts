import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const HEADING = "## To change X, open Y\n";
const FOLDER = "docs/architecture";

/** Matches code in the map that looks like a path: folders end in a slash, files in an extension. */
const PATH = /`((?:[\w.-]+\/)+(?:[\w.-]+\.\w+)?|\.?[\w-]+\.\w+)`/g;
/** The same in the pages beside the map, where `tx.append` is a call: a name without a folder is a path by its ending. */
const PATH_OF_PAGE = /`((?:[\w.-]+\/)+(?:[\w.-]+\.\w+)?|[\w-]+\.(?:ts|cjs|md|json|txt|yaml))`/g;

const map = readFileSync(join(root, "docs", "architecture.md"), "utf8");
const pages = readdirSync(join(root, FOLDER)).map((name) => `${FOLDER}/${name}`);

/** Every file and folder of the rooms, with a slash in front; folders also end in one. */
const there = ["src", "commands", "tui", "web", "scripts", "bench", "test", "docs", "api"].flatMap(
  (folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).map((entry) => {
      const path = join(entry.parentPath, entry.name).slice(root.length);
      return entry.isDirectory() ? `${path}/` : path;
    }),
);

function missing(text: string): readonly string[] {
  const paths = [...text.matchAll(PATH_OF_PAGE)].map(([, path = ""]) => path);
  return paths.filter((path) => !there.some((found) => found.endsWith(`/${path}`)));
}

test("every path in the map of docs/architecture.md exists", () => {
  const [table = ""] = (map.split(HEADING)[1] ?? "").split("\n## ");
  const paths = [...table.matchAll(PATH)].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("the map is no longer than ten pages of text, and names every page beside it", () => {
  expect(Buffer.byteLength(map)).toBeLessThanOrEqual(25_000);
  const named = [...map.matchAll(/\]\((architecture\/\w+\.md)\)/g)].map(([, to]) => `docs/${to}`);
  expect([...new Set(named)].toSorted()).toEqual(pages.toSorted());
});

test.each(pages)("every file and folder that %s names exists", (page) => {
  expect(missing(readFileSync(join(root, page), "utf8"))).toEqual([]);
});

test("a path that no file has is found", () => {
  const text = "`store/fold/derive.ts`, `derive.ts`, `store/fold/none.ts`, `none.ts`, `tx.append`";
  expect(missing(text)).toEqual(["store/fold/none.ts", "none.ts"]);
});
