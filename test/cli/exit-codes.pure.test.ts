import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CONTRACT, EXIT_CODE_GUIDE } from "../../src/cli/agent-files/guide.ts";
import { EXIT_CODES, NOTHING_LEFT } from "../../src/cli/failure/failure.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** In the guide, each code stands before its meaning. */
const documented = new Set(
  [...EXIT_CODE_GUIDE.matchAll(/(?:^|\n| {3,}) *(\d+) /g)].map(([, code]) => Number(code)),
);

test("svc quickstart --format contract and docs/commands.md list exactly the exit codes that svc uses", () => {
  expect(documented).toEqual(new Set([0, ...Object.values(EXIT_CODES), NOTHING_LEFT]));
  expect(CONTRACT).toContain(EXIT_CODE_GUIDE);
  const page = readFileSync(join(ROOT, "docs", "commands.md"), "utf8");
  expect(page).toContain(EXIT_CODE_GUIDE);
});

test("no source file makes svc exit with an undocumented exit code", () => {
  const found: string[] = [];
  for (const folder of ["bin", "commands", "src", "tui"]) {
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.(?:js|ts)$/.test(name)) continue;
      const text = readFileSync(join(ROOT, folder, name), "utf8");
      const ends = /(?:exitWith|process\.exit)\((\d+)\)|exitCode = (\d+)/g;
      for (const [whole, given, set] of text.matchAll(ends))
        if (!documented.has(Number(given ?? set))) found.push(`${folder}/${name}: ${whole}`);
    }
  }
  expect(found).toEqual([]);
});
