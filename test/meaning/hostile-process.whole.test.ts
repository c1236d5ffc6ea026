import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { hashOf } from "../../src/meaning/identity.ts";
import { type Box, box, ended, processesOf } from "../e2e/box.ts";
import { startProvider } from "./provider/start-provider.ts";

const LONG_MS = 60_000;
const KEY = "planted-key-of-the-provider";
/** More characters of the key than this are not repeated either. */
const PART = KEY.slice(0, 16);

/** A home with this many issues and, from the next start of the daemon on, a provider in a process of its own. */
async function embeddingBox(issues: number, settings: Readonly<Record<string, string | number>>) {
  const provider = await startProvider();
  onTestFinished(provider.close);
  const b = box();
  await b.json("init", "--project", "web");
  if (issues > 0) {
    const plan = Array.from({ length: issues }, (_, at) => ({
      name: `n${at}`,
      title: titleOf(at),
    }));
    writeFileSync(join(b.work, "plan.json"), JSON.stringify({ issues: plan }));
    await b.json("plan", "apply", "plan.json");
  }
  await b.svc("daemon", "stop");
  configure(b, { base_url: provider.baseUrl, model: "test", ...settings });
  return { b, ...provider };
}

const titleOf = (at: number): string => `issue ${at}`;

function configure({ home }: Box, settings: Readonly<Record<string, string | number>>): void {
  mkdirSync(home, { mode: 0o700, recursive: true });
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = ${JSON.stringify(value)}`,
  );
  const text = ["[search.embeddings]", ...lines, ""].join("\n");
  writeFileSync(join(home, "config.toml"), text, { mode: 0o600 });
}

interface Status {
  readonly backlog: number;
  readonly embedded: number;
  readonly index_failed?: boolean;
  readonly last_error_status?: number;
}

const status = async (b: Box) => await b.json<Status>("search", "status");

/** The stamps and chunks in the file of the vectors, as a killed daemon has left it. */
function left({ home }: Box) {
  const file = new Database(join(home, "svc.vectors.db"));
  try {
    const rows = (sql: string) => file.prepare(sql).pluck().all();
    return {
      integrity: rows("pragma integrity_check"),
      hashes: rows("select text_hash from vector_issue"),
      twice: rows("select issue_uid from vector_chunk group by 1 having count(*) > 1"),
      lonely: rows(
        "select issue_uid from vector_chunk where issue_uid not in (select issue_uid from vector_issue)",
      ),
      bare: rows(
        "select issue_uid from vector_issue where issue_uid not in (select issue_uid from vector_chunk)",
      ),
    };
  } finally {
    file.close();
  }
}

test("a daemon that is killed six times while it embeds ends with each text once, and sends no finished one again", async () => {
  const ISSUES = 120;
  const { b, state } = await embeddingBox(ISSUES, { dims: 64, batch_size: 4 });
  await state.behave({ dims: 64, delayMs: 5 });
  let finished = new Set<unknown>();
  for (let kill = 1; kill <= 6; kill++) {
    await state.forgetCalls();
    const { pid } = await b.json<{ pid: number }>("daemon", "start");
    await state.hasBeenCalled(kill);
    process.kill(pid, "SIGKILL");
    const again = (await state.inputs()).filter((text) => finished.has(hashOf(text)));
    expect(again).toEqual([]);
    const { integrity, hashes, ...faults } = left(b);
    expect(integrity).toEqual(["ok"]);
    expect(faults).toEqual({ twice: [], lonely: [], bare: [] });
    for (const hash of finished) expect(hashes).toContain(hash);
    finished = new Set(hashes);
  }
  expect(finished.size).toBeGreaterThan(0);
  await state.forgetCalls();
  await vi.waitFor(
    async () => expect(await status(b)).toMatchObject({ embedded: ISSUES, backlog: 0 }),
    LONG_MS,
  );
  expect((await state.inputs()).filter((text) => finished.has(hashOf(text)))).toEqual([]);
  const expected = Array.from({ length: ISSUES }, (_, at) => hashOf(titleOf(at)));
  expect(left(b).hashes.toSorted()).toEqual(expected.toSorted());
}, 240_000);

test("a daemon whose vectors do not fit on the disk searches by words, says so, and pays for no answer again", async () => {
  const { b, state } = await embeddingBox(300, { dims: 4096, batch_size: 8 });
  await state.behave({ dims: 4096 });
  // The kernel's limit on the length of files acts like a full disk. A unit is 512 or 1,024 bytes.
  const words = ["-c", 'ulimit -f 5000 && exec "$@"', "sh", process.execPath, b.launcher];
  const limited = spawn("sh", [...words, "daemon", "start"], { cwd: b.work, env: b.env });
  expect(await ended(limited)).toMatchObject({ code: 0 });
  await vi.waitFor(
    async () => expect(await status(b)).toMatchObject({ index_failed: true }),
    LONG_MS,
  );
  const { embedded } = await status(b);
  expect(embedded).toBeLessThan(300);
  const calls = (await state.calls()).length;
  await b.json("create", "written on a full disk");
  const found = await b.json<{ results: { issue: { title: string } }[] }>("search", "written");
  expect(found.results[0]?.issue.title).toBe("written on a full disk");
  // Longer than a commit waits for the next sweep.
  await systemClock.sleep(4000);
  const sent = (await state.calls()).slice(calls).flatMap(({ inputs }) => inputs);
  expect(sent.filter((text) => text !== "written")).toEqual([]);
  expect(await b.json("health")).toMatchObject({ ok: true, embeddings: { index_failed: true } });
  const { stdout } = await b.svc("search", "status");
  expect(stdout).toContain("the index of meanings cannot be read or written");
  const doctor = await b.svc("doctor", "--json");
  const { checks } = JSON.parse(doctor.stdout) as { checks: { id: string; status: string }[] };
  expect(checks.find(({ id }) => id === "daemon.embeddings")?.status).not.toBe("ok");
}, 240_000);

const LEAKY = [
  {
    status: 401,
    headers: { "www-authenticate": `Bearer ${KEY}` },
    body: `the key ${KEY} is wrong`,
  },
  { status: 302, headers: { location: `http://127.0.0.1:1/${KEY}?key=${KEY}` }, body: KEY },
  { status: 429, headers: { "retry-after": KEY }, body: KEY },
  { status: 200, headers: { "x-key": KEY }, body: `{"data":[{"embedding":["${KEY}"]}]}` },
  { status: 500, headers: { [`x-${KEY}`]: KEY }, body: `{"error":{"message":"${KEY}"}}` },
] as const;

