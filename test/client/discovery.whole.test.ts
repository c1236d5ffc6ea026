import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { discover, findReady, findWithoutPing, type Search } from "../../src/client/discovery.ts";
import { isAlive, readRecords, recordKey } from "../../src/client/record.ts";
import { dropStartLock, takeStartLock } from "../../src/client/start-lock.ts";
import { folderWith } from "../config/folder.ts";
import { FakeClock } from "../support/clock.ts";
import { oldDaemon } from "./old-daemon.ts";
import { json, PONG, standIn } from "./stand-in.ts";

const VERSION = "9.9.9";

function search(runtimeDir: string, more: Partial<Search> = {}): Search {
  return {
    runtimeDir,
    version: VERSION,
    anyVersion: false,
    dismissed: new Set(),
    clock: systemClock,
    ...more,
  };
}

interface GivenRecord {
  readonly pid?: number;
  readonly network?: string;
  readonly address: string;
  readonly version?: string;
  readonly started_at?: string;
  readonly schema_version?: number;
  readonly api_schema_version?: string;
}

function writeRecord(folder: string, given: GivenRecord): void {
  const record = {
    pid: process.pid,
    network: "unix",
    service: "svc",
    version: VERSION,
    started_at: "2026-01-01T00:00:00.000Z",
    metadata: {},
    ...given,
  };
  writeFileSync(join(folder, `daemon.${record.pid}.json`), JSON.stringify(record));
}

