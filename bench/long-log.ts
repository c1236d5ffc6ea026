/**
 * Measures the operations that read a whole log: export, backup, check of the backup, comparison of the backup with the
 * log, restore, doctor and digest. Prints the elapsed time and the peak memory of the process of each. The log has
 * 1,000,000 events unless another number is given; writing it takes minutes. The goals are 300 MB for each command and
 * 5 s for the digest. The baseline is a process that reads all rows of the file and keeps none.
 *
 *   npm run bench -- long-log [events] [--home <folder with svc.db, which is kept>]
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { seedLog } from "./support/seed-log.ts";

const { values, positionals } = parseArgs({
  options: { home: { type: "string" } },
  allowPositionals: true,
});
const EVENTS = Number(positionals[0] ?? 1_000_000);
const LAUNCHER = path.resolve(import.meta.dirname, "../bin/run.js");
const MEMORY = `process.on("exit", () => process.stderr.write("\\npeak " + process.resourceUsage().maxRSS + "\\n"))`;
const PRELOAD = ["--import", `data:text/javascript,${encodeURIComponent(MEMORY)}`];

const folder = mkdtempSync(path.join(tmpdir(), "svc-long-log-"));
const home = values.home ?? folder;
const file = path.join(folder, "backup.jsonl");
try {
  if (!existsSync(path.join(home, "svc.db"))) await seedLog(path.join(home, "svc.db"), EVENTS);
  await printMeasured("floor: all rows read", home, floorCommand(path.join(home, "svc.db")));
  await printMeasured(
    "export",
    home,
    svcCommand("export", "--output", path.join(folder, "export.jsonl")),
  );
  await printMeasured("backup", home, svcCommand("backup", "--output", file));
  await printMeasured("backup verify", home, svcCommand("backup", "verify", file));
  await printMeasured("events compare", home, svcCommand("events", "compare", file));
  await printMeasured("doctor", home, svcCommand("doctor"));
  await printMeasured("doctor again", home, svcCommand("doctor"));
  const other = path.join(folder, "restored");
  mkdirSync(other);
  await printMeasured("import", other, svcCommand("import", "--input", file));
  await printMeasured(
    "digest",
    home,
    svcCommand("digest", "--since", "2025-12-31", "--all-projects", "-q"),
  );
} finally {
  await run(home, svcCommand("daemon", "stop"));
  rmSync(folder, { recursive: true, force: true });
}

function svcCommand(...words: string[]): readonly string[] {
  return [...PRELOAD, LAUNCHER, ...words];
}

function floorCommand(database: string): readonly string[] {
  const read = `
    const { default: Database } = await import(${JSON.stringify(import.meta.resolve("better-sqlite3"))});
    const db = new Database(${JSON.stringify(database)}, { readonly: true });
    for (const { name } of db.prepare("select name from sqlite_schema where type = 'table'").all())
      for (const _ of db.prepare('select * from "' + name + '"').iterate());`;
  return [...PRELOAD, "--input-type=module", "--eval", read];
}

async function printMeasured(name: string, cwd: string, words: readonly string[]): Promise<void> {
  const start = performance.now();
  const said = await run(cwd, words);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const peak = (Number(/peak (\d+)/.exec(said)?.[1]) * 1024) / 1e6;
  console.log(`  ${name.padEnd(22)} ${seconds.padStart(7)} s  ${peak.toFixed(0).padStart(5)} MB`);
}

async function run(cwd: string, words: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env["PATH"],
    HOME: cwd,
    SVC_HOME: cwd,
    XDG_RUNTIME_DIR: cwd,
    SVC_AUTHOR: "bench",
  };
  const child = spawn(process.execPath, words, { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  const said: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => said.push(text));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0)
    throw new Error(`${words.join(" ")} ended with ${String(code)}: ${said.join("")}`);
  return said.join("");
}
