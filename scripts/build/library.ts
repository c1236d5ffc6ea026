import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { type ExportedKeys, want } from "./cross-group.ts";
import { keyOf } from "./groups.ts";
import type { PackageTexts } from "./packages.ts";

const ENTRIES = ["client", "contract", "daemon"];

/** Packages that an importing program must share with svc, so that both use the same schemas, app and driver. */
const OUTSIDE = ["better-sqlite3", "h3", "zod", "pg-native"];

/**
 * Defines `require` in the ES modules of the library, because CommonJS packages in them load Node's modules with it.
 */
const REQUIRE = `import { createRequire as __requireFrom } from "node:module";
const require = __requireFrom(import.meta.url);`;

interface LibraryOptions {
  readonly define: BuildOptions["define"];
  readonly threads: Iterable<string>;
  readonly wanted: ExportedKeys;
  readonly texts: PackageTexts;
}

/**
 * Builds the library as ES modules that share common code. `threads` has the names of the files in `out` that run as
 * worker threads. For each, the library gets a file of the same name, which loads that file.
 */
export async function buildLibrary(
  root: string,
  out: string,
  { define, threads, wanted, texts }: LibraryOptions,
): Promise<Metafile> {
  const folder = join(out, "library");
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ENTRIES.map((name) => join(root, "src", "library", `${name}.ts`)),
    outdir: folder,
    bundle: true,
    splitting: true,
    // dist/ is for CommonJS modules (type "commonjs"), so ES modules in it need the ending .mjs.
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
    plugins: texts.guard([listhenOfCommands(root, wanted)]),
  });
  for (const file of threads) writeFileSync(join(folder, file), `require("../${file}");\n`);
  return metafile;
}

/** Loads listhen from the file that the commands use, because a copy of it would be a third of the library. */
function listhenOfCommands(root: string, wanted: ExportedKeys): Plugin {
  return {
    name: "listhen-of-commands",
    setup(build) {
      build.onResolve({ filter: /^listhen$/ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (pluginData === "asked") return undefined;
        const found = await build.resolve(path, { kind, resolveDir, pluginData: "asked" });
        return { path: keyOf(root, found.path), namespace: "commands" };
      });
      build.onLoad({ filter: /./, namespace: "commands" }, ({ path: key }) => {
        want(wanted, "listhen", key);
        const load = `require("../listhen.cjs")(${JSON.stringify(key)})`;
        return { contents: `export const { listen } = ${load};` };
      });
      build.onResolve({ filter: /./, namespace: "commands" }, ({ path }) => {
        return { path, external: true };
      });
    },
  };
}
