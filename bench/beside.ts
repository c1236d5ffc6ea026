/**
 * Measures how much large operations delay other clients: each operation runs once while another process asks for
 * `ping` every 5 ms and comments on an issue every 100 ms.
 *
 *   npm run bench -- beside [issues] [postgres DSN] [--only list,merge] [--tree <folder of another built svc>]
 *     [--database <file>]
 *
 * With a DSN the schema `svc` of that database is used and must be empty. `--database` names a SQLite database to
 * measure: a copy of it is used, and it is created if it is missing.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { copyFile, open } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { measureRow } from "./support/beside-row.ts";
import { connect } from "./support/connection.ts";
import { startBenchDaemon } from "./support/daemon.ts";
import type { seed as Seed } from "./support/seed.ts";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    tree: { type: "string" },
    database: { type: "string" },
  },
});
const ISSUES = Number(positionals[0] ?? 100_000);
const DSN = positionals[1];
const TREE = path.resolve(flags.tree ?? path.join(import.meta.dirname, ".."));
const MERGED = Math.min(10_000, ISSUES);
const IMPORTED = Math.min(20_000, ISSUES);
const PLANNED = Math.min(5000, ISSUES);
const UNDONE = Math.min(900, ISSUES);

interface Operation {
  readonly name: string;
  readonly run: () => Promise<unknown>;
  readonly before?: () => Promise<unknown>;
}

const home = mkdtempSync(path.join(tmpdir(), "svc-beside-"));
// An older build named by --tree cannot open a database with a newer schema, so its own `seed` creates the database.
const { seed } = (await import(path.join(TREE, "bench/support/seed.ts"))) as { seed: typeof Seed };
const seeded = flags.database ?? path.join(home, "svc.db");
if (DSN !== undefined || !existsSync(seeded))
  await seed(DSN ?? seeded, { issues: ISSUES, links: ISSUES * 3 });
if (flags.database !== undefined) await copyToDisk(flags.database, path.join(home, "svc.db"));
const env = DSN === undefined ? {} : { SVC_DSN: DSN };
const daemon = await startBenchDaemon({ home, env, svc: path.join(TREE, "bin/svc") });
// Wait until the daemon has done its work after the start: its engines begin after a second, and Node then writes the
// compiled code to its cache.
await new Promise((resolve) => setTimeout(resolve, 2000));
const notes = await projectOf("notes");
const note = await post<{ issue: { uid: string } }>(`/projects/${notes}/issues`, {
  title: "beside",
});
const comments = `/api/v1/projects/${notes}/issues/${note.issue.uid}/comments`;

console.log(`${ISSUES} issues on ${DSN === undefined ? "SQLite" : "PostgreSQL"}, ${TREE}\n`);
console.log(
  "| Operation | took, s | ping p50 | p99 | max, ms | idle daemon p99 | comment p99 | max, ms | busy | peak, MiB |",
);
console.log("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
const only = flags.only?.split(",");
for (const { name, run, before } of operations()) {
  if (only?.includes(name.split(" ")[0] ?? "") === false) continue;
  await before?.();
  console.log(await measureRow(daemon, comments, name, run));
}
await daemon.stop();
rmSync(home, { recursive: true });

function operations(): readonly Operation[] {
  const project = "/projects/1";
  const output = path.join(home, "export.jsonl");
  const batch = { source: "beads", actor: "importer" };
  let undone = { since: "", confirm: "" };
  let merged = 0;
  let archived = false;
  const archive = async (): Promise<void> => {
    if (!archived) await send("DELETE", `${project}?force=true&actor=bench`);
    archived = true;
  };
  // The project can neither be merged nor purged afterwards, so the other operations are left out.
  if (only?.includes("federation") === true)
    return [
      { name: "federation floor, one busy process", run: busyProcess },
      {
        name: "federation enable",
        run: async () => await post(`${project}/federation/enable`, { actor: "bench" }),
      },
    ];
  return [
    { name: "nothing, one busy process", run: busyProcess },
    { name: "list of all", run: async () => await get(`${project}/issues?limit=0`) },
    { name: "ready of all", run: async () => await get(`${project}/ready?limit=0`) },
    {
      name: "at, a list of then",
      run: async () => await get(`${project}/issues?limit=0&at=${Math.ceil(ISSUES / 2)}`),
    },
    {
      name: "export",
      run: async () => await runSvc("export", "--allow-running-daemon", "--output", output),
    },
    { name: "rename", run: async () => await send("PATCH", project, { name: "renamed" }) },
    {
      name: "rewrite-author",
      run: async () =>
        await post(`${project}/actions/rewrite-author`, { from: "bench", to: "other" }),
    },
    {
      name: `plan of ${PLANNED}`,
      run: async () =>
        await send("POST", `${project}/plans`, { plan: "large", issues: plannedIssues(PLANNED) }),
    },
    {
      name: `undo of ${UNDONE}`,
      before: async () => {
        const since = new Date().toISOString();
        const body = { plan: "undone", actor: "undoer", issues: plannedIssues(UNDONE) };
        await post(`${project}/plans`, body);
        const asked = { of_actor: "undoer", since, dry_run: true };
        undone = { since, ...(await post<{ confirm: string }>(`${project}/undo`, asked)) };
      },
      run: async () =>
        await send(
          "POST",
          `${project}/undo`,
          { of_actor: "undoer", since: undone.since },
          { "x-svc-confirm": undone.confirm },
        ),
    },
    {
      name: `import of ${IMPORTED}`,
      run: async () =>
        await send("POST", `${project}/imports`, {
          ...batch,
          items: importedIssues("i", IMPORTED),
        }),
    },
    {
      name: `merge of ${MERGED}`,
      before: async () => {
        merged = await projectOf("merged");
        for (let at = 0; at < MERGED; at += 500) {
          const items = importedIssues(`m${at}-`, Math.min(500, MERGED - at));
          await post(`/projects/${merged}/imports`, { ...batch, items });
        }
      },
      run: async () => await post(`${project}/merge`, { source_project_id: merged }),
    },
    { name: "archive", run: archive },
    {
      name: "restore",
      before: archive,
      run: async () => {
        await send("POST", `${project}/restore?actor=bench`);
        archived = false;
      },
    },
    {
      name: "purge",
      before: archive,
      run: async () =>
        await send(
          "POST",
          `${project}/actions/purge`,
          {},
          { "x-svc-confirm": `PURGE ${await nameOf(1)}` },
        ),
    },
  ];
}

/**
 * Keeps one processor busy for three seconds. This is the baseline for the other rows of the printed table: it shows
 * how much a busy process delays clients while the daemon itself does nothing.
 */
