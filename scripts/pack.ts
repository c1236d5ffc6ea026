/**
 * Makes the tarball of a release, `svc-<version>.tgz`, in the folder in which it is called: builds svc, and packs a copy
 * that has what only a package has (types, bill of materials, manual pages in package.json). Words behind the script go
 * to `npm pack`.
 *
 *   npm run pack [-- <words>]
 *
 * `--refuse` is what `npm pack` and `npm publish` of the repository itself end with: they would pack other files.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundledPackages } from "./build/notices.ts";
import { npmBom, releaseBom } from "./build/sbom.ts";

const root = join(import.meta.dirname, "..");
/** What npm packs besides the folders and files of `files` in package.json. */
const ALWAYS_PACKED = ["package.json", "README.md", "LICENSE"];

/** Copies what npm packs of the built repository to a new folder, and completes it there. */
export function stagePackage(folder: string): void {
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const path of [...ALWAYS_PACKED, ...files])
    if (existsSync(join(root, path)) && path !== "types")
      cpSync(join(root, path), join(folder, path), { recursive: true });
  completePackage(folder);
}

/**
 * Completes the package in `folder`, which has package.json and what it names, and a built dist/: types/,
 * dist/sbom.cdx.json, and a package.json for those who install it. The permissions of all files become those that any
 * user may read, whatever umask they were made with.
 */
function completePackage(folder: string): void {
  run("scripts/types.ts", [folder]);
  const notices = readFileSync(join(folder, "dist", "THIRD-PARTY.txt"), "utf8");
  const bom = releaseBom(npmBom(root), bundledPackages(notices));
  writeFileSync(join(folder, "dist", "sbom.cdx.json"), `${JSON.stringify(bom, null, 1)}\n`);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const pages = readdirSync(join(folder, "dist", "man")).sort();
  const published = publishedManifest(manifest, pages);
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  for (const path of [...ALWAYS_PACKED, ...manifest.files])
    if (!path.startsWith("!")) setModes(join(folder, path));
}

/** package.json without what serves the repository only: its scripts would be those of whoever installs svc. */
function publishedManifest(
  manifest: Readonly<Record<string, unknown>>,
  pages: readonly string[],
): Readonly<Record<string, unknown>> {
  const { scripts: _, devDependencies: __, allowScripts: ___, ...rest } = manifest;
  return { ...rest, man: pages.map((page) => `./dist/man/${page}`) };
}

function setModes(path: string): void {
  if (!existsSync(path)) return;
  const { mode } = statSync(path);
  const isFolder = statSync(path).isDirectory();
  chmodSync(path, isFolder || (mode & 0o100) !== 0 ? 0o755 : 0o644);
  if (isFolder) for (const name of readdirSync(path)) setModes(join(path, name));
}

/** The instant of the release: that of its commit, or undefined if there is none or files have changed since. */
function commitEpoch(): string | undefined {
  const git = (...words: string[]): string =>
    execFileSync("git", words, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  try {
    if (git("rev-parse", "--show-cdup").trim() !== "" || git("status", "--porcelain") !== "")
      return undefined;
    return git("log", "-1", "--format=%ct").trim();
  } catch {
    return undefined;
  }
}

function run(script: string, words: readonly string[], env = process.env): void {
  execFileSync(process.execPath, [join(root, script), ...words], { stdio: "inherit", env });
}

function pack(words: readonly string[]): void {
  process.umask(0o022);
  const epoch = process.env["SOURCE_DATE_EPOCH"] ?? commitEpoch();
  const env = epoch === undefined ? {} : { SOURCE_DATE_EPOCH: epoch };
  run("scripts/build.ts", [], { ...process.env, ...env });
  const folder = mkdtempSync(join(tmpdir(), "svc-pack-"));
  try {
    stagePackage(folder);
    const packing = ["pack", "--ignore-scripts", "--pack-destination", process.cwd(), ...words];
    execFileSync("npm", packing, { cwd: folder, stdio: "inherit" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const REFUSED = `svc: npm would pack the repository as it is, which is not the package of a release.
npm run pack makes the package; npm publish ./svc-<version>.tgz publishes it.`;

if (process.argv[1] === import.meta.filename) {
  const words = process.argv.slice(2);
  if (words[0] === "--refuse") {
    console.error(REFUSED);
    process.exitCode = 1;
  } else pack(words);
}
