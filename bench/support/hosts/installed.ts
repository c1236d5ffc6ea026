import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * This folder is outside of the repository, because the project does not depend on these packages. A second run uses
 * the packages that it finds here.
 */
const CACHE = path.join(tmpdir(), "svc-bench-hosts");

/** Installs the packages of a program unless they are there, and returns their folder. */
export function installed(packages: readonly string[]): string {
  const folder = path.join(CACHE, packages.join("+").replaceAll(/[^\w.+-]/g, "_"));
  if (existsSync(folder)) return folder;
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  writeFileSync(path.join(fresh, "package.json"), '{"private": true, "type": "module"}\n');
  const words = ["install", "--no-audit", "--no-fund", "--no-save", ...packages];
  execFileSync("npm", words, { cwd: fresh, stdio: ["ignore", "ignore", "inherit"] });
  renameSync(fresh, folder);
  return folder;
}

/**
 * Copies a script into the folder of the packages that it imports, because Node looks for packages only in the folders
 * above a script.
 */
export function besidePackages(script: string, packages: string): string {
  const copy = path.join(packages, path.basename(script));
  copyFileSync(script, copy);
  return copy;
}
