import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const page = readFileSync(join(root, "docs", "library.md"), "utf8");
let folder = "";

/** For each example of the page, by the heading above it, what it prints. */
const PRINTS: Readonly<Record<string, readonly string[]>> = {
  "Calling a daemon": ["Made by a program open", "issue_not_found 404"],
  "Following events": ["1 project.created", "2 issue.created", "Made by a program", "unix"],
  "A daemon in your process": ["tcp", "svc"],
  "Mounting the app in a server": ["200 svc", "200"],
  "Checking data": ["true", "false", "404", "function"],
};

const examples = page.split(/^## /m).flatMap((section) => {
  const [heading = ""] = section.split("\n", 1);
  return [...section.matchAll(/```ts\n(.*?)```/gs)].map(
    ([, code = ""]) => [heading, code] as const,
  );
});

/** Packs the build of the test command, and installs it into an empty project. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-library-"));
  mkdirSync(join(folder, "home"));
  const clone = mkdtempSync(join(tmpdir(), "svc-packed-"));
  try {
    // Packs a copy, because another test may pack the repository at the same time.
    for (const path of [
      "bin",
      "dist",
      "api",
      "package.json",
      "README.md",
      "LICENSE",
      "CHANGELOG.md",
    ])
      cpSync(join(root, path), join(clone, path), { recursive: true });
    execFileSync(process.execPath, [join(root, "scripts", "types.ts"), clone]);
    const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
    const [packed] = JSON.parse(npm(pack, clone)) as readonly { readonly filename: string }[];
    writeFileSync(
      join(folder, "package.json"),
      JSON.stringify({ name: "empty", private: true, type: "module" }),
    );
    npm(
      ["install", "--prefer-offline", "--no-audit", "--no-fund", `./${packed?.filename}`],
      folder,
    );
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
  // The packages that a TypeScript project needs, in the versions of this repository.
  for (const name of ["@types/node", "undici-types"])
    cpSync(join(root, "node_modules", name), join(folder, "node_modules", name), {
      recursive: true,
    });
  examples.forEach(([, code], at) => writeFileSync(join(folder, `example-${at}.ts`), code));
}, 240_000);

afterAll(() => {
  const svc = join(folder, "node_modules", "svc", "bin", "run.js");
  execFileSync(process.execPath, [svc, "daemon", "stop"], options());
  rmSync(folder, { recursive: true, force: true });
});

test("the examples of docs/library.md are the ones tested here", () => {
  expect(examples.map(([heading]) => heading)).toEqual(Object.keys(PRINTS));
});

test.each([
  ["node16", "node16"],
  ["bundler", "esnext"],
])(
  "the examples of docs/library.md compile in TypeScript with the module resolution %s",
  (moduleResolution, module) => {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: "es2023",
      lib: ["es2023"],
      types: ["node"],
      module,
      moduleResolution,
      skipLibCheck: true,
    };
    const files = examples.map((_, at) => `example-${at}.ts`);
    const project = join(folder, `tsconfig.${moduleResolution}.json`);
    writeFileSync(project, JSON.stringify({ compilerOptions, files }));
    const tsc = join(root, "node_modules", "@typescript", "native", "bin", "tsc");
    expect(outcome([tsc, "--project", project])).toEqual({ status: 0, stdout: "" });
  },
  120_000,
);

test.each(examples.map(([heading], at) => [heading, at] as const))(
  "the example %s prints what the documentation says",
  (heading, at) => {
    const { status, stdout } = outcome([
      "--disable-warning=ExperimentalWarning",
      `example-${at}.ts`,
    ]);
    expect({ status, lines: stdout.trim().split("\n") }).toEqual({
      status: 0,
      lines: PRINTS[heading],
    });
  },
  60_000,
);

test("importing the modules of the library starts nothing and creates no file", () => {
  const home = join(folder, "untouched");
  mkdirSync(home);
  const script = `for (const name of ["contract", "client", "daemon"]) await import("svc/" + name);
    console.log(process.getActiveResourcesInfo().filter((kind) => kind !== "PipeWrap").length);`;
  const env = { ...options().env, HOME: home };
  const stdout = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    ...options(),
    env,
  });
  expect([stdout.trim(), readdirSync(home)]).toEqual(["0", []]);
});

test("a project that installs the package gets the command svc, and no other Node", () => {
  const programs = readdirSync(join(folder, "node_modules", ".bin"));
  expect(programs).toContain("svc");
  expect(programs.filter((name) => name.startsWith("node"))).toEqual([]);
});

function outcome(args: readonly string[]): { readonly status: number; readonly stdout: string } {
  try {
    return { status: 0, stdout: execFileSync(process.execPath, args, options()) };
  } catch (error) {
    const { status, stdout, stderr } = error as Readonly<
      Record<"status" | "stdout" | "stderr", unknown>
    >;
    return { status: Number(status), stdout: `${String(stdout)}${String(stderr)}` };
  }
}

function options(): ExecFileSyncOptionsWithStringEncoding {
  const home = join(folder, "home");
  const PATH = [dirname(process.execPath), "/usr/bin", "/bin"].join(":");
  const env = { PATH, HOME: home, SVC_HOME: join(home, ".svc"), XDG_RUNTIME_DIR: home };
  return { cwd: folder, encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] };
}

function npm(args: readonly string[], cwd: string): string {
  return execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}
