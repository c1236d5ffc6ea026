import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  /** A package of this repository, installed by its path. */
  readonly link?: true;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, "..");
const lock: { packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
  readFileSync(join(root, "package-lock.json"), "utf8"),
);
type Manifest = Readonly<Record<string, Readonly<Record<string, string>>>>;
const manifests = ["package.json", "tools/node/package.json"].map(
  (path): Manifest => JSON.parse(readFileSync(join(root, path), "utf8")),
);

test("the lock file has the packages of every platform, not only of the one it was written on", () => {
  const missing = Object.entries(lock.packages).flatMap(([at, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(at, name))
      .map((name) => `${at || "svc"} needs ${name}`),
  );
  expect(missing).toEqual([]);
});

test("the lock file names no registry, so that it installs from any", () => {
  const bound = Object.entries(lock.packages).filter(
    ([, { resolved, link }]) => resolved !== undefined && link !== true,
  );
  expect(bound.map(([at]) => at)).toEqual([]);
});

test("every dependency is pinned to one version", () => {
  const groups = ["dependencies", "devDependencies", "optionalDependencies"];
  const loose = manifests
    .flatMap((manifest) => groups.flatMap((group) => Object.entries(manifest[group] ?? {})))
    .filter(([, version]) => !version.startsWith("file:tools/"))
    .filter(([, version]) => !/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
  expect(loose).toEqual([]);
});

test("the published package includes no Node, which would replace the Node of projects that install svc", () => {
  const [{ dependencies = {}, optionalDependencies = {} } = {}] = manifests;
  expect(Object.keys(dependencies).sort()).toEqual(["better-sqlite3", "h3", "zod"]);
  expect(optionalDependencies).toEqual({});
  const platforms = Object.keys(manifests[1]?.["optionalDependencies"] ?? {});
  expect(platforms.map((name) => name.replace(/^node-(bin-)?/, "")).sort()).toEqual([
    "darwin-arm64",
    "darwin-x64",
    "linux-arm64",
    "linux-x64",
    "win-x64",
  ]);
});

/** Node looks for a package in each node_modules folder on the way up. */
function isLocked(from: string, name: string): boolean {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf("node_modules/") - 1, 0))) {
    if (lock.packages[at === "" ? `node_modules/${name}` : `${at}/node_modules/${name}`]) {
      return true;
    }
    if (at === "") return false;
  }
}
