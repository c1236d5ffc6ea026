import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, "..");
const lock: { packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
  readFileSync(join(root, "package-lock.json"), "utf8"),
);
const manifest: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
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
  const bound = Object.entries(lock.packages).filter(([, { resolved }]) => resolved !== undefined);
  expect(bound.map(([at]) => at)).toEqual([]);
});

test("every dependency is pinned to one version", () => {
  const groups = ["dependencies", "devDependencies", "optionalDependencies"];
  const loose = groups
    .flatMap((group) => Object.entries(manifest[group] ?? {}))
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
  expect(loose).toEqual([]);
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
