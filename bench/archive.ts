/**
 * Measures the commands export, restore and doctor, and the import of another tracker's file: the time and the peak
 * memory of each. Each runs in a process of its own, as a user runs it. With SVC_BENCH_POSTGRES (the address of an
 * empty database) it also measures a restore into PostgreSQL.
 *
 *   npm run bench -- archive [issues] [beads export]
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { seed } from "./support/seed.ts";

const ISSUES = Number(process.argv[2] ?? 100_000);
const BEADS =
  process.argv[3] ?? path.resolve(import.meta.dirname, "../../shared/data/beads-issues.jsonl");
const LAUNCHER = path.resolve(import.meta.dirname, "../bin/run.js");
const POSTGRES = process.env["SVC_BENCH_POSTGRES"];

const folder = mkdtempSync(path.join(tmpdir(), "svc-archive-"));
const file = path.join(folder, "export.jsonl");
try {
  await seed(path.join(homeFolder("seeded"), "svc.db"), { issues: ISSUES, links: ISSUES * 3 });
  console.log(`${ISSUES} issues, ${ISSUES * 3} links`);
  await printMeasured("export", "seeded", "export", "--output", file);
  console.log(`  the file: ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  await printMeasured("doctor", "seeded", "doctor");
  await printMeasured("restore into SQLite", "restored", "import", "--input", file);
  if (POSTGRES !== undefined) {
    await printMeasured(
      "restore into PostgreSQL",
      "pg",
      "import",
      "--input",
      file,
      "--target",
      POSTGRES,
    );
  }
  if (existsSync(BEADS)) await importBeads();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function importBeads(): Promise<void> {
  const words = ["import", "--merge", "--source-format", "beads", "--input", BEADS];
  await runSvc("beads", "init", "--project", "p");
  console.log(path.basename(BEADS));
  await printMeasured("import, the first time", "beads", ...words);
  await printMeasured("import, the second time", "beads", ...words);
  await runSvc("beads", "daemon", "stop");
}

async function printMeasured(name: string, place: string, ...words: string[]): Promise<void> {
  const start = performance.now();
  const peakMiB = await runSvc(place, ...words);
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `  ${name.padEnd(26)} ${seconds.toFixed(1).padStart(6)} s  ${peakMiB.toFixed(0).padStart(5)} MiB`,
  );
}

/** Runs a command of svc in a process of its own. Returns the peak memory of this process in MiB. */
async function runSvc(place: string, ...words: string[]): Promise<number> {
  const cwd = homeFolder(place);
  const env = {
    PATH: process.env["PATH"],
    HOME: cwd,
    SVC_HOME: cwd,
    XDG_RUNTIME_DIR: cwd,
    SVC_AUTHOR: "bench",
  };
  const report = `process.on("exit", () => process.stderr.write("\\npeak " + process.resourceUsage().maxRSS + "\\n"))`;
  const preload = `data:text/javascript,${encodeURIComponent(report)}`;
  const child = spawn(process.execPath, ["--import", preload, LAUNCHER, ...words], {
    cwd,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => said.push(text));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0)
    throw new Error(`svc ${words.join(" ")} ended with ${String(code)}: ${said.join("")}`);
  return Number(/peak (\d+)/.exec(said.join(""))?.[1]) / 1024;
}

function homeFolder(place: string): string {
  const found = path.join(folder, place);
  mkdirSync(found, { recursive: true });
  return found;
}
