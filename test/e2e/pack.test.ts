import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundledPackages } from "../../scripts/build/notices.ts";
import { type Bom, isAllowed, licencesOf } from "../../scripts/build/sbom.ts";
import { stagePackage } from "../../scripts/pack.ts";

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

const root = join(import.meta.dirname, "..", "..");
const outside = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((entry) => !entry.includes("node_modules"))
  .join(delimiter);
let folder = "";
let packed: Packed = { filename: "", size: 0, files: [] };

/** Packs the build of the test command, and installs it into an empty folder. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-pack-"));
  for (const name of ["prefix", "home", "work"]) mkdirSync(join(folder, name));
  const staged = join(folder, "staged");
  stagePackage(staged);
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [first]: readonly Packed[] = JSON.parse(npm(pack, staged));
  if (first === undefined) throw new Error("npm pack made nothing");
  packed = first;
  const install = ["install", "--global", "--prefix", join(folder, "prefix"), "--omit=dev"];
  npm(
    [...install, "--prefer-offline", "--no-audit", "--no-fund", join(folder, packed.filename)],
    folder,
  );
}, 180_000);

afterAll(() => {
  svc(["daemon", "stop"]);
  rmSync(folder, { recursive: true, force: true });
});

test("the package contains only what svc needs to run and its documents, and stays small", () => {
  const paths = packed.files.map(({ path }) => path);
  const parts = new Set(paths.map((path) => path.replace(/\/.*/, "")));
  const folders = ["api", "bin", "dist", "docs", "types"];
  expect([...parts].sort()).toEqual(
    [...folders, "CHANGELOG.md", "LICENSE", "README.md", "package.json"].sort(),
  );
  expect(paths).toEqual(expect.arrayContaining(["bin/svc", "bin/run.js", "dist/THIRD-PARTY.txt"]));
  expect(paths.filter((path) => /dev\.js$|\.map$|(?<!\.d)\.ts$/.test(path))).toEqual([]);
  // About two million bytes are for the commands with the tool server, half a million for the browser page in the three
  // forms in which it is sent, 70,000 for the element <svc-issue>, and the rest for the library: the same code as ES
  // modules, and its types.
  expect(packed.size).toBeLessThan(5_200_000);
});

test("npm packs no repository as it is, and says what makes the package", () => {
  const words = ["pack", "--dry-run", "--pack-destination", folder];
  const { status, stderr } = spawnSync("npm", words, { cwd: root, encoding: "utf8" });
  expect(status).not.toBe(0);
  expect(stderr).toContain("npm run pack makes the package");
});

test("the scripts of <svc-issue> bring the licences of what is in them", () => {
  const ui = join(installedFolder(), "dist", "ui");
  expect(readFileSync(join(ui, "THIRD-PARTY.txt"), "utf8")).toMatch(/^--- markdown-it /m);
  expect(readFileSync(join(ui, "ui.js"), "utf8").slice(0, 80)).toContain("THIRD-PARTY.txt");
});

test("the installed package has no scripts, so that none runs where svc is installed", () => {
  const installed = JSON.parse(readFileSync(join(installedFolder(), "package.json"), "utf8"));
  expect(installed).not.toHaveProperty("scripts");
  expect(installed).not.toHaveProperty("devDependencies");
});

test("npm links the manual pages, and groff reads them without a warning", () => {
  const pages = join(folder, "prefix", "share", "man", "man1");
  expect(readdirSync(pages)).toEqual(readdirSync(join(root, "dist", "man")));
  expect(readFileSync(join(pages, "svc-list.1"), "utf8")).toContain("list issues");
  const { error, stdout, stderr } = spawnSync(
    "groff",
    ["-man", "-Tutf8", "-ww", "-z", ...readdirSync(pages).map((page) => join("man1", page))],
    { cwd: join(pages, ".."), encoding: "utf8" },
  );
  if (error === undefined) expect(stdout + stderr).toBe("");
});

test("the bill of materials has each bundled and each installed package with an allowed licence", () => {
  const dist = join(installedFolder(), "dist");
  const bom: Bom = JSON.parse(readFileSync(join(dist, "sbom.cdx.json"), "utf8"));
  const inside = bundledPackages(readFileSync(join(dist, "THIRD-PARTY.txt"), "utf8"));
  expect(inside.length).toBeGreaterThan(100);
  const licences = new Map(bom.components.map((one) => [one["bom-ref"], licencesOf(one)]));
  for (const { name, version, license } of inside)
    expect(licences.get(`${name}@${version}`), name).toEqual([license]);
  const installed = readdirSync(join(installedFolder(), "node_modules"));
  for (const name of installed.filter((one) => !one.startsWith(".")))
    expect(bom.components.map((one) => one.name)).toContain(name);
  expect([...licences.values()].flat().filter((one) => !isAllowed(one))).toEqual([]);
});

test("the pages that messages of svc name are in the package", () => {
  for (const page of ["connectors", "postgres", "remote", "search"])
    expect(existsSync(join(installedFolder(), "docs", `${page}.md`))).toBe(true);
});

test("an installed svc brings the database driver, h3 and zod, but no Node", () => {
  const tree = npm(["ls", "--global", "--all", "--parseable", "--prefix", join(folder, "prefix")]);
  const packages = tree.split("\n").flatMap((line) => line.split("node_modules/").at(-1) ?? []);
  const names = new Set(packages.filter((name) => !name.startsWith("/") && name !== ""));
  expect([...names].sort()).toEqual([
    "better-sqlite3",
    "h3",
    "node-addon-api",
    "rou3",
    "srvx",
    "svc",
    "zod",
  ]);
});

test("the installed svc prints its version and its contract without a daemon", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(JSON.parse(run(["version", "--json"]))).toMatchObject({ name: "svc", version });
  expect(run(["openapi"])).toMatch(/^openapi: ["']?3\.1/);
  expect(run(["--help"])).toContain("Usage:");
});

test("the installed svc keeps issues: init, create, list, show, close", () => {
  run(["init", "--project", "packed"]);
  const created = JSON.parse(run(["create", "made by the installed program", "--json"]));
  const ref: string = created.issue.short_id;
  const listed = JSON.parse(run(["list", "--json"]));
  expect(listed.issues).toMatchObject([{ short_id: ref, status: "open" }]);
  expect(run(["show", ref])).toContain("made by the installed program");
  run([
    "close",
    ref,
    "--wontfix",
    "-m",
    "the installed program has shown what it can do, and nobody needs this issue any longer",
  ]);
  expect(JSON.parse(run(["list", "--json"])).issues).toEqual([]);
});

function installedFolder(): string {
  return join(folder, "prefix", "lib", "node_modules", "svc");
}

function run(args: readonly string[]): string {
  const { status, stdout, stderr } = svc(args);
  expect({ args, status, stderr: status === 0 ? "" : stderr }).toEqual({
    args,
    status: 0,
    stderr: "",
  });
  return stdout;
}

/** Runs the installed program with the Node of this test, in a new home and workspace. */
function svc(args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const home = join(folder, "home");
  return spawnSync(join(folder, "prefix", "bin", "svc"), args, {
    cwd: join(folder, "work"),
    encoding: "utf8",
    env: {
      PATH: [dirname(process.execPath), outside].join(delimiter),
      HOME: home,
      SVC_HOME: join(home, ".svc"),
      USER: "packer",
    },
  });
}

function npm(args: readonly string[], cwd = folder): string {
  return execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}
