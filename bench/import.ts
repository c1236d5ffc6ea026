/**
 * Measures the whole command `svc import` with beads issues without links. The daemon is already running. The baseline
 * is a better-sqlite3 loop that inserts the same rows, events and full-text rows in one transaction. Taskwarrior's
 * `task` is measured too if it is on the PATH. `--tree` is the folder of another built svc, which is measured in turn
 * with this svc. Prints the elapsed time and the processor time. The processor time depends less on other work of the
 * machine.
 *
 *   npm run bench -- import [issues] [rounds] [--tree <folder>]
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import Database from "better-sqlite3";
import { writeBeadsFile, writeTaskwarriorFile } from "./support/beads-file.ts";
import { percentile } from "./support/figures.ts";
import { endedChildrenSeconds, processorSeconds } from "./support/processor-time.ts";

const { positionals, values: flags } = parseArgs({
  allowPositionals: true,
  options: { tree: { type: "string" } },
});
const ISSUES = Number(positionals[0] ?? 20_000);
const ROUNDS = Number(positionals[1] ?? 3);
const OWN = path.resolve(import.meta.dirname, "..");

const folder = mkdtempSync(path.join(tmpdir(), "svc-import-"));
const file = path.join(folder, "issues.jsonl");
const tasks = path.join(folder, "tasks.json");
const made = path.join(folder, "made.db");
try {
  writeBeadsFile(file, ISSUES);
  writeTaskwarriorFile(tasks, ISSUES);
  const hasTask = spawnSync("task", ["--version"]).status === 0;
  console.log(`${ISSUES} issues, ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  const times = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    if (flags.tree !== undefined) importBy(flags.tree, times, "svc import, the other build");
    importBy(OWN, times, "svc import");
    note(times, "the same rows in one transaction", floorSeconds());
    if (hasTask) note(times, "task import", taskImport());
  }
  for (const [name, seconds] of times) {
    const all = seconds.map((one) => one.toFixed(2)).join(" ");
    console.log(`  ${name.padEnd(52)} ${percentile(seconds, 0.5).toFixed(2)} s  (${all})`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function note(times: Map<string, number[]>, name: string, seconds: number): void {
  times.set(name, [...(times.get(name) ?? []), seconds]);
}

/**
 * Measures one import by the svc in the folder `tree`, into a new home whose daemon is already running. Keeps the
 * database of this import, because the baseline copies its rows.
 */
function importBy(tree: string, times: Map<string, number[]>, name: string): void {
  const home = path.join(folder, "home");
  mkdirSync(home);
  const env = { ...process.env, SVC_HOME: home, XDG_RUNTIME_DIR: home, SVC_AUTHOR: "bench" };
  const svc = (...words: readonly string[]): string =>
    execFileSync(path.join(tree, "bin/svc"), words, {
      cwd: home,
      env,
      stdio: ["ignore", "pipe", "ignore"],
      encoding: "utf8",
    });
  svc("init", "--project", "p");
  const { pid } = JSON.parse(svc("daemon", "start", "--json")) as { pid: number };
  const ofDaemon = processorSeconds(pid);
  const ofCommands = endedChildrenSeconds();
  const begun = performance.now();
  svc("import", "--merge", "--source-format", "beads", "--input", file);
  note(times, name, (performance.now() - begun) / 1000);
  note(times, `${name}: processor, daemon`, processorSeconds(pid) - ofDaemon);
  note(times, `${name}: processor, command`, endedChildrenSeconds() - ofCommands);
  svc("daemon", "stop");
  cpSync(path.join(home, "svc.db"), made);
  rmSync(home, { recursive: true });
}

function taskImport(): number {
  const data = path.join(folder, "task");
  const settings = path.join(folder, "taskrc");
  mkdirSync(data);
  writeFileSync(settings, `data.location=${data}\nverbose=nothing\n`);
  const begun = performance.now();
  execFileSync("task", ["import", tasks], {
    env: { ...process.env, TASKRC: settings },
    stdio: "ignore",
  });
  const seconds = (performance.now() - begun) / 1000;
  rmSync(data, { recursive: true });
  return seconds;
}

/**
 * Measures the baseline: copies svc's rows into a new database with the same tables and indexes, by prepared statements
 * and in one transaction. Returns how many seconds this took.
 */
function floorSeconds(): number {
  const source = new Database(made, { readonly: true });
  const raw = path.join(folder, "raw.db");
  const db = new Database(raw);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.pragma("foreign_keys = OFF");
  const objects = source
    .prepare("select name, sql from sqlite_master where sql is not null order by type desc")
    .all() as { name: string; sql: string }[];
  for (const { name, sql } of objects) if (!/^(?:sqlite|issue_text)_/.test(name)) db.exec(sql);
  const tables = ["project", "issue", "label", "event", "import", "issue_meta", "label_count"];
  const rows = tables.map((table) => source.prepare(`select * from ${table}`).raw().all());
  const texts = source.prepare("select id, title, body from issue").raw().all() as unknown[][];
  source.close();
  const begun = performance.now();
  db.transaction(() => {
    for (const [at, table] of tables.entries()) insertAll(db, table, rows[at] as unknown[][]);
    insertAll(db, "issue_text (rowid, title, body)", texts);
  }).immediate();
  const seconds = (performance.now() - begun) / 1000;
  db.close();
  for (const end of ["", "-wal", "-shm"]) rmSync(`${raw}${end}`, { force: true });
  return seconds;
}

function insertAll(db: Database.Database, into: string, rows: readonly unknown[][]): void {
  const [first] = rows;
  if (first === undefined) return;
  const insert = db.prepare(`insert into ${into} values (${first.map(() => "?").join(", ")})`);
  for (const row of rows) insert.run(...row);
}
