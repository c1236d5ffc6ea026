import { existsSync, readFileSync, statSync } from "node:fs";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { examineDatabase } from "../../../src/archive/doctor.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import { createLog, silentLog } from "../../../src/base/log.ts";
import { yieldToLoop } from "../../../src/base/yield-to-loop.ts";
import { parseDsn } from "../../../src/config/dsn.ts";
import { startDaemon } from "../../../src/daemon/index.ts";
import type { WriteRequest } from "../../../src/daemon/write-worker/messages.ts";
import { WriteWorker } from "../../../src/daemon/write-worker/write-worker.ts";
import { createToken } from "../../../src/ops/tokens/create.ts";
import { revokeToken } from "../../../src/ops/tokens/revoke.ts";
import { created, log, projectCreated, uid } from "../../store/drafts.ts";
import { expectFolded } from "../../store/fold.ts";
import { FakeClock, watched } from "../../support/clock.ts";
import { call, daemonSettings, openStream, tempFolder } from "../../support/daemon.ts";
import { describePostgres, describeStore, type OpenTestStore } from "../../support/store.ts";

const JUNE = "2025-06-01T10:00:00Z";

function items(count: number, more: object = {}) {
  return Array.from({ length: count }, (_, at) => ({
    external_id: `x-${at}`,
    title: `imported ${at}`,
    author: "old hand",
    status: "open",
    created_at: JUNE,
    updated_at: JUNE,
    ...more,
  }));
}

/**
 * The number of locks that this process has on a database's file, where the system reports them. Closing any descriptor
 * of the file releases the locks (POSIX).
 */
