import { join } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { wholeLines } from "./ink.ts";
import { laterOrNever } from "./later.ts";
import { quickWidth } from "./width.ts";
import { yogaAtOnce } from "./yoga.ts";

/**
 * The terminal screen in one file of its own, whose code is kept as it was after a run. It brings its own copy of the
 * client; nothing of it is compared with what the command hands over.
 */
export async function buildScreen(root: string, out: string): Promise<Metafile> {
  const { metafile } = await build({
    ...screenSettings(root),
    entryPoints: [join(root, "tui", "index.ts")],
    outfile: join(out, SCREEN),
    metafile: true,
  });
  return metafile;
}

export function screenSettings(root: string): BuildOptions {
  return {
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    format: "cjs",
    // An older target turns the regular expressions of string-width into ones that are built for each cell.
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
      "process.env.DEV": '"false"',
      "import.meta.url": "__filename",
    },
    plugins: [
      wholeLines(),
      laterOrNever(),
      yogaAtOnce(),
      quickWidth(root),
      without("zod", NO_SCHEMAS),
    ],
  };
}

/** The screen takes the daemon's answers as they are, so no schema of the contract is ever built in it. */
const NO_SCHEMAS = "export const z = undefined;";

function without(name: string, contents: string): Plugin {
  return {
    name: `without-${name}`,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: name }));
      build.onLoad({ filter: /./, namespace: name }, () => ({ contents, loader: "js" }));
    },
  };
}

/** Where a command opens the screen, the launcher loads that file. */
export function screenDoor(): Plugin {
  return {
    name: "screen-door",
    setup(build) {
      build.onResolve({ filter: /\/tui\/index\.ts$/ }, () => ({ path: SCREEN, namespace: DOOR }));
      build.onLoad({ filter: /./, namespace: DOOR }, () => ({
        contents: `module.exports = require("../run.cjs").load(${JSON.stringify(SCREEN)}, "screen");`,
        loader: "js",
      }));
      build.onResolve({ filter: /./, namespace: DOOR }, ({ path }) => ({ path, external: true }));
    },
  };
}

export const SCREEN = "tui.cjs";
const DOOR = "screen-door";
