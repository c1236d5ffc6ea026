import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { type BuildOptions, build, type Metafile, type OutputFile } from "esbuild";
import {
  ASSETS_FOLDER,
  ASSETS_PATH,
  MANIFEST_FILE,
  PAGE_FILE,
  type PageFile,
  type PageManifest,
} from "../../src/daemon/page/manifest.ts";
import type { PackageTexts } from "./packages.ts";
import { firstLoad, linked } from "./page.ts";
import { writeEncoded } from "./page-files.ts";

/** The maximum size of the scripts that a browser needs before the first view, in bytes after gzip. */
export const FIRST_LOAD_LIMIT = 150 * 1024;

export interface WebBuild {
  readonly metafiles: readonly Metafile[];
  /** The size of the scripts that a browser loads before it shows anything, in bytes after gzip. */
  readonly firstLoad: number;
}

export async function buildWeb(
  root: string,
  out: string,
  defined: Readonly<Record<string, string>>,
  texts: PackageTexts,
): Promise<WebBuild> {
  const settings = browserSettings(root, texts);
  const workers = await build({
    ...settings,
    entryPoints: workerFiles(root),
    splitting: false,
    define: { ...settings.define, ...defined },
  });
  const { outputFiles, metafile } = await build({
    ...settings,
    entryPoints: ["web/main.tsx", "web/styles/index.css", "web/icon.svg"],
    splitting: true,
    define: {
      ...settings.define,
      ...defined,
      WORKER_URLS: JSON.stringify(workerUrls(workers.metafile)),
    },
  });
  const first = firstLoad(metafile, "web/main.tsx");
  const page = linked(readFileSync(join(root, "web", PAGE_FILE), "utf8"), metafile, first);
  await writeAll(join(out, "web"), page, [...workers.outputFiles, ...outputFiles]);
  const scripts = outputFiles.filter(({ path }) => first.includes(basename(path)));
  return {
    metafiles: [workers.metafile, metafile],
    firstLoad: scripts.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0),
  };
}

/** The settings of esbuild for code that runs in a browser. */
export function browserSettings(root: string, texts: PackageTexts) {
  return {
    absWorkingDir: root,
    // No file is written. This folder only appears in the paths of the metafile.
    outdir: ASSETS_FOLDER,
    write: false,
    metafile: true,
    bundle: true,
    platform: "browser",
    format: "esm",
    // The styles use the CSS function light-dark(). These are the first releases of the browsers that have it.
    target: ["chrome123", "firefox120", "safari17.5"],
    jsx: "automatic",
    minify: true,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    publicPath: ASSETS_PATH,
    loader: { ".svg": "copy" },
    legalComments: "none",
    logLevel: "warning",
    alias: SMALL_REACT,
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: texts.guard([]),
  } as const satisfies BuildOptions;
}

/**
 * The page is written for React and built with Preact, which has the same functions in 10 KiB instead of 69. React and
 * the shared state alone would fill the limit of the first load.
 */
const SMALL_REACT = {
  react: "preact/compat",
  "react-dom": "preact/compat",
  "react-dom/client": "preact/compat/client",
  "react/jsx-runtime": "preact/jsx-runtime",
};

/** The files of web/workers. Each becomes a separate script, which `new Worker(WORKER_URLS.<name>)` runs. */
function workerFiles(root: string): string[] {
  const folder = join(root, "web", "workers");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `web/workers/${file}`);
}

function workerUrls({ outputs }: Metafile): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
      entryPoint === undefined
        ? []
        : [[basename(entryPoint, ".ts"), `${ASSETS_PATH}/${basename(path)}`]],
    ),
  );
}

async function writeAll(
  folder: string,
  page: string,
  outputs: readonly OutputFile[],
): Promise<void> {
  const assets = join(folder, ASSETS_FOLDER);
  mkdirSync(assets, { recursive: true });
  const entries = outputs.map(async ({ path, contents }) => {
    const name = basename(path);
    return [name, await writeEncoded(join(assets, name), contents)] as const;
  });
  const manifest: PageManifest = {
    page: await writeEncoded(join(folder, PAGE_FILE), Buffer.from(page)),
    assets: Object.fromEntries<PageFile>((await Promise.all(entries)).sort(byName)),
  };
  writeFileSync(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest)}\n`);
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