function locksOn(path: string): number {
  if (process.platform !== "linux" || !existsSync(path)) return 0;
  const { ino } = statSync(path);
  const lines = readFileSync("/proc/locks", "utf8").split("\n");
  return lines.filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `))
    .length;
}

/** A log, and the names of its entries so far. */
function memoryLog() {
  const lines: string[] = [];
  const sink = {
    write: (line: string) => void lines.push(line),
    reopen: () => undefined,
    close: () => undefined,
  };
  const events = () => lines.map((line) => String(JSON.parse(line).event));
  return { log: createLog(sink, systemClock), events };
}

/** A real daemon on a database of either kind, with the log entries of its threads. */
async function served(open: OpenTestStore) {
  const { target } = await open.database();
  const folder = tempFolder();
  const { log, events } = memoryLog();
  const daemon = await startDaemon({
    ...daemonSettings({ folder, log }),
    dsn: parseDsn(target.dsn, folder, target.schema),
  });
  onTestFinished(async () => await daemon.stop());
  const { endpoint } = daemon;
  const send = async (method: string, path: string, body?: unknown) =>
    await call(endpoint, method, path, body === undefined ? {} : { body });
  const made = await send("POST", "/projects", { name: "web", actor: "ann" });
  const path = `/projects/${(made.body["project"] as { id: number }).id}`;
  const threads = () => events().filter((event) => event.startsWith("write-worker."));
  const imported = async (body: object) =>
    await send("POST", `${path}/imports`, { source: "beads", actor: "ann", ...body });
  return { daemon, endpoint, target, folder, path, send, imported, threads };
}

/** Returns the request as the daemon passes it to the thread. */
function importOf(count: number): WriteRequest {
  const request = { source: "beads", actor: "ann", items: items(count) };
  return {
    route: "importIssues",
    who: { kind: "none", local: true },
    url: "/api/v1/projects/1/imports",
    params: { project_id: "1" },
    headers: { "content-type": "application/json" },
    fence: undefined,
    body: new TextEncoder().encode(JSON.stringify(request)),
  };
}

describeStore("a large write", (open) => {
  test("a large write runs in a thread of its own, and its answer has the same form as that of a small one", async () => {
    const { imported, threads, send, path, endpoint } = await served(open);
    const small = await imported({ items: items(3) });
    expect(threads()).toEqual([]);
    const stream = await openStream(endpoint, "/events/stream?after_id=4");
    const large = await imported({ items: items(60) });
    expect(threads()).toEqual(["write-worker.started"]);
    expect(large.status).toBe(200);
    expect(Object.keys(large.body)).toEqual(Object.keys(small.body));
    expect(large.body).toMatchObject({ source: "beads", created: 57, unchanged: 3 });
    const { issues } = (await send("GET", `${path}/issues?limit=0`)).body as { issues: unknown[] };
    expect(issues).toHaveLength(60);
    await stream.until(() => stream.text().includes('"imported 59"'));
    stream.close();
    expect((await imported({ items: items(60) })).body).toMatchObject({ unchanged: 60 });
  });

  test("an empty import, which announces a large write, starts the thread and changes nothing", async () => {
    const { imported, threads, send } = await served(open);
    const before = (await send("GET", "/events")).body["next_after_id"];
    const { status, body } = await imported({ items: [] });
    expect({ status, ...body }).toMatchObject({ status: 200, created: 0, items: [] });
    expect(threads()).toEqual(["write-worker.started"]);
    expect((await send("GET", "/events")).body["next_after_id"]).toBe(before);
  });

  test("a large write is refused with the same codes as a small one, both before and after it is parsed", async () => {
    const { imported, threads, send } = await served(open);
    const twice = { items: [...items(40), ...items(1)] };
    expect(await imported(twice)).toMatchObject({
      status: 400,
      body: { error: { code: "validation", data: { field: "items[40]" } } },
    });
    expect(threads()).toEqual([]);
    const body = "long ".repeat(80_000);
    expect(await imported({ items: [...items(40), ...items(1, { body })] })).toMatchObject({
      status: 400,
      body: { error: { code: "validation", data: { field: "items[40]" } } },
    });
    expect(threads()).toEqual(["write-worker.started"]);
    const gone = { source: "beads", actor: "ann", items: items(40) };
    expect(await send("POST", "/projects/99/imports", gone)).toMatchObject({
      status: 404,
      body: { error: { code: "project_not_found", hint: expect.any(String) } },
    });
  });

  test("a large write lets others read while it runs, and other writes wait or are refused as busy", async () => {
    const { imported, send, path } = await served(open);
    let over = false;
    const importing = imported({ items: items(300) }).finally(() => (over = true));
    let pings = 0;
    const statuses = new Set<number>();
    const writes: Promise<void>[] = [];
    let waiting = 0;
    while (!over) {
      expect((await send("GET", "/ping")).status).toBe(200);
      pings += 1;
      // Keep only a few writes waiting, or the import, which waits behind them, is refused.
      if (pings % 20 !== 1 || waiting > 3) continue;
      const body = { title: `t${pings}`, actor: "bea", force_new: true };
      waiting += 1;
      const write = send("POST", `${path}/issues`, body);
      writes.push(
        write.then(({ status }) => {
          statuses.add(status);
          waiting -= 1;
        }),
      );
    }
    expect(await importing).toMatchObject({ status: 200, body: { created: 300 } });
    await Promise.all(writes);
    expect(pings).toBeGreaterThan(10);
    expect(statuses.size).toBeGreaterThan(0);
    for (const status of statuses) expect([200, 503]).toContain(status);
    const after = await send("POST", `${path}/issues`, { title: "after", actor: "bea" });
    expect(after.status).toBe(200);
  }, 60_000);

  test("changes of a whole project, plans and undos run in a thread if they are large, and on the daemon's own if small", async () => {
    const { imported, send, path, threads, target, endpoint } = await served(open);
    const actor = "ann";
    const small = { actor, plan: "small", issues: [{ name: "a", title: "a" }] };
    expect((await send("POST", `${path}/plans`, small)).body).toMatchObject({ created: 1 });
    const rename = async (name: string) => await send("PATCH", path, { name, actor });
    expect((await rename("site")).body).toMatchObject({ project: { name: "site" } });
    expect(threads()).toEqual([]);

    const issues = Array.from({ length: 120 }, (_, at) => ({
      name: `n${at}`,
      title: `planned ${at}`,
    }));
    const since = systemClock.now();
    const plan = { actor: "pam", plan: "large", issues };
    expect((await send("POST", `${path}/plans`, plan)).body).toMatchObject({ created: 120 });
    expect(threads()).toEqual(["write-worker.started"]);
    expect((await rename("web")).body).toMatchObject({ project: { name: "web" } });
    const rewrite = { from: "pam", to: "pat", actor };
    expect((await send("POST", `${path}/actions/rewrite-author`, rewrite)).body).toMatchObject({
      changed: true,
      issue_authors: 120,
    });
    const undo = { of_actor: "pam", since, actor, dry_run: true };
    const planned = await send("POST", `${path}/undo`, undo);
    expect(planned).toMatchObject({ status: 200, body: { event_count: 120 } });
    const made = await send("POST", "/projects", { name: "other", actor });
    const other = `/projects/${(made.body["project"] as { id: number }).id}`;
    const items120 = { source: "beads", actor, items: items(120) };
    expect((await send("POST", `${other}/imports`, items120)).body).toMatchObject({ created: 120 });
    const merge = { source_project_id: (made.body["project"] as { id: number }).id, actor };
    expect((await send("POST", `${path}/merge`, merge)).body).toMatchObject({ issues_moved: 120 });
    expect((await send("DELETE", `${path}?force=true&actor=ann`)).status).toBe(200);
    expect((await send("POST", `${path}/restore?actor=ann`)).body).toMatchObject({ changed: true });
    expect((await imported({ items: items(120) })).body).toMatchObject({ unchanged: 120 });
    await send("DELETE", `${path}?force=true&actor=ann`);
    expect(await send("POST", `${path}/actions/purge`, { actor })).toMatchObject({
      status: 412,
      body: { error: { code: "confirm_required" } },
    });
    const confirm = { body: { actor }, headers: { "x-svc-confirm": "PURGE web" } };
    expect((await call(endpoint, "POST", `${path}/actions/purge`, confirm)).body).toMatchObject({
      erased: open.dialect === "sqlite",
    });
    expect(threads()).toEqual(["write-worker.started"]);
    const examined = await examineDatabase({ dialect: open.dialect, ...target });
    expect(examined).toMatchObject({ changedEvents: [], integrity: [] });
    expect([examined.fold ?? [], examined.derived ?? []].flat()).toEqual([]);
  }, 60_000);

  test("a large write is made in the name of the caller's token, and is refused once that token is revoked", async () => {
    const database = await open.database();
    const store = await database.open();
    await log(store, projectCreated(uid(1), "web"));
    const options = { database: database.target, settings: daemonSettings().ops, store };
    const writeWorker = new WriteWorker({ ...options, clock: systemClock, log: silentLog });
    onTestFinished(async () => await writeWorker.stop());
    const who = { kind: "db_token", local: false, tokenId: 1, actor: "bea" } as const;
    await writeWorker.run({ ...importOf(1), who });
    const written = await store.read(async ({ events }) => await events.after(1, 10));
    expect(written.map(({ type, actor }) => [type, actor])).toEqual([["issue.created", "bea"]]);

    const admin = { kind: "bootstrap", local: false } as const;
    const nothing = { params: {}, query: {}, headers: {} };
    const token = { ...nothing, body: { actor: "bea" } };
    const { id } = (
      await createToken({ store, ids: systemIds(), clock: systemClock }, admin, token)
    ).token;
    await writeWorker.run({ ...importOf(2), who: { ...who, tokenId: id } });
    await revokeToken({ store }, admin, { ...nothing, params: { id }, body: {} });
    const last = await store.read(async ({ events }) => await events.lastId());
    const refused = writeWorker.run({ ...importOf(3), who: { ...who, tokenId: id } });
    await expect(refused).rejects.toMatchObject({ code: "token_invalid" });
    expect(await store.read(async ({ events }) => await events.lastId())).toBe(last);
  });

  test("a large write that arrives while an idle thread is ending is carried out by another thread", async () => {
    const database = await open.database();
    const store = await database.open();
    await log(store, projectCreated(uid(1), "web"));
    const clock = new FakeClock();
    const { clock: watchedClock, next: asleep } = watched(clock);
    const options = { database: database.target, settings: daemonSettings().ops, store };
    const { log: threadLog, events } = memoryLog();
    const writeWorker = new WriteWorker({ ...options, clock: watchedClock, log: threadLog });
    onTestFinished(async () => await writeWorker.stop());
    await writeWorker.run(importOf(1));
    for (let look = 0; look < 2; look++) {
      await asleep();
      clock.advance(10_000);
    }
    await yieldToLoop();
    await writeWorker.run(importOf(2));
    expect(await store.read(async (reader) => await reader.events.lastId())).toBe(3);
    expect(events().filter((event) => event === "write-worker.started")).toHaveLength(2);
  });

  test("a large write is rolled back whole if its thread is ended, and writing continues", async () => {
    const database = await open.database();
    const store = await database.open();
    const project_uid = uid(1);
    await log(store, projectCreated(project_uid, "web"));
    const locks = locksOn(database.target.dsn);
    let begun = (): void => undefined;
    const writing = new Promise<void>((resolve) => (begun = resolve));
    const writeWorker = new WriteWorker({
      database: database.target,
      settings: daemonSettings().ops,
      store: {
        read: async (work) => await store.read(work),
        hasCommitted: async (proof) => await store.hasCommitted(proof),
        erase: async () => await store.erase(),
        pauseWrites: async (work) =>
          await store.pauseWrites(async () => {
            begun();
            return await work();
          }),
      },
      clock: systemClock,
      log: silentLog,
    });
    const importing = writeWorker.run(importOf(5000));
    await Promise.all([
      expect(importing).rejects.toMatchObject({ code: "daemon_stopping" }),
      writing.then(async () => await writeWorker.stop()),
    ]);
    expect(locksOn(database.target.dsn)).toBe(locks);
    await log(store, created(project_uid, uid(101)));
    expect(await store.read(async ({ events }) => await events.lastId())).toBe(2);
    await expectFolded(store);
  }, 60_000);
});

describePostgres("a large write during which the server ends the database sessions", (open) => {
  test("a large write whose session is ended is refused and rolled back whole, and the next write is carried out", async () => {
    const { imported, send, path, target } = await served(open);
    expect((await imported({ items: items(60) })).body).toMatchObject({ created: 60 });
    const client = new Client({ connectionString: target.dsn });
    await client.connect();
    onTestFinished(async () => await client.end());
    const many = items(4000).slice(60);
    const importing = imported({ items: many });
    // Ends the session that has had the write lock for a while: an engine of the daemon has it only for a moment.
    const end = `select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and mode = 'ExclusiveLock' and granted
      and clock_timestamp() - xact_start > interval '100 ms' and datname = current_database()`;
    await expect.poll(async () => (await client.query(end)).rowCount, { interval: 10 }).toBe(1);
    expect(await importing).toMatchObject({
      status: 503,
      body: { error: { code: "unavailable", data: { reason: "disconnected" } } },
    });
    const { issues } = (await send("GET", `${path}/issues?limit=0`)).body as { issues: unknown[] };
    expect(issues).toHaveLength(60);
    expect((await imported({ items: many })).body).toMatchObject({ created: 3940 });
    const small = { title: "after", actor: "bea" };
    expect((await send("POST", `${path}/issues`, small)).status).toBe(200);
  }, 60_000);
});
