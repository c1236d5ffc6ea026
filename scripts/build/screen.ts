import { join } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { wholeLines } from "./ink.ts";

/**
 * The terminal screen in one file of its own: Ink's layout engine is loaded by an await at module level, which only ES
 * modules have. It brings its own copy of the client; nothing of it is compared with what the command hands over.
 */
export async function buildScreen(root: string, out: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(root, "tui", "index.ts")],
    outfile: join(out, "tui.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    // An older target turns the regular expressions of string-width into ones that are built for each cell.
    target: "esnext",
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    legalComments: "none",
    logLevel: "warning",
    define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
    // The layout engine fetches a data: URL, for which Node would load its whole HTTP client; without fetch it decodes.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url); const { fetch: heldBack } = globalThis; globalThis.fetch = undefined;',
    },
    footer: { js: "globalThis.fetch = heldBack;" },
    plugins: [
      wholeLines(),
      without("react-devtools-core", "export default {};"),
      without("zod", NO_SCHEMAS),
    ],
    metafile: true,
  });
  return metafile;
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

/** Where a command opens the screen it asks for that file. */
export function screenDoor(): Plugin {
  return {
    name: "screen-door",
    setup(build) {
      build.onResolve({ filter: /\/tui\/index\.ts$/ }, () => ({
        path: "../tui.mjs",
        external: true,
      }));
    },
  };
}
