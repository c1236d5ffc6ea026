import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const ROOMS = ["src/shared", "src/screen"].filter((room) => existsSync(join(ROOT, room)));

test.each(ROOMS)("a browser page can use %s without zod and without Node", async (room) => {
  const files = readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" });
  const { metafile } = await build({
    entryPoints: files.filter((name) => name.endsWith(".ts")).map((name) => join(ROOT, room, name)),
    absWorkingDir: ROOT,
    bundle: true,
    // The build for a browser refuses modules of Node.
    platform: "browser",
    format: "esm",
    outdir: "nowhere",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.length).toBeGreaterThanOrEqual(10);
  expect(inputs.filter((path) => path.includes("node_modules/zod/"))).toEqual([]);
});
