import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Runs everything that `npm run check` does before the tests. Every step runs, even if an earlier one failed, so that
 * one run shows all faults.
 */
const root = join(import.meta.dirname, "..");
const folders = ["src", "commands", "tui", "web", "bin", "scripts", "test", "bench"];
const present = folders.filter((folder) => existsSync(join(root, folder)));

// By default biome writes colours even if its output is not a terminal.
const colours = process.stdout.isTTY ? "force" : "off";

const steps: readonly (readonly [name: string, tool: string, ...args: readonly string[]])[] = [
  ["types", "tsc"],
  // The code in web/ may use the browser's DOM and no modules of Node, so its types are checked separately.
  ["types of web", "tsc", "--project", "web"],
  ["types of test/web", "tsc", "--project", "test/web"],
  ["lint", "oxlint", "--type-aware", "--deny-warnings", "--report-unused-disable-directives"],
  ["format", "biome", "ci", "--linter-enabled=false", `--colors=${colours}`, "."],
  ["rooms", "depcruise", "--config", ".dependency-cruiser.cjs", ...present],
  ["dead code", "knip"],
];

const failed = steps.filter(([name, tool, ...args]) => {
  console.log(`== ${name}: ${[tool, ...args].join(" ")}`);
  const path = join(root, "node_modules", ".bin", tool);
  return spawnSync(path, args, { cwd: root, stdio: "inherit", shell: onWindows() }).status !== 0;
});

for (const [name] of failed) console.error(`check: ${name} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

function onWindows(): boolean {
  return process.platform === "win32";
}
