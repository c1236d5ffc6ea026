import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build, type Plugin } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { CHANGED_FILES, type Change } from "../scripts/build/changed-packages.ts";
import { changed, PackageTexts } from "../scripts/build/packages.ts";

const folder = mkdtempSync(path.join(tmpdir(), "svc-packages-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PACKAGE = path.join(folder, "node_modules", "some", "index.js");
const OWN = path.join(folder, "own.js");
mkdirSync(path.dirname(PACKAGE), { recursive: true });
writeFileSync(PACKAGE, 'console.log("old")');
writeFileSync(OWN, 'console.log("ours")');

async function bundled(
  plugins: readonly Plugin[],
  listed: ConstructorParameters<typeof PackageTexts>[0] = [],
): Promise<string> {
  const texts = new PackageTexts(listed);
  const stdin = { contents: 'import "some"; import "./own.js";', resolveDir: folder };
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    write: false,
    logLevel: "silent",
    plugins: texts.guard(plugins),
  });
  texts.assertAllMet();
  return outputFiles[0]?.text ?? "";
}

function rewriting(filter: RegExp): Plugin {
  return {
    name: "rewriting",
    setup: (builds) => builds.onLoad({ filter }, () => ({ contents: 'console.log("new")' })),
  };
}

function listed(file: RegExp, ...changes: readonly Change[]) {
  return [{ package: "some", file, changes: () => changes, gain: "", until: "" }];
}

describe("the text of a package", () => {
  test("is changed in the build of these packages and of no other", () => {
    expect(CHANGED_FILES.map((entry) => entry.package)).toEqual(["h3", "ink"]);
  });

  test("goes into a bundle as it is", async () => {
    expect(await bundled([])).toContain('"old"');
  });

  test("is not changed by a plugin, which may make anything else of our own files", async () => {
    await expect(bundled([rewriting(/some.index\.js$/)])).rejects.toThrow(
      `rewriting changes the text of ${PACKAGE}`,
    );
    const text = await bundled([rewriting(/own\.js$/)]);
    expect(text).toContain('"new"');
    expect(text).toContain('"old"');
  });

  test("is changed where it is listed", async () => {
    expect(await bundled([], listed(/some.index\.js$/, ["old", "new"]))).toContain('"new"');
  });

  test("fails the build where the text or the file of a listed change is gone", async () => {
    await expect(bundled([], listed(/some.index\.js$/, ["older", ""]))).rejects.toThrow(
      "index.js no longer has older",
    );
    await expect(bundled([], listed(/moved\.js$/))).rejects.toThrow(
      String.raw`no bundle has a file that is /moved\.js$/`,
    );
  });

  test("is changed everywhere where a text stands, and once where a pattern fits", () => {
    expect(changed("file", "one two one", [["one", "1"]])).toBe("1 two 1");
    expect(changed("file", "one two one", [[/one/, "<$&>"]])).toBe("<one> two one");
    expect(() => changed("file", "one two", [[/^two/, ""]])).toThrow("file no longer has /^two/");
  });
});
