import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Clock } from "../../../src/base/clock.ts";
import { parseDsn } from "../../../src/config/dsn.ts";
import {
  type AcquireSettings,
  acquireDatabase,
} from "../../../src/daemon/lifecycle/acquire-database.ts";
import { tryLock } from "../../../src/store/lock.ts";

let folder = "";
let ends: (() => Promise<void>)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-claim-"));
  ends = [];
});
afterEach(async () => {
  for (const end of ends) await end();
  rmSync(folder, { recursive: true, force: true });
});

function settings(home = "home", db = "svc.db"): AcquireSettings {
  return {
    dsn: parseDsn(join(folder, db), folder),
    runtimeDir: join(folder, home, "runtime"),
    socketPath: join(folder, "sockets", "daemon.sock"),
  };
}

/** A clock that moves only during waits, so that the test need not wait until the daemon gives up. */
function waitingClock(during: () => void = () => undefined): Clock {
  let now = 0;
  return {
    nowMs: () => now,
    now: () => "",
    sleep: async (ms) => {
      now += ms;
      during();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** Holds the lock in another process. */
async function holder(path: string): Promise<ChildProcess> {
  const script = `import { tryLock } from ${JSON.stringify(new URL("../../../src/store/lock.ts", import.meta.url).href)};
    const lock = tryLock(process.argv[1]);
    if (lock === undefined) process.exit(3);
    console.log("held");
    process.stdin.resume();`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", script, path], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  ends.push(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  });
  await once(child.stdout ?? child, "data");
  return child;
}

async function answering(path: string, status: number): Promise<Server> {
  mkdirSync(join(folder, "sockets"), { recursive: true });
  const answers: Readonly<Record<number, object>> = {
    200: { ok: true, service: "svc", version: "1", pid: 4711 },
    503: { status: 503, error: { code: "daemon_stopping", message: "" } },
  };
  const server = createServer((_req, res) => {
    res.writeHead(status).end(JSON.stringify(answers[status]));
  });
  server.listen(path);
  await once(server, "listening");
  ends.push(async () => {
    server.close();
    await once(server, "close");
  });
  return server;
}

function record(runtimeDir: string, pid: number, address: string): string {
  mkdirSync(runtimeDir, { recursive: true });
  const path = join(runtimeDir, `daemon.${pid}.json`);
  writeFileSync(
    path,
    JSON.stringify({
      pid,
      network: "unix",
      address,
      service: "svc",
      version: "1",
      started_at: "2026",
    }),
  );
  return path;
}

test("claiming a database creates its folders and its lock for the owner alone", async () => {
  const at = settings();
  const lock = await acquireDatabase(at, waitingClock());
  expect(statSync(at.runtimeDir).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "sockets")).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "svc.db.daemon.lock")).mode & 0o777).toBe(0o600);
  lock.release();
});

test("a lock that another process holds is free as soon as that process is killed", async () => {
  const path = join(folder, "x.lock");
  const child = await holder(path);
  expect(tryLock(path)).toBeUndefined();
  child.kill("SIGKILL");
  await once(child, "exit");
  const lock = tryLock(path);
  expect(lock).toBeDefined();
  lock?.release();
});

test("a daemon that claims a database in use is told which daemon serves it", async () => {
  const at = settings();
  await holder(join(folder, "svc.db.daemon.lock"));
  await answering(at.socketPath, 200);
  record(at.runtimeDir, process.pid, at.socketPath);
  await expect(acquireDatabase(at, waitingClock())).rejects.toMatchObject({
    fault: "already_running",
    message: `daemon already running pid=${process.pid} address=${at.socketPath}`,
  });
});

test("a daemon with another home is found by the socket of the database", async () => {
  const at = settings("other-home");
  await holder(join(folder, "svc.db.daemon.lock"));
  await answering(at.socketPath, 200);
  await expect(acquireDatabase(at, waitingClock())).rejects.toMatchObject({
    fault: "already_running",
  });
});

