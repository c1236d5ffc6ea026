import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

/** Tests the built module `svc/ui`, which the test command has built. */
const folder = join(import.meta.dirname, "..", "..", "dist", "ui");
const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
const textOf = (name: string): string => readFileSync(join(folder, name), "utf8");
const gzipped = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(textOf(name), { level: 9 }).length, 0);
/** The entry and what it imports at once. */
const first = [
  "ui.js",
  ...[...textOf("ui.js").matchAll(/(?:from|import)"\.\/([^"]+)"/g)].map(([, name = ""]) => name),
];

test("the module weighs at most 40 KiB as gzip, and 85 KiB with Markdown", () => {
  expect(gzipped(first)).toBeLessThanOrEqual(40 * 1024);
  expect(gzipped(scripts)).toBeLessThanOrEqual(85 * 1024);
  // Markdown is in a script of its own.
  expect(gzipped(scripts)).toBeGreaterThan(gzipped(first) + 20 * 1024);
});

test("the module imports nothing but its own files", () => {
  const imported = scripts.flatMap((name) =>
    [...textOf(name).matchAll(/\b(?:from|import)\s*\(?\s*"([@./\w-]+)"/g)].map(
      ([, path = ""]) => path,
    ),
  );
  expect(imported.length).toBeGreaterThan(0);
  expect(imported.filter((path) => !path.startsWith("./"))).toEqual([]);
});

test("the module has no word by which a script asks, stores or starts anything", () => {
  const words =
    /\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|(?:Shared)?Worker|serviceWorker|BroadcastChannel|localStorage|sessionStorage|indexedDB|caches|cookie|eval|new Function)\b/g;
  for (const name of scripts) expect([name, textOf(name).match(words)]).toEqual([name, null]);
});

test("importing the module without a DOM registers nothing and leaves nothing running", () => {
  const script = `const before = Object.keys(globalThis).length;
    const { supportsApiSchema } = await import(${JSON.stringify(join(folder, "ui.js"))});
    const resources = process.getActiveResourcesInfo().filter((kind) => kind !== "PipeWrap");
    console.log(JSON.stringify([supportsApiSchema("0.22.0"), supportsApiSchema(""),
      Object.keys(globalThis).length - before, resources]));`;
  const args = ["--input-type=module", "-e", script];
  const said = execFileSync(process.execPath, args, { encoding: "utf8" });
  expect(JSON.parse(said)).toEqual([true, false, 0, []]);
});
