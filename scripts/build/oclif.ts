import { readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join, resolve, sep } from "node:path";
import type { Plugin } from "esbuild";
import { keyOf } from "./groups.ts";

const OWN = `${sep}@oclif${sep}core${sep}lib${sep}`;
const LATE = "late";
const helper = join(import.meta.dirname, "late.cjs");

/**
 * Makes each `require` in oclif return a stand-in, which loads the required file when something of that file is used.
 * Otherwise each file of oclif would load everything that it may need, most of which a command never uses. The text of
 * oclif is not changed.
 */
export function lateOclif(root: string): Plugin {
  return {
    name: "late-oclif",
    setup(build) {
      build.onResolve({ filter: /^[^/]*$|^\.{1,2}\// }, ({ path, importer, namespace, kind }) => {
        const isLate = namespace === "file" && kind === "require-call" && importer.includes(OWN);
        if (!isLate || path.endsWith(".json")) return undefined;
        const core = importer.slice(0, importer.lastIndexOf(OWN) + OWN.length);
        const wanted = path.startsWith(".") ? resolve(dirname(importer), path) : path;
        // Each stand-in gets a path in oclif's folder, so that it goes to the same file of dist/ as oclif. The path begins
        // at the root, because esbuild writes it into that file, which must not depend on where the repository is.
        const place = path.startsWith(".") ? wanted : join(core, path.replace(":", sep));
        return {
          path: `/${keyOf(root, place)}`,
          namespace: LATE,
          pluginData: { wanted, importer },
        };
      });
      build.onLoad({ filter: /./, namespace: LATE }, ({ pluginData }) => {
        const { wanted, importer } = pluginData as { wanted: string; importer: string };
        const isTranspiled = saysEsModule(wanted, importer);
        const load = `() => require(${JSON.stringify(wanted)})`;
        return {
          contents: `module.exports = require(${JSON.stringify(helper)})(${load}, ${isTranspiled});`,
          resolveDir: dirname(importer),
          loader: "js",
        };
      });
    },
  };
}

function saysEsModule(wanted: string, importer: string): boolean {
  if (isBuiltin(wanted)) return false;
  try {
    return readFileSync(createRequire(importer).resolve(wanted), "utf8").includes("__esModule");
  } catch {
    // The file is of a package that is not installed. That is an error only if the stand-in is used and loads the file.
    return false;
  }
}
