import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..");
const PACKED = ["bin", "dist", "api", "package.json", "README.md", "LICENSE", "CHANGELOG.md"];
/** What the packed modules import, and what a host of the examples has. */
const BESIDE = [
  ...["better-sqlite3", "h3", "rou3", "srvx", "zod", "react", "react-dom", "scheduler"],
  ...["@types/node", "@types/react", "@types/react-dom", "csstype", "undici-types"],
];

/**
 * A new project in which the package is installed as `npm pack` gives it: `node_modules/svc` has the files of the
 * tarball. It is removed after the tests of the file.
 */
export function projectWithPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-embed-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const clone = join(folder, "clone");
  const installed = join(folder, "node_modules", "svc");
  mkdirSync(clone);
  mkdirSync(installed, { recursive: true });
  // Packs a copy, because another test may pack the repository at the same time.
  for (const path of PACKED) cpSync(join(root, path), join(clone, path), { recursive: true });
  execFileSync(process.execPath, [join(root, "scripts", "types.ts"), clone]);
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const said = execFileSync("npm", pack, { cwd: clone, encoding: "utf8", stdio: "pipe" });
  const [packed] = JSON.parse(said) as readonly { readonly filename: string }[];
  const tarball = join(folder, packed?.filename ?? "");
  execFileSync("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
  rmSync(clone, { recursive: true });
  for (const name of BESIDE) linkBeside(folder, name);
  return folder;
}

function linkBeside(folder: string, name: string): void {
  const from = join(root, "node_modules", name);
  if (!existsSync(from)) return;
  const to = join(folder, "node_modules", name);
  mkdirSync(join(to, ".."), { recursive: true });
  symlinkSync(from, to);
}
