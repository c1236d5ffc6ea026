import { isBuiltin } from "node:module";
import { join } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import type { PackageTexts } from "./packages.ts";
import { isWanted } from "./speed.ts";
import { standIn } from "./stand-in.ts";

/**
 * Builds the terminal screen as one file, whose compiled code is saved after a run. The file has its own copy of the
 * client's classes. This is safe, because the screen never checks the class of an object that the command gave it.
 */
export async function buildScreen(
  root: string,
  out: string,
  texts: PackageTexts,
): Promise<Metafile> {
  const { metafile } = await build({
    ...screenSettings(root, texts),
    entryPoints: [screenFile("entry.js")],
    outfile: join(out, SCREEN),
    banner: { js: BEFORE },
    footer: { js: AFTER },
    metafile: true,
  });
  return metafile;
}

export function screenSettings(root: string, texts: PackageTexts): BuildOptions {
  return {
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    // Ink and its layout engine await at their top level, which only ES modules can do.
    format: "esm",
    // With an older target, the regular expressions of string-width are created again for each cell.
    target: "esnext",
    // A native import() in CommonJS starts Node's ES module loader, which takes milliseconds.
    supported: { "dynamic-import": false },
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    legalComments: "none",
    logLevel: "warning",
    define: {
      "process.env.NODE_ENV": '"production"',
      "import.meta.url": "__moduleUrl",
      // Ink's layout engine calls fetch to read its own code from a data URL, which makes Node load Fetch. Without
      // fetch it decodes the text itself.
      fetch: "undefined",
      // Ink uses this function only to find React's developer tools, which are not installed.
      "import.meta.resolve": "undefined",
      ...(isWanted("late-segmenter") ? { "Intl.Segmenter": "LateSegmenter" } : {}),
    },
    inject: [join(import.meta.dirname, "module-url.js"), screenFile("segmenter.js")],
    plugins: texts.guard([
      requiredBuiltins(),
      noDevtools(),
      standIn(
        "string-width",
        screenFile(isWanted("late-width") ? "string-width.js" : "one-width.js"),
      ),
      standIn("zod", screenFile("zod.js")),
    ]),
  };
}

/**
 * The text before the code of the screen. Node's ES modules start slowly, and their compiled code cannot be saved after
 * a run. So the built file is a script, and its code is inside an async function, because it awaits at its top level.
 */
const BEFORE =
  '(function (exports, require, module, __filename, __dirname) { exports.loaded = (async () => { "use strict"; const screenExports = {};';
const AFTER = "return screenExports; })(); })";

/** Loads Node's own modules with `require`, because the built file is a script, which has no import statements. */
function requiredBuiltins(): Plugin {
  return {
    name: "required-builtins",
    setup(build) {
      build.onResolve({ filter: /./ }, ({ path, namespace }) => {
        if (!isBuiltin(path)) return undefined;
        return namespace === BUILTIN ? { path, external: true } : { path, namespace: BUILTIN };
      });
      build.onLoad({ filter: /./, namespace: BUILTIN }, ({ path }) => ({
        contents: `module.exports = require(${JSON.stringify(path)});`,
      }));
    },
  };
}

const BUILTIN = "builtin";

/** Leaves React's developer tools out of the file. Ink loads them only with DEV=true and if they are installed. */
function noDevtools(): Plugin {
  return {
    name: "no-devtools",
    setup(build) {
      build.onResolve({ filter: /^\.\/devtools\.js$/ }, ({ path }) => ({ path, external: true }));
    },
  };
}

function screenFile(file: string): string {
  return join(import.meta.dirname, "screen", file);
}

/**
 * Replaces the module that a command imports to open the screen. The replacement makes the launcher load the screen's
 * file, and exports `then`, so that the command's import() waits until that file is loaded.
 */
export function screenEntry(): Plugin {
  return {
    name: "screen-entry",
    setup(build) {
      build.onResolve({ filter: /\/tui\/index\.ts$/ }, () => ({ path: SCREEN, namespace: ENTRY }));
      build.onLoad({ filter: /./, namespace: ENTRY }, () => ({
        contents: `const { loaded } = require("../run.cjs").load(${JSON.stringify(SCREEN)}, "screen");
exports.then = (done, failed) => void loaded.then(done, failed);`,
        loader: "js",
      }));
      build.onResolve({ filter: /./, namespace: ENTRY }, ({ path }) => ({ path, external: true }));
    },
  };
}

export const SCREEN = "tui.cjs";
const ENTRY = "screen-entry";