const EVERYTHING = [
  ["search", "status"],
  ["search", "pages", "--semantic"],
  ["search", "pages", "--json"],
  ["doctor", "--json"],
  ["daemon", "reload"],
] as const;

test("the key of the provider is in nothing that svc prints, logs, keeps or exports, whatever the provider repeats", async () => {
  const { b, state } = await embeddingBox(1, { dims: 64, api_key: KEY });
  await state.behave({ dims: 64 });
  const said: string[] = [];
  const run = async (...given: readonly string[]): Promise<void> => {
    const { stdout, stderr } = await b.svc(...given);
    said.push(stdout, stderr);
  };
  await b.json("daemon", "start");
  for (const answer of LEAKY) {
    await state.always(answer);
    for (const given of EVERYTHING) await run(...given);
  }
  for (const given of [["doctor"], ["health", "--json"], ["search", "status", "--json"]])
    await run(...given);
  await state.always();
  await b.svc("daemon", "reload");
  await vi.waitFor(async () => expect(await status(b)).toMatchObject({ backlog: 0 }), LONG_MS);
  const calls = await state.calls();
  expect(calls.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
  expect(calls.length).toBeGreaterThan(LEAKY.length);
  for (const given of [
    ["daemon", "logs"],
    ["events", "--all-projects", "--json"],
    ["export", "--allow-running-daemon"],
    ["backup"],
  ])
    await run(...given);
  const lists = processesOf(b.folder).flatMap((pid) =>
    ["cmdline", "environ"].map((name) => readFileSync(`/proc/${pid}/${name}`, "latin1")),
  );
  if (process.platform === "linux") expect(lists.join("")).toContain("daemon");
  await b.svc("daemon", "stop");
  const files = readdirSync(b.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "config.toml")
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), "latin1")] as const);
  expect(files.some(([name]) => name.endsWith(".log"))).toBe(true);
  const texts = [
    ...said.map((text) => ["said", text] as const),
    ...lists.map((text) => ["process list", text] as const),
    ...files,
  ];
  expect(texts.filter(([, text]) => text.includes(PART)).map(([where]) => where)).toEqual([]);
}, 300_000);

test("a daemon does not start with a key in the address of the provider, and does not repeat it", async () => {
  const b = box();
  for (const address of [
    `https://user:${KEY}@example.com/v1`,
    `https://example.com/v1?key=${KEY}`,
    `https://example.com/v1#${KEY}`,
  ]) {
    configure(b, { base_url: address, model: "test" });
    const { code, stdout, stderr } = await b.svc("daemon", "start");
    expect(code).not.toBe(0);
    expect(stderr).toContain("base_url");
    expect(stdout + stderr).not.toContain(PART);
  }
}, 60_000);
