import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { isAlone, LANES, type Lane, laneOf } from "./lanes.ts";
import { LONG_FILES } from "./support/sequencer.ts";

const root = join(import.meta.dirname, "..");
/** What an import means for the lane of the tests that reach it. */
const DATABASES = new Set(["better-sqlite3", "pg"]);
const PROGRAMS = new Set(["node:child_process", "esbuild", "playwright-core"]);

/** Matches imports that remain when the types are taken away. */
const IMPORT =
  /^(?:import|export)\s(?!type\s)[^;"']*?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;

interface Imports {
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

const known = new Map<string, Imports>();

function importsOf(file: string): Imports {
  const before = known.get(file);
  if (before !== undefined) return before;
  const names = [...readFileSync(join(root, file), "utf8").matchAll(IMPORT)].map(
    ([, fixed, late]) => fixed ?? late ?? "",
  );
  const files = names
    .filter((name) => name.startsWith("."))
    .map((name) => normalize(join(dirname(file), name)))
    .filter((path) => /\.tsx?$/.test(path) && existsSync(join(root, path)));
  const imports = { files, packages: names.filter((name) => !name.startsWith(".")) };
  known.set(file, imports);
  return imports;
}

/** Returns the cheapest lane that can run a test with what it imports, itself and through other files. */
function cheapest(test: string): Lane {
  const reached = new Set([test]);
  let lane: Lane = "pure";
  for (const file of reached) {
    const { files, packages } = importsOf(file);
    // The product may start a program; it is the tests' own programs that cost.
    if (file.startsWith("test/") && packages.some((name) => PROGRAMS.has(name))) return "whole";
    if (packages.some((name) => DATABASES.has(name))) lane = "store";
    for (const next of files) reached.add(next);
  }
  return lane;
}

test("each test is in the cheapest lane that can run it", () => {
  const files = globSync("test/**/*.test.{ts,tsx}", { cwd: root });
  const elsewhere = files
    .map((file) => ({ file, stands: laneOf(file), cheapest: cheapest(file) }))
    .filter(({ file, stands, cheapest: lane }) => stands !== lane && !isBuilt(file));
  expect(elsewhere).toEqual([]);
  for (const lane of LANES) expect(files.some((file) => laneOf(file) === lane)).toBe(true);
});

test("a test of the pure or the store lane that replaces shared objects has modules of its own", () => {
  const replaces = globSync("test/**/*.test.{ts,tsx}", { cwd: root })
    .filter((file) => laneOf(file) !== "whole")
    .filter((file) =>
      /^ *(?:vi\.(?:mock|stubEnv)\(|process\.env\[[^\]]*\] =(?!=))/m.test(
        readFileSync(join(root, file), "utf8"),
      ),
    );
  expect(replaces.filter((file) => !isAlone(file))).toEqual([]);
});

test("each file in the list of long tests exists and shares no modules with other tests", () => {
  for (const file of LONG_FILES) {
    expect(existsSync(join(root, file)), file).toBe(true);
    expect(laneOf(file) === "whole" || isAlone(file), file).toBe(true);
  }
});

/** Tests of a built file, which only a whole run has. */
function isBuilt(file: string): boolean {
  return laneOf(file) === "whole" && readFileSync(join(root, file), "utf8").includes('"dist"');
}
