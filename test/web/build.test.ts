import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Metafile } from "esbuild";
import { describe, expect, test } from "vitest";
import { firstLoad, linked } from "../../scripts/build/page.ts";
import { FIRST_LOAD_LIMIT } from "../../scripts/build/web.ts";
import { readPage } from "../../src/daemon/page/files.ts";
import {
  ASSETS_PATH,
  ENDINGS,
  PAGE_PATH,
  type PageManifest,
} from "../../src/daemon/page/manifest.ts";

/** Tests the built page in dist/web, which the test command has built. */
const folder = join(import.meta.dirname, "..", "..", "dist", "web");
const served = readPage(folder);
const page = served?.get(PAGE_PATH)?.plain.toString() ?? "";
const manifest: PageManifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
const assets = Object.entries(manifest.assets);

describe("the built page", () => {
  test(`needs at most ${FIRST_LOAD_LIMIT / 1024} KiB of script, as gzip, before it shows anything`, () => {
    const scripts = [...page.matchAll(/(?:src|modulepreload" href)="\/svc\/assets\/([^"]+\.js)"/g)];
    expect(scripts.length).toBeGreaterThan(0);
    // A small script may have no form as gzip, since that would be larger.
    const bytes = scripts.map(([, name = ""]) => {
      const isZipped = manifest.assets[name]?.encodings.includes("gzip") === true;
      return readFileSync(join(folder, "assets", name + (isZipped ? ENDINGS.gzip : "")));
    });
    expect(Buffer.concat(bytes).length).toBeLessThanOrEqual(FIRST_LOAD_LIMIT);
  });

  test("refers only to assets of the manifest", () => {
    const named = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path = ""]) => path);
    const known = assets.map(([name]) => `/svc/assets/${name}`);
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((path) => !known.includes(path))).toEqual([]);
  });

  test("has no inline script or style, since the browser refuses them", () => {
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
  });

  test("has the files of the manifest and no others", () => {
    const listed = assets.flatMap(([name, { encodings }]) => [
      ...(encodings.includes("gzip") ? [] : [name]),
      ...encodings.map((encoding) => name + ENDINGS[encoding]),
    ]);
    expect(readdirSync(join(folder, "assets")).sort()).toEqual(listed.sort());
  });

  test("has a hash in the name of each asset, and the same bytes in each encoding", () => {
    expect(assets.length).toBeGreaterThan(2);
    for (const [name, { encodings }] of assets) {
      expect(name).toMatch(/^[\w.-]+-[0-9A-Z]{8}\.(js|css|svg)$/);
      const plain = served?.get(`${ASSETS_PATH}/${name}`)?.plain ?? Buffer.alloc(0);
      for (const encoding of encodings) {
        const encoded = readFileSync(join(folder, "assets", name + ENDINGS[encoding]));
        const decode = encoding === "br" ? brotliDecompressSync : gunzipSync;
        expect(decode(encoded).equals(plain)).toBe(true);
        expect(encoded.length).toBeLessThan(plain.length);
      }
    }
  });

  test("names the licences of the packages in it", () => {
    const notices = readFileSync(join(folder, "..", "THIRD-PARTY.txt"), "utf8");
    expect(notices).toContain("--- preact ");
  });
});

describe("the preload links of the page", () => {
  const output = (imports: Metafile["outputs"][string]["imports"], entryPoint?: string) => ({
    bytes: 1,
    inputs: {},
    exports: [],
    imports,
    ...(entryPoint === undefined ? {} : { entryPoint }),
  });
  const outputs = {
    "assets/main-A.js": output(
      [
        { path: "assets/one-B.js", kind: "import-statement" },
        { path: "assets/late-C.js", kind: "dynamic-import" },
      ],
      "web/main.tsx",
    ),
    "assets/one-B.js": output([
      { path: "assets/two-D.js", kind: "import-statement" },
      { path: "assets/main-A.js", kind: "import-statement" },
    ]),
    "assets/two-D.js": output([]),
    "assets/late-C.js": output([]),
    "assets/icon-E.svg": { ...output([]), inputs: { "web/icon.svg": { bytesInOutput: 1 } } },
  } satisfies Metafile["outputs"];

  test("name its entry and each script that the entry imports statically", () => {
    const first = firstLoad({ inputs: {}, outputs }, "web/main.tsx");
    expect(first).toEqual(["main-A.js", "one-B.js", "two-D.js"]);
    const template = '<link href="./icon.svg" />\n<script src="./main.tsx"></script>\n';
    expect(linked(template, { inputs: {}, outputs }, first)).toBe(
      `<link href="/svc/assets/icon-E.svg" />
    <link rel="modulepreload" href="/svc/assets/one-B.js" />
    <link rel="modulepreload" href="/svc/assets/two-D.js" />
<script src="/svc/assets/main-A.js"></script>
`,
    );
  });

  test("stop the build if their target is missing", () => {
    expect(() => linked('<img src="./gone.svg">', { inputs: {}, outputs }, [])).toThrow(
      "the build made nothing of web/gone.svg",
    );
  });
});
