/**
 * Writes the type declarations of the modules that `package.json` exports into types/. TypeScript generates the
 * declarations from the source. Only files that the exports use are kept. `npm pack` runs this script. The folder
 * types/ is made in the root, or in the folder that an argument names.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dirname, "..");
const target = process.argv[2] ?? root;
const ENTRIES = ["client", "contract", "daemon"].map((name) => `library/${name}.d.ts`);

const made = mkdtempSync(join(tmpdir(), "svc-types-"));
try {
  const project = join(made, "tsconfig.json");
  writeFileSync(project, JSON.stringify(compilerSettings()));
  const tsc = join(root, "node_modules", "@typescript", "native", "bin", "tsc");
  execFileSync(process.execPath, [tsc, "--project", project], { stdio: "inherit" });
  const draft = join(target, `.types-${process.pid}`);
  const kept = textsByPath(join(made, "out"));
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

function compilerSettings() {
  return {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      noCheck: true,
      stripInternal: true,
      rootDir: join(root, "src"),
      outDir: join(made, "out"),
      typeRoots: [join(root, "node_modules", "@types")],
    },
    include: [],
    files: ENTRIES.map((path) => join(root, "src", path.replace(/\.d\.ts$/, ".ts"))),
  };
}

/** The texts of the declaration files that the exports use, by path. Imports in them get the ending .js. */
function textsByPath(folder: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const open = [...ENTRIES];
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