/** Returns a pid that no process has. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

describe("the record of a daemon", () => {
  test("a record of this version is trusted without a request", () => {
    const folder = folderWith();
    writeRecord(folder, { address: "/nobody/asks" });
    expect(findWithoutPing(search(folder))).toMatchObject({
      pid: process.pid,
      address: "/nobody/asks",
    });
  });

  test.each([
    ["of another version", { address: "/x", version: "9.9.8" }],
    ["of a daemon on TCP", { address: "127.0.0.1:7777", network: "tcp" }],
  ])("a record %s is not trusted", (_name, record) => {
    const folder = folderWith();
    writeRecord(folder, record);
    expect(findWithoutPing(search(folder))).toBeUndefined();
  });

  test("a record of another version is trusted if the caller accepts any version", () => {
    const folder = folderWith();
    writeRecord(folder, { address: "/x", version: "9.9.8" });
    expect(findWithoutPing(search(folder, { anyVersion: true }))).toMatchObject({ address: "/x" });
  });

  test("a record whose daemon did not answer is not tried again, but a new record with the same pid is", () => {
    const folder = folderWith();
    writeRecord(folder, { address: "/x" });
    const dismissed = new Set(readRecords(folder).map(recordKey));
    expect(findWithoutPing(search(folder, { dismissed }))).toBeUndefined();
    writeRecord(folder, { address: "/x", started_at: "2026-01-01T00:00:00.001Z" });
    expect(findWithoutPing(search(folder, { dismissed }))).toMatchObject({ address: "/x" });
  });

  test("a record of a dead process is removed", async () => {
    const folder = folderWith();
    writeRecord(folder, { address: "/x", pid: await deadPid() });
    expect(readRecords(folder)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.runIf(process.platform === "linux")(
    "a record of a process that ended as a zombie is removed",
    async () => {
      // The shell is replaced by another program, which never collects its ended child.
      const script = "sleep 0.2 & echo $!; exec sleep 60";
      const parent = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
      onTestFinished(() => void parent.kill("SIGKILL"));
      const [said] = (await once(parent.stdout, "data")) as [Buffer];
      const pid = Number(said);
      await expect.poll(() => isAlive(pid)).toBe(false);
      expect(() => process.kill(pid, 0)).not.toThrow();
      const folder = folderWith();
      writeRecord(folder, { address: "/x", pid });
      expect(readRecords(folder)).toEqual([]);
    },
  );

  test.each([
    ["no JSON", "{"],
    ["no object", "null"],
    [
      "another pid than its name",
      JSON.stringify({
        pid: 1,
        network: "unix",
        address: "/x",
        service: "svc",
        version: "1",
        started_at: "",
      }),
    ],
    [
      "another service",
      JSON.stringify({
        pid: process.pid,
        network: "unix",
        address: "/x",
        service: "x",
        version: "1",
        started_at: "",
      }),
    ],
    [
      "an address whose host is no IP address",
      JSON.stringify({
        pid: process.pid,
        network: "tcp",
        address: "host:1",
        service: "svc",
        version: "1",
        started_at: "",
      }),
    ],
    [
      "an unknown network",
      JSON.stringify({
        pid: process.pid,
        network: "pipe",
        address: "/x",
        service: "svc",
        version: "1",
        started_at: "",
      }),
    ],
  ])("a record with %s is skipped", (_name, text) => {
    const folder = folderWith({
      [`daemon.${process.pid}.json`]: text,
      "daemon.log": "",
      "daemon.x.json": "{}",
    });
    expect(readRecords(folder)).toEqual([]);
    expect(existsSync(join(folder, `daemon.${process.pid}.json`))).toBe(true);
  });

  test("two records are read in the order in which their daemons started, and neither is trusted without a request", async () => {
    const folder = folderWith();
    const socket = join(folder, "old.sock");
    const other = await oldDaemon(socket, VERSION);
    writeRecord(folder, { address: "/b", started_at: "2026-01-02T00:00:00.000Z" });
    writeRecord(folder, {
      address: "/a",
      pid: other.pid,
      started_at: "2026-01-01T00:00:00.000Z",
    });
    expect(readRecords(folder).map(({ address }) => address)).toEqual(["/a", "/b"]);
    expect(findWithoutPing(search(folder))).toBeUndefined();
  });

  test.each([0o777, 0o775, 0o1777])(
    "a record in a folder that others can write to is ignored (decimal mode %i)",
    (mode) => {
      const folder = folderWith();
      writeRecord(folder, { address: "/x" });
      chmodSync(folder, mode);
      expect(readRecords(folder)).toEqual([]);
    },
  );

  test("a record whose socket is accessible to others is ignored, and the socket is not contacted", async () => {
    const [folder, shared] = [folderWith(), folderWith()];
    const place = join(shared, `svc-${process.getuid?.() ?? 0}`);
    const socket = join(place, "0123456789ab", "daemon.sock");
    mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
    const daemon = await oldDaemon(socket, VERSION);
    writeRecord(folder, { address: socket, pid: daemon.pid });
    expect(findWithoutPing(search(folder))).toMatchObject({ pid: daemon.pid });
    chmodSync(place, 0o711);
    expect(findWithoutPing(search(folder))).toBeUndefined();
    await expect(discover(search(folder))).rejects.toMatchObject({
      message: `${place} of the socket ${socket} is open to other users; nothing was sent`,
      hint: `chmod 700 ${place}`,
    });
    renameSync(place, `${place}-real`);
    chmodSync(`${place}-real`, 0o700);
    symlinkSync(`${place}-real`, place);
    const looking = search(folder);
    expect(await discover(looking)).toBeUndefined();
    expect(looking.dismissed.size).toBe(1);
  });

  test("there is no record if the folder of records is missing", () => {
    expect(readRecords(join(folderWith(), "none"))).toEqual([]);
  });
});

describe("contacting every daemon that left a record", () => {
  const pong = (more: object = {}): string =>
    json(200, { ...PONG, version: VERSION, pid: process.pid, ...more });

  test("finds the daemon that answers with the version of the client", async () => {
    const folder = folderWith();
    const { address } = await standIn(() => pong());
    writeRecord(folder, { address: address.network === "unix" ? address.path : "" });
    expect(await discover(search(folder))).toMatchObject({ pid: process.pid });
  });

  test("finds a daemon on TCP too, whose record alone is not trusted", async () => {
    const folder = folderWith();
    const { address } = await standIn(() => pong(), "tcp");
    const port = address.network === "tcp" ? address.port : 0;
    writeRecord(folder, { network: "tcp", address: `127.0.0.1:${port}` });
    expect(await findReady(search(folder))).toMatchObject({ pid: process.pid });
    const stranger = await standIn(() => pong({ pid: 1 }), "tcp");
    const strange = stranger.address.network === "tcp" ? stranger.address.port : 0;
    writeRecord(folder, { network: "tcp", address: `127.0.0.1:${strange}` });
    expect(await findReady(search(folder))).toBeUndefined();
  });

  test.each<[string, () => Promise<string>]>([
    ["nobody listens", async () => "/nowhere/at/all"],
    [
      "another service answers",
      async () => pathOf(await standIn(() => json(200, { ok: true, service: "other" }))),
    ],
    [
      "the daemon is stopping",
      async () => pathOf(await standIn(() => json(503, { error: { code: "daemon_stopping" } }))),
    ],
  ])("finds no daemon, and does not try the record again, if %s", async (_name, path) => {
    const folder = folderWith();
    writeRecord(folder, { address: await path() });
    const looking = search(folder);
    expect(await discover(looking)).toBeUndefined();
    expect(looking.dismissed.size).toBe(1);
  });

  test("stops a daemon of an older version, and then finds no daemon", async () => {
    const folder = folderWith();
    const socket = join(folder, "old.sock");
    const old = await oldDaemon(socket, "0.0.1");
    writeRecord(folder, { address: socket, pid: old.pid, version: "0.0.1" });
    const ended = once(old, "exit");
    expect(await discover(search(folder))).toBeUndefined();
    expect(await ended).toEqual([null, "SIGTERM"]);
  });

  test("leaves a daemon of a newer version running and uses it", async () => {
    const folder = folderWith();
    const socket = join(folder, "new.sock");
    const newer = await oldDaemon(socket, "10.0.0");
    writeRecord(folder, { address: socket, pid: newer.pid, version: "10.0.0" });
    expect(await discover(search(folder))).toMatchObject({ pid: newer.pid });
    expect(findWithoutPing(search(folder))).toMatchObject({ pid: newer.pid });
    expect(isAlive(newer.pid)).toBe(true);
  });

  test("leaves a daemon with unknown storage running, and says why it cannot be used", async () => {
    const folder = folderWith();
    const socket = join(folder, "other.sock");
    const told = { schema_version: 40, api_schema_version: "0.13.0" };
    const other = await oldDaemon(socket, "9.9.8", 0, told);
    writeRecord(folder, { address: socket, pid: other.pid, version: "9.9.8", ...told });
    const build = { version: VERSION, schema_version: 31, api_schema_version: "0.14.0" };
    await expect(discover(search(folder, { build }))).rejects.toMatchObject({
      code: "daemon_api_too_old",
      message: `the running daemon (pid ${other.pid}) is svc 9.9.8 with API 0.13.0, and this is svc ${VERSION} with API 0.14.0; it cannot be replaced, because its database has schema 40 and this svc knows up to 31`,
    });
    expect(isAlive(other.pid)).toBe(true);
  });

  test("leaves a daemon of another version running if the caller accepts any version", async () => {
    const folder = folderWith();
    const socket = join(folder, "old.sock");
    const old = await oldDaemon(socket, "0.0.1");
    writeRecord(folder, { address: socket, pid: old.pid, version: "0.0.1" });
    expect(await discover(search(folder, { anyVersion: true }))).toMatchObject({ pid: old.pid });
    expect(isAlive(old.pid)).toBe(true);
  });

  test("stops no process if the daemon answers with another pid than its record has", async () => {
    const folder = folderWith();
    const socket = join(folder, "old.sock");
    const old = await oldDaemon(socket, "0.0.1", 1);
    writeRecord(folder, { address: socket, pid: old.pid, version: "0.0.1" });
    await expect(discover(search(folder))).rejects.toMatchObject({
      code: "daemon_unavailable",
      message: expect.stringContaining("nothing was stopped") as string,
    });
    expect(isAlive(old.pid)).toBe(true);
  });

  test("fails with an error that names the pid and the address if a process listens but does not answer", async () => {
    const folder = folderWith();
    const path = pathOf(await standIn(() => undefined));
    writeRecord(folder, { address: path });
    await expect(discover(search(folder))).rejects.toMatchObject({
      code: "daemon_unavailable",
      message: `the daemon (pid ${process.pid}) at ${path} does not answer`,
    });
  });
});

function pathOf({
  address,
}: {
  readonly address: { readonly network: string; readonly path?: string };
}): string {
  return address.path ?? "";
}

describe("the lock for starting a daemon", () => {
  test("is held by one client until it is released", () => {
    const folder = folderWith();
    expect(takeStartLock(folder, systemClock, 30_000)).toBe(true);
    expect(takeStartLock(folder, systemClock, 30_000)).toBe(false);
    dropStartLock(folder);
    expect(takeStartLock(folder, systemClock, 30_000)).toBe(true);
  });

  test("is given to the next client if its owner is dead", async () => {
    const folder = folderWith({ starting: String(await deadPid()) });
    expect(takeStartLock(folder, systemClock, 30_000)).toBe(true);
  });

  test.each([
    [30_000, false],
    [30_001, true],
  ])(
    "a lock that is %d ms old is given to the next client because it is too old: %s",
    (age, taken) => {
      const folder = folderWith({ starting: "" });
      const clock = new FakeClock();
      const then = (clock.nowMs() - age) / 1000;
      utimesSync(join(folder, "starting"), then, then);
      expect(takeStartLock(folder, clock, 30_000)).toBe(taken);
    },
  );
});
