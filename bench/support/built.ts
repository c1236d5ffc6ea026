import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** Builds a commit of this repository in the folder, with the packages of today as hard links. Returns its folder. */
export function built(commit: string, folder: string): string {
  const at = path.join(folder, commit);
  mkdirSync(at);
  const archive = execFileSync("git", ["archive", commit], { cwd: ROOT, maxBuffer: 1 << 30 });
  execFileSync("tar", ["-x", "-C", at], { input: archive });
  execFileSync("cp", ["-al", path.join(ROOT, "node_modules"), at]);
  execFileSync(process.execPath, ["scripts/build.ts"], { cwd: at, stdio: "ignore" });
  return at;
}
