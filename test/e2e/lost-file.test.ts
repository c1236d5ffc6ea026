import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { type Answer, call, tempFolder } from "../support/daemon.ts";
import { type DaemonProcess, daemonProcess } from "../support/daemon-process.ts";

const WRITES = 30;

interface WriterReport {
  readonly acknowledged: readonly string[];
  readonly refused: readonly Answer[];
}

async function post({ endpoint }: DaemonProcess, name: string): Promise<Answer | undefined> {
  const body = { name, actor: "ann" };
  return await call(endpoint, "POST", "/projects", { body }).catch(() => undefined);
}

/** Writes thirty times in a row. After ten answers, `fate` runs. */
async function writesDuring(daemon: DaemonProcess, fate: () => void): Promise<WriterReport> {
  const acknowledged: string[] = [];
  const refused: Answer[] = [];
  for (let count = 0; count < WRITES; count++) {
    if (count === 10) fate();
    const answer = await post(daemon, `p${count}`);
    if (answer?.status === 200) acknowledged.push(`p${count}`);
    else if (answer !== undefined) refused.push(answer);
  }
  return { acknowledged, refused };
}

async function projectsOf({ endpoint }: DaemonProcess): Promise<readonly string[]> {
  const { body } = await call(endpoint, "GET", "/projects");
  return (body["projects"] as readonly { readonly name: string }[]).map(({ name }) => name);
}

async function started(folder: string): Promise<DaemonProcess> {
  const daemon = await daemonProcess({ folder });
  onTestFinished(async () => void (await daemon.end("SIGKILL")));
  return daemon;
}

function logOf({ runtimeDir }: DaemonProcess): string {
  return readFileSync(join(runtimeDir, "daemon.log"), "utf8");
}

const FATES: readonly [string, string, (db: string) => void, (db: string) => string | undefined][] =
  [
    ["rm", "database_gone", (db) => rmSync(db), () => undefined],
    ["mv", "database_gone", (db) => renameSync(db, `${db}.moved`), (db) => `${db}.moved`],
    ["mv over", "database_replaced", (db) => renameSync(`${db}.backup`, db), () => undefined],
    ["cp over", "database_replaced", (db) => copyFileSync(`${db}.backup`, db), () => undefined],
  ];

test.each(FATES)(
  "after %s of the database of a running daemon no write is acknowledged, and the daemon ends and says why",
  async (_, reason, fate, kept) => {
    const folder = tempFolder();
    const db = join(folder, "home", "svc.db");
    const daemon = await started(folder);
    await post(daemon, "old");
    const copy = new Database(db);
    copy.prepare("vacuum into ?").run(`${db}.backup`);
    copy.close();
    const { acknowledged, refused } = await writesDuring(daemon, () => fate(db));
    expect(acknowledged).toEqual(Array.from({ length: 10 }, (_unused, count) => `p${count}`));
    expect(refused[0]).toMatchObject({
      status: 503,
      body: { error: { code: "unavailable", data: { reason }, hint: expect.any(String) } },
    });
    expect(await daemon.exited).toBe(0);
    expect(logOf(daemon)).toContain(`"daemon.database_lost"`);
    const place = kept(db);
    if (place !== undefined) {
      rmSync(db, { force: true });
      renameSync(place, db);
      const next = await started(folder);
      expect(await projectsOf(next)).toEqual(expect.arrayContaining([...acknowledged, "old"]));
    } else {
      const next = await started(folder);
      expect(await projectsOf(next)).toEqual(reason === "database_gone" ? [] : ["old"]);
      expect((await post(next, "new"))?.status).toBe(200);
    }
  },
  60_000,
);

test("a daemon that gets no writes ends within seconds after its database is deleted", async () => {
  const folder = tempFolder();
  const daemon = await started(folder);
  rmSync(join(folder, "home", "svc.db"));
  expect(await daemon.exited).toBe(0);
  expect(logOf(daemon)).toContain(`"reason":"database_gone"`);
  expect(readdirSync(join(folder, "home"))).not.toContain("svc.db-wal");
});

test("if a daemon's lock and socket are removed and a second daemon starts, only the second acknowledges writes", async () => {
  const folder = tempFolder();
  const db = join(folder, "home", "svc.db");
  const first = await started(folder);
  const before = await post(first, "before");
  expect(before?.status).toBe(200);
  rmSync(`${db}.daemon.lock`);
  rmSync(first.endpoint.address);
  rmSync(join(first.runtimeDir, `daemon.${first.pid}.json`));
  const second = await started(folder);
  expect((await post(second, "second"))?.status).toBe(200);
  expect(await first.exited).toBe(0);
  expect(logOf(first)).toContain(`"reason":"database_lock_gone"`);
  expect(await projectsOf(second)).toEqual(["before", "second"]);
  expect((await post(second, "third"))?.status).toBe(200);
  expect(await second.end("SIGTERM")).toBe(0);
  const third = await started(folder);
  expect(await projectsOf(third)).toEqual(["before", "second", "third"]);
  expect(existsSync(`${db}-wal.orphaned`)).toBe(false);
});
