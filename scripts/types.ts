/**
 * Writes the type declarations of the modules that `package.json` exports into types/. TypeScript generates the
 * declarations from the source. Only files that the exports use are kept. `npm run pack` runs this script. The folder
 * types/ is made in the root, or in the folder that an argument names.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dirname, "..");
const target = process.argv[2] ?? root;
const LIBRARY = ["client", "contract", "daemon"].map((name) => `library/${name}.ts`);
/** The declarations of `svc/ui` may use the browser's DOM, so they are made apart from the others. */
const UI = "web/embed/index.ts";

const made = mkdtempSync(join(tmpdir(), "svc-types-"));
try {
  const draft = join(target, `.types-${process.pid}`);
  const kept = new Map([
    ...declarationsOf("tsconfig.json", "src", LIBRARY),
    ...declarationsOf("web/tsconfig.json", ".", [UI, "web/build.d.ts"]),
  ]);
  for (const [path, text] of kept) {
    mkdirSync(dirname(join(draft, path)), { recursive: true });
    writeFileSync(join(draft, path), text);
  }
  rmSync(join(target, "types"), { recursive: true, force: true });
  renameSync(draft, join(target, "types"));
  console.log(`types/ has ${kept.size} files`);
} finally {
  rmSync(made, { recursive: true, force: true });
}

/**
 * The declarations of source files, by path. `config` has the settings of their type check. `folder` contains all source
 * files that they use; `files` and the paths of the result are relative to it.
 */
function declarationsOf(
  config: string,
  folder: string,
  files: readonly string[],
): ReadonlyMap<string, string> {
  const out = join(made, config.replaceAll("/", "-"));
  const project = `${out}.json`;
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    noCheck: true,
    stripInternal: true,
    incremental: false,
    tsBuildInfoFile: null,
    rootDir: join(root, folder),
    outDir: out,
    typeRoots: [join(root, "node_modules", "@types")],
  };
  const settings = {
    extends: join(root, config),
    compilerOptions,
    include: [],
    files: files.map((path) => join(root, folder, path)),
  };
  writeFileSync(project, JSON.stringify(settings));
  const tsc = join(root, "node_modules", "@typescript", "native", "bin", "tsc");
  execFileSync(process.execPath, [tsc, "--project", project], { stdio: "inherit" });
  const entries = files.filter((path) => !path.endsWith(".d.ts"));
  return textsByPath(
    out,
    entries.map((path) => path.replace(/\.ts$/, ".d.ts")),
  );
}

/** The texts of the declaration files that the exports use, by path. Imports in them get the ending .js. */
function textsByPath(folder: string, entries: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const open = [...entries];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (texts.has(path)) continue;
    const text = readFileSync(join(folder, path), "utf8").replaceAll(
      /(["'])(\.\.?\/[^"']+)\.(?:ts|js)\1/g,
      "$1$2.js$1",
    );
    texts.set(path, text);
    for (const [, from = ""] of text.matchAll(/["'](\.\.?\/[^"']+)\.js["']/g))
      open.push(relative(folder, join(folder, dirname(path), `${from}.d.ts`)));
  }
  return texts;
}
