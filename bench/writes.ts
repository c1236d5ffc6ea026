/**
 * Measures durable writes over HTTP on the Unix socket: by 64 writers at a time and by one writer, with the disk as it
 * is and with each fsync slowed to 5 ms. Each writer waits for the answer before its next write. The baseline is a raw
 * better-sqlite3 loop that commits the same rows in groups of 64.
 *
 *   npm run bench -- writes [seconds]
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import { connect } from "./support/connection.ts";
import { startBenchDaemon } from "./support/daemon.ts";
import { percentile } from "./support/figures.ts";

const SECONDS = Number(process.argv[2] ?? 5);
const WRITERS = 64;
let serial = 0;

interface Rate {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const shim = buildShim();
report("fast disk", await compare({}));
report("fsync slowed by 5 ms", await compare({ LD_PRELOAD: shim, SLOW_FSYNC_US: "5000" }));
rmSync(path.dirname(shim), { recursive: true });

async function compare(
  env: Record<string, string>,
): Promise<{ one: Rate; many: Rate; comments: Rate; raw?: number }> {
  const daemon = await startBenchDaemon({ env });
  try {
    const project = await createProject(daemon.socketPath);
    await writeFor(daemon.socketPath, project, WRITERS, 1);
    const one = await writeFor(daemon.socketPath, project, 1, SECONDS);
    const many = await writeFor(daemon.socketPath, project, WRITERS, SECONDS);
    const comments = await commentFor(daemon.socketPath, project, WRITERS, SECONDS);
    return Object.keys(env).length === 0
      ? { one, many, comments, raw: rawGroups() }
      : { one, many, comments };
  } finally {
    await daemon.stop();
  }
}

async function createProject(socketPath: string): Promise<number> {
  const connection = await connect(socketPath);
  const answer = await connection.send(
    "POST",
    "/api/v1/projects",
    JSON.stringify({ name: "bench", actor: "bench" }),
  );
  connection.close();
  return (JSON.parse(answer.body) as { project: { id: number } }).project.id;
}

async function writeFor(
  socketPath: string,
  project: number,
  writers: number,
  seconds: number,
): Promise<Rate> {
  const path = `/api/v1/projects/${project}/issues`;
  return await load(socketPath, writers, seconds, () => {
    serial += 1;
    const title = `issue ${serial} of writer ${serial % writers} ${(serial * 2654435761).toString(36)}`;
    const body = JSON.stringify({
      title,
      body: bodyOf(serial),
      labels: ["bench", "area:store"],
      actor: "bench",
      force_new: true,
    });
    return { path, body };
  });
}

async function commentFor(
  socketPath: string,
  project: number,
  writers: number,
  seconds: number,
): Promise<Rate> {
  const connection = await connect(socketPath);
  const made = await connection.send(
    "POST",
    `/api/v1/projects/${project}/issues`,
    JSON.stringify({ title: "target of comments", actor: "bench", force_new: true }),
  );
  connection.close();
  const { short_id } = (JSON.parse(made.body) as { issue: { short_id: string } }).issue;
  const path = `/api/v1/projects/${project}/issues/${short_id}/comments`;
  return await load(socketPath, writers, Math.min(seconds, 2), () => {
    serial += 1;
    return { path, body: JSON.stringify({ body: `comment ${serial}`, actor: "bench" }) };
  });
}

async function load(
  socketPath: string,
  writers: number,
  seconds: number,
  next: () => { path: string; body: string },
): Promise<Rate> {
  const connections = await Promise.all(
    Array.from({ length: writers }, async () => await connect(socketPath)),
  );
  const times: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < end) {
        const began = performance.now();
        const { path, body } = next();
        const answer = await connection.send("POST", path, body);
        if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`);
        times.push(performance.now() - began);
      }
    }),
  );
  const elapsed = (performance.now() - start) / 1000;
  for (const connection of connections) connection.close();
  return {
    perSecond: times.length / elapsed,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}

function bodyOf(n: number): string {
  return Array.from({ length: 40 }, (_, i) => `word${(n * 31 + i * 17) % 5000}`).join(" ");
}

/**
 * Measures the baseline: commits of 64 issues, each with two labels, one event and one full-text row, with prepared
 * statements and without HTTP.
 */
function rawGroups(): number {
  const folder = mkdtempSync(path.join(tmpdir(), "svc-raw-"));
  const db = new Database(path.join(folder, "raw.db"));
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec(`
    create table issue (id integer primary key, uid text unique, project text, title text, body text, status text, updated_at text);
    create index issue_recent on issue (project, status, updated_at);
    create table label (issue text, label text, primary key (issue, label)) without rowid;
    create index label_issue on label (label, issue);
    create table event (id integer primary key, uid text unique, project text, issue text, payload text);
    create virtual table text_index using fts5 (title, body, content='', contentless_delete=1);
  `);
  const issue = db.prepare(
    "insert into issue (uid, project, title, body, status, updated_at) values (?, 'p', ?, ?, 'open', ?)",
  );
  const label = db.prepare("insert into label values (?, ?)");
  const event = db.prepare(
    "insert into event (uid, project, issue, payload) values (?, 'p', ?, ?)",
  );
  const text = db.prepare("insert into text_index (rowid, title, body) values (?, ?, ?)");
  let n = 0;
  const group = db.transaction(() => {
    for (let i = 0; i < WRITERS; i += 1) {
      n += 1;
      const uid = `01J${String(n).padStart(23, "0")}`;
      const body = bodyOf(n);
      const { lastInsertRowid } = issue.run(uid, `issue ${n}`, body, "2026-01-01T00:00:00.000Z");
      label.run(uid, "bench");
      label.run(uid, "area:store");
      event.run(
        `01K${String(n).padStart(23, "0")}`,
        uid,
        JSON.stringify({ title: `issue ${n}`, body, labels: ["bench"] }),
      );
      text.run(lastInsertRowid, `issue ${n}`, body);
    }
  });
  const start = performance.now();
  while (performance.now() - start < SECONDS * 1000) group.immediate();
  const perSecond = n / ((performance.now() - start) / 1000);
  db.close();
  rmSync(folder, { recursive: true });
  return perSecond;
}

function buildShim(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "svc-shim-"));
  const library = path.join(folder, "slow-fsync.so");
  const source = path.join(import.meta.dirname, "support/slow-fsync.c");
  execFileSync("cc", ["-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"]);
  return library;
}

function report(
  name: string,
  { one, many, comments, raw }: Awaited<ReturnType<typeof compare>>,
): void {
  const printRow = (label: string, rate: Rate, base: number): void => {
    const ratio = `${(rate.perSecond / base).toFixed(1)}x`;
    console.log(
      `${label.padEnd(34)} ${rate.perSecond.toFixed(0).padStart(7)}/s ${ratio.padStart(7)}  p50 ${rate.p50.toFixed(2)} ms  p99 ${rate.p99.toFixed(2)} ms`,
    );
  };
  console.log(`\n${name}`);
  printRow("1 writer creating issues", one, one.perSecond);
  printRow(`${WRITERS} writers creating issues`, many, one.perSecond);
  printRow(`${WRITERS} writers commenting`, comments, one.perSecond);
  if (raw !== undefined) {
    console.log(`${"raw better-sqlite3, groups of 64".padEnd(34)} ${raw.toFixed(0).padStart(7)}/s`);
    console.log(`issues created through HTTP / raw: ${(many.perSecond / raw).toFixed(2)}`);
  }
}
