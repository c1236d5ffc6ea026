import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { expect, test } from "vitest";
import { bundledPackages, thirdPartyNotices } from "../scripts/build/notices.ts";
import { tempFolder } from "./support/daemon.ts";

type Files = Readonly<Record<string, string>>;

/** The notices of one bundle that contains a package `some` with these files. */
function noticesOf(files: Files, name = "some"): string {
  const root = tempFolder();
  const folder = join(root, "node_modules", name);
  mkdirSync(folder, { recursive: true });
  const manifest = { name, version: "1.2.3", license: "MIT" };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const input = `node_modules/${name}/index.js`;
  const metafile: Metafile = {
    inputs: {
      [input]: { bytes: 1, imports: [] },
      "stand-in:node_modules/other/x.js": { bytes: 1, imports: [] },
    },
    outputs: {},
  };
  return thirdPartyNotices(root, [metafile]);
}

test.each<[string, Files, string]>([
  ["a file LICENSE", { LICENSE: "may be used" }, "may be used"],
  ["a file licence.md", { "licence.md": "may be used" }, "may be used"],
  ["a file LICENSE-MIT.txt", { "LICENSE-MIT.txt": "may be used" }, "may be used"],
  ["a file COPYING", { COPYING: "may be used" }, "may be used"],
  ["a licence and a notice", { LICENSE: "may be used", NOTICE: "by ann" }, "may be used\n\nby ann"],
  [
    "a section of README.md",
    { "README.md": "# some\n\n## License\n\nPermission is granted.\n\n## More\n\nno\n" },
    "Permission is granted.",
  ],
  [
    "a section at the end of README.md",
    { "README.md": "# some\n\n## license\n\nPermission is granted.\n\nAs is.\n" },
    "Permission is granted.\n\nAs is.",
  ],
])("the licence of a bundled package is taken from %s", (_from, files, text) => {
  expect(noticesOf(files)).toBe(
    `svc contains code of these packages.\n\n--- some 1.2.3 (MIT)\n\n${text}\n`,
  );
});

test.each<[string, Files]>([
  ["no file", {}],
  ["an empty file", { LICENSE: "\n" }],
  ["a README that only names it", { "README.md": "# some\n\n## License\n\nMIT\n" }],
  ["only a notice", { NOTICE: "by ann" }],
  ["a module of that name", { "license-checker.js": "may be used" }],
])("the build fails if the licence of a bundled package is in %s", (_where, files) => {
  expect(() => noticesOf(files)).toThrow(
    "some 1.2.3 is in a bundle, but has no text of its licence",
  );
});

test("a package that publishes no text has the one that is kept", () => {
  expect(noticesOf({}, "yoga-layout")).toContain("Copyright (c) Meta Platforms");
});

test("the packages can be read from the notices", () => {
  expect(bundledPackages(noticesOf({ LICENSE: "--- not a package" }))).toEqual([
    { name: "some", version: "1.2.3", license: "MIT" },
  ]);
});
