/**
 * Builds svc and runs one measurement, or lists the available ones:
 *
 *   npm run bench -- cli-start 40
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { buildAll } from "../scripts/build.ts";

const [name = "", ...rest] = process.argv.slice(2);
const file = join(import.meta.dirname, `${name}.ts`);
if (name === "" || name === "run" || !existsSync(file)) {
  const names = readdirSync(import.meta.dirname)
    .filter((entry) => entry.endsWith(".ts") && entry !== "run.ts")
    .map((entry) => entry.slice(0, -".ts".length));
  console.error(`npm run bench -- <name> [arguments]; the names are ${names.join(", ")}`);
  process.exitCode = 2;
} else {
  await buildAll();
  process.exitCode = spawnSync(process.execPath, [file, ...rest], { stdio: "inherit" }).status ?? 1;
}
