import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";
import type { PackageTexts } from "./packages.ts";

/** What `package.json` exports. */
const DOORS = ["client", "contract", "daemon"];

/** What a program brings that imports svc, so that both use the same: schemas, app and driver. */
const OUTSIDE = ["better-sqlite3", "h3", "zod", "pg-native"];

/** CommonJS packages in an ES module ask for Node's own modules by `require`. */
const REQUIRE = `import { createRequire as __requireFrom } from "node:module";
const require = __requireFrom(import.meta.url);`;

/** The library, as ES modules that share what they have in common. `threads` are files of the folder above. */
export async function buildLibrary(
  root: string,
  out: string,
  {
    define,
    threads,
    texts,
  }: {
    readonly define: BuildOptions["define"];
    readonly threads: Iterable<string>;
    readonly texts: PackageTexts;
  },
): Promise<Metafile> {
  const folder = join(out, "library");
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: DOORS.map((name) => join(root, "src", "library", `${name}.ts`)),
    outdir: folder,
    bundle: true,
    splitting: true,
    // The folder above is one of CommonJS.
    outExtension: { ".js": ".mjs" },
    platform: "node",
    format: "esm",
    target: "node22",
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    external: OUTSIDE,
    define: { ...define },
    banner: { js: REQUIRE },
    plugins: texts.guard([]),
  });
  for (const file of threads) writeFileSync(join(folder, file), `require("../${file}");\n`);
  return metafile;
}