async function busyProcess(): Promise<void> {
  const code = "const end = performance.now() + 3000; while (performance.now() < end);";
  const child = spawn(process.execPath, ["--eval", code], { stdio: "ignore" });
  await new Promise((resolve) => child.once("exit", resolve));
}

/** Copies a file, and waits until the copy is on the disk. Otherwise the first operations would wait for the disk. */
async function copyToDisk(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const file = await open(to, "r+");
  await file.sync();
  await file.close();
}

function importedIssues(prefix: string, count: number): readonly object[] {
  const then = "2025-06-01T10:00:00Z";
  return Array.from({ length: count }, (_, at) => ({
    external_id: `${prefix}${at}`,
    title: `imported ${prefix}${at}`,
    body: `a body of some words, number ${at}`,
    author: "old hand",
    status: "open",
    labels: ["bug"],
    created_at: then,
    updated_at: then,
  }));
}

function plannedIssues(count: number): readonly object[] {
  return Array.from({ length: count }, (_, at) => ({
    name: `n${at}`,
    title: `planned ${at}`,
    ...(at % 50 === 0 ? {} : { parent: `n${at - (at % 50)}` }),
  }));
}

async function projectOf(name: string): Promise<number> {
  return (await post<{ project: { id: number } }>("/projects", { name })).project.id;
}

async function nameOf(id: number): Promise<string> {
  const connection = await connect(daemon.socketPath);
  const { body } = await connection.send("GET", "/api/v1/projects?include=archived");
  connection.close();
  const { projects } = JSON.parse(body) as { projects: { id: number; name: string }[] };
  return projects.find((project) => project.id === id)?.name ?? "bench";
}

async function get(target: string): Promise<void> {
  await send("GET", target);
}

async function post<T>(target: string, body: object): Promise<T> {
  return JSON.parse(await send("POST", target, { actor: "bench", ...body })) as T;
}

/** Sends a request. Returns only the first megabyte of the answer, because an answer can have a hundred megabytes. */
async function send(
  method: string,
  target: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const text = body === undefined ? "" : JSON.stringify({ actor: "bench", ...body });
  const type = body === undefined ? {} : { "content-type": "application/json" };
  return await new Promise((resolve, reject) => {
    const length = String(Buffer.byteLength(text));
    const sent = request(
      {
        socketPath: daemon.socketPath,
        method,
        path: `/api/v1${target}`,
        headers: { ...type, ...headers, "content-length": length },
      },
      (response) => {
        let answer = "";
        response.setEncoding("utf8").on("data", (piece: string) => {
          if (answer.length < 1_000_000) answer += piece;
        });
        response.on("error", reject).on("end", () => {
          if (response.statusCode === 200) resolve(answer);
          else
            reject(
              new Error(`${method} ${target}: ${response.statusCode} ${answer.slice(0, 500)}`),
            );
        });
      },
    );
    sent.on("error", reject).end(text);
  });
}

async function runSvc(...words: readonly string[]): Promise<void> {
  const child = spawn(path.join(TREE, "bin/svc"), words, {
    env: daemon.env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`svc ${words.join(" ")} ended with ${String(code)}`);
}
