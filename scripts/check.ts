import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";

/**
 * Runs everything that `npm run check` does before the tests, one step per processor at a time. Every step runs, even
 * if another one failed, so that one run shows all faults. The output of a step is printed as a whole when the step has
 * ended.
 */
const root = join(import.meta.dirname, "..");
const folders = ["src", "commands", "tui", "web", "bin", "scripts", "test", "bench"];
const present = folders.filter((folder) => existsSync(join(root, folder)));

// By default biome writes colours even if its output is not a terminal.
const colours = process.stdout.isTTY ? "force" : "off";

type Step = readonly [name: string, tool: string, ...args: readonly string[]];

/**
 * The slowest steps come first. Each type check stores its results in node_modules/.cache, so that a later run checks
 * only what has changed.
 */
const steps: Step[] = [
  ["types of test", "tsc", "--project", "test"],
  ["types", "tsc"],
  ["rooms", "depcruise", "--config", ".dependency-cruiser.cjs", ...present],
  // The code in web/ may use the browser's DOM and no modules of Node, so its types are checked separately.
  ["types of test/web", "tsc", "--project", "test/web"],
  ["types of web", "tsc", "--project", "web"],
  ["types of bench", "tsc", "--project", "bench"],
  ["lint", "oxlint", "--type-aware", "--deny-warnings", "--report-unused-disable-directives"],
  ["dead code", "knip"],
  ["format", "biome", "ci", "--linter-enabled=false", `--colors=${colours}`, "."],
];

const failed: string[] = [];
await Promise.all(Array.from({ length: availableParallelism() }, runSteps));
for (const name of failed) console.error(`check: ${name} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function runSteps(): Promise<void> {
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    const [name, tool, ...args] = step;
    const { output, status } = await run(join(root, "node_modules", ".bin", tool), args);
    console.log(`== ${name}: ${[tool, ...args].join(" ")}`);
    process.stdout.write(output);
    if (status !== 0) failed.push(name);
  }
}

async function run(path: string, args: readonly string[]) {
  const { promise, resolve } = Promise.withResolvers<{ output: string; status: number | null }>();
  const shell = process.platform === "win32";
  const child = spawn(path, args, { cwd: root, shell, stdio: ["inherit", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.once("error", ({ message }) => resolve({ output: `${message}\n`, status: null }));
  child.once("close", (status) => resolve({ output, status }));
  return await promise;
}