test("a symbolic link to the database does not give a second lock", async () => {
  writeFileSync(join(folder, "svc.db"), "");
  symlinkSync(join(folder, "svc.db"), join(folder, "link.db"));
  await holder(join(folder, "svc.db.daemon.lock"));
  await expect(acquireDatabase(settings("home", "link.db"), waitingClock())).rejects.toMatchObject({
    fault: "locked",
  });
});

test("a claim waits for a daemon that is stopping and then gets the database", async () => {
  const at = settings();
  const child = await holder(join(folder, "svc.db.daemon.lock"));
  await answering(at.socketPath, 503);
  record(at.runtimeDir, child.pid ?? 0, at.socketPath);
  let waits = 0;
  const clock = waitingClock(() => {
    if (++waits === 3) child.kill("SIGKILL");
  });
  const lock = await acquireDatabase(at, { ...clock, nowMs: () => 0 });
  expect(waits).toBeGreaterThanOrEqual(3);
  lock.release();
});

test("a claim ends with a hint if the lock is never released and its holder never answers", async () => {
  await holder(join(folder, "svc.db.daemon.lock"));
  await expect(acquireDatabase(settings(), waitingClock())).rejects.toMatchObject({
    fault: "locked",
    hint: expect.stringContaining("SVC_HOME"),
  });
});

describe("once a daemon has the lock, every other record in its folder is stale", () => {
  test.each([
    ["a dead process", () => 2 ** 22 + 1],
    ["a running process that is not svc", () => process.pid],
  ])("a record of %s is removed", async (_who, pid) => {
    const at = settings();
    const path = record(at.runtimeDir, pid(), at.socketPath);
    writeFileSync(join(at.runtimeDir, "daemon.log"), "kept");
    const lock = await acquireDatabase(at, waitingClock());
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(at.runtimeDir)).toEqual(["daemon.log"]);
    lock.release();
  });
});

test("on PostgreSQL the daemons of two homes may serve one database, but each home has only one daemon", async () => {
  const dsn = parseDsn("postgres://localhost/app", folder);
  const at = (home: string): AcquireSettings => ({
    dsn,
    runtimeDir: join(folder, home),
    socketPath: join(folder, `${home}-sockets`, "daemon.sock"),
  });
  const first = await acquireDatabase(at("one"), waitingClock());
  const second = await acquireDatabase(at("two"), waitingClock());
  await expect(acquireDatabase(at("one"), waitingClock())).rejects.toMatchObject({
    fault: "locked",
  });
  first.release();
  const again = await acquireDatabase(at("one"), waitingClock());
  for (const lock of [second, again]) lock.release();
});

test("a home folder that cannot be written to is named in the error", async () => {
  const closed = join(folder, "closed");
  mkdirSync(closed);
  chmodSync(closed, 0o555);
  chmodSync(folder, 0o755);
  const at = { ...settings(), runtimeDir: join(closed, "runtime") };
  expect(await claimAsNobodySpecial(at)).toEqual({
    fault: "home",
    message: `cannot make the folder ${at.runtimeDir} (EACCES)`,
  });
});

/** Permissions do not stop root, so a process without root's rights makes the attempt. */
async function claimAsNobodySpecial(at: AcquireSettings): Promise<unknown> {
  const script = `import { acquireDatabase } from ${JSON.stringify(new URL("../../../src/daemon/lifecycle/acquire-database.ts", import.meta.url).href)};
    import { systemClock } from ${JSON.stringify(new URL("../../../src/base/clock.ts", import.meta.url).href)};
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }
    const { fault, message } = await acquireDatabase(JSON.parse(process.argv[1]), systemClock).catch((error) => error);
    console.log(JSON.stringify({ fault, message }));`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--input-type=module-typescript",
    "-e",
    script,
    JSON.stringify(at),
  ]);
  return JSON.parse(stdout);
}

test("a home folder whose path leads through a file is named in the error", async () => {
  writeFileSync(join(folder, "file"), "");
  await expect(
    acquireDatabase(settings(join("file", "home")), waitingClock()),
  ).rejects.toMatchObject({
    fault: "home",
    message: expect.stringContaining(join(folder, "file")),
    hint: expect.stringContaining("SVC_HOME"),
  });
});
