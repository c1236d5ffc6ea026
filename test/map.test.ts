import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const HEADING = "## To change X, open Y\n";

/** Matches code in the map that looks like a path: folders end in a slash, files in an extension. */
const PATH = /`((?:[\w.-]+\/)+(?:[\w.-]+\.\w+)?|\.?[\w-]+\.\w+)`/g;

test("every path in the map of docs/architecture.md exists", () => {
  const page = readFileSync(join(root, "docs", "architecture.md"), "utf8");
  const [map = ""] = (page.split(HEADING)[1] ?? "").split("\n## ");
  const paths = [...map.matchAll(PATH)].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
