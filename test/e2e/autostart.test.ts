import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { isAlive, type RuntimeRecord, readRecords } from "../../src/client/record.ts";
import { parseDsn } from "../../src/config/dsn.ts";
import { runtimeDir } from "../../src/config/paths.ts";
import { formatWorkspaceFile } from "../../src/config/workspace.ts";
import { oldDaemon } from "../client/old-daemon.ts";
import { json, PONG, standIn } from "../client/stand-in.ts";

const root = join(import.meta.dirname, "..", "..");
const launcher = join(root, "bin", "run.js");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly version: string;
};

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A home and a workspace for one test. Their daemons are ended after the test. */
class Place {
  readonly home = mkdtempSync(join(tmpdir(), "svc-e2e-"));
  readonly workspace = join(this.home, "work");
  readonly runtime = runtimeDir(this.home, parseDsn(join(this.home, "svc.db"), this.home));

  constructor() {
    mkdirSync(this.workspace);
    mkdirSync(this.runtime, { recursive: true, mode: 0o700 });
    onTestFinished(async () => {
      for (const { pid } of readRecords(this.runtime)) {
        if (pid !== process.pid) process.kill(pid, "SIGKILL");
        await gone(pid);
      }
      rmSync(this.home, { recursive: true, force: true });
    });
  }

  async svc(
    words: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Outcome> {
    const { PATH = "", XDG_CACHE_HOME = "", HOME = "" } = process.env;
    const child = spawn(process.execPath, [launcher, ...words], {
      cwd: this.workspace,
      env: {
        PATH,
        XDG_CACHE_HOME,
        HOME,
        USER: "ann",
        SVC_HOME: this.home,
        XDG_RUNTIME_DIR: this.home,
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
    const [status] = (await once(child, "exit")) as [number | null];
    return { status, stdout: await stdout, stderr: await stderr };
  }

  /** Runs a command that must succeed, and returns its JSON. */
  async json(...words: readonly string[]): Promise<Record<string, unknown>> {
    const { status, stdout, stderr } = await this.svc([...words, "--json"]);
    if (status !== 0 || stderr !== "")
      throw new Error(`svc ${words.join(" ")}: ${status} ${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  record(): RuntimeRecord {
    const [record, ...others] = readRecords(this.runtime);
    if (record === undefined || others.length > 0)
      throw new Error(`${others.length} other records`);
    return record;
  }

  leave(record: Partial<RuntimeRecord> & { readonly pid: number }): void {
    const whole = {
      network: "unix",
      address: join(this.home, "none"),
      service: "svc",
      version,
      started_at: "2026-01-01T00:00:00.000Z",
      metadata: {},
      ...record,
    };
    writeFileSync(join(this.runtime, `daemon.${record.pid}.json`), JSON.stringify(whole));
  }

  /** Returns how often a daemon has started here, by its log. */
  starts(): number {
    const log = readFileSync(join(this.runtime, "daemon.log"), "utf8");
    return log.split("\n").filter((line) => line.includes('"daemon.started"')).length;
  }
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const piece of stream.setEncoding("utf8")) text += String(piece);
  return text;
}

async function gone(pid: number): Promise<void> {
  await vi.waitUntil(() => pid === process.pid || !isAlive(pid), { timeout: 20_000, interval: 5 });
}

describe("the first command starts the daemon", () => {
  test("the first command starts the daemon in the background, detached from the command's streams, with files only the owner can read", async () => {
    const place = new Place();
    expect(await place.json("init", "--project", "tools")).toMatchObject({ created: true });
    const { pid, address } = place.record();
    expect(isAlive(pid)).toBe(true);
    const modes = [
      address,
      join(place.runtime, "daemon.log"),
      join(place.home, "svc.db"),
      place.runtime,
    ];
    expect(modes.map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual([
      "600",
      "600",
      "600",
      "700",
    ]);
    expect(existsSync(join(place.runtime, "starting"))).toBe(false);
    expect(await place.json("list")).toMatchObject({ issues: [] });
    expect(place.record().pid).toBe(pid);
  });

  test("64 commands that start at the same time start one daemon", async () => {
    const place = new Place();
    await place.json("init", "--project", "tools");
    await place.json("daemon", "stop");
    expect(readRecords(place.runtime)).toEqual([]);
    const before = place.starts();
    const titles = Array.from(
      { length: 64 },
      (_, number) => `issue ${String(number).padStart(2, "0")} of its own kind`,
    );
    const outcomes = await Promise.all(
      titles.map((title) => place.svc(["create", title, "--force-new", "--json"])),
    );
    expect(outcomes.filter(({ status, stderr }) => status !== 0 || stderr !== "")).toEqual([]);
    const { issues } = (await place.json("list")) as {
      readonly issues: readonly { readonly title: string }[];
    };
    expect(issues.map(({ title }) => title).toSorted()).toEqual(titles);
    expect(place.starts() - before).toBe(1);
    expect(place.record().pid).toBeGreaterThan(0);
  }, 120_000);
});

describe("leftovers of an ended daemon do not stop a start", () => {
  test("the record and the socket of a killed daemon do not stop a start", async () => {
    const place = new Place();
    await place.json("init", "--project", "tools");
    const killed = place.record();
    process.kill(killed.pid, "SIGKILL");
    await gone(killed.pid);
    expect(existsSync(killed.address)).toBe(true);
    await place.json("create", "after the crash");
    expect(place.record().pid).not.toBe(killed.pid);
    expect(readdirSync(place.runtime).filter((name) => name.endsWith(".json"))).toHaveLength(1);
  });

  test("a lost socket does not stop a start: the old daemon ends, and the waiting command starts the next", async () => {
    const place = new Place();
    await place.json("init", "--project", "tools");
    const { pid, address } = place.record();
    rmSync(address);
    await place.json("create", "after the socket was deleted");
    expect(place.record().pid).not.toBe(pid);
    expect(isAlive(pid)).toBe(false);
  }, 40_000);

  test("a record whose pid now belongs to another process does not stop a start", async () => {
    const place = new Place();
    place.leave({ pid: process.pid });
    await place.json("init", "--project", "tools");
    expect(place.record().pid).not.toBe(process.pid);
  });

  test("the lock of a client that died while starting a daemon does not stop a start", async () => {
    const place = new Place();
    const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore" });
    await once(child, "exit");
    writeFileSync(join(place.runtime, "starting"), String(child.pid));
    await place.json("init", "--project", "tools");
    expect(existsSync(join(place.runtime, "starting"))).toBe(false);
  });
});

describe("a running daemon of another version", () => {
  async function old(place: Place): Promise<ChildProcess> {
    const socket = join(place.home, "old.sock");
    const child = await oldDaemon(socket, "0.0.1");
    place.leave({ pid: child.pid, address: socket, version: "0.0.1" });
    return child;
  }

  test("is stopped, and one of this version replaces it", async () => {
    const place = new Place();
    const other = await old(place);
    const ended = once(other, "exit");
    await place.json("init", "--project", "tools");
    expect(await ended).toEqual([null, "SIGTERM"]);
    expect(place.record()).toMatchObject({ version });
  });

  test("is left running and used if SVC_SKIP_DAEMON_VERSION_CHECK is set", async () => {
    const place = new Place();
    const other = await old(place);
    const env = { SVC_SKIP_DAEMON_VERSION_CHECK: "1" };
    const { status, stdout } = await place.svc(["daemon", "locate"], env);
    expect([status, stdout]).toEqual([0, `unix://${join(place.home, "old.sock")}\n`]);
    expect(other.exitCode).toBeNull();
  });
});

describe("a daemon that another home started on the same database", () => {
  test("is used, and none is started beside it", async () => {
    const [place, other] = [new Place(), new Place()];
    await place.json("init", "--project", "tools");
    const env = { SVC_DB: join(place.home, "svc.db"), XDG_RUNTIME_DIR: place.home };
    const read = await other.svc(["list", "--project", "tools", "--json"], env);
    expect(read).toMatchObject({ status: 0, stderr: "" });
    const made = await other.svc(["create", "from the other home", "--project", "tools"], env);
    expect(made).toMatchObject({ status: 0, stderr: "" });
    expect((await place.svc(["list"])).stdout).toContain("from the other home");
    const { status, stdout } = await other.svc(["daemon", "locate", "--no-start"], env);
    expect([status, stdout]).toEqual([0, `unix://${place.record().address}\n`]);
    expect(place.starts()).toBe(1);
  });

  test("is named in the error, and left running, if it has another version", async () => {
    const place = new Place();
    const address = join(place.home, "svc", basename(place.runtime), "daemon.sock");
    mkdirSync(dirname(address), { recursive: true, mode: 0o700 });
    const child = await oldDaemon(address, "0.0.1");
    const { status, stderr } = await place.svc(["list", "--project", "tools"]);
    expect(stderr).toMatch(`a daemon of version 0.0.1 (pid ${child.pid}) serves this database`);
    expect(status).toBe(7);
    expect(child.exitCode).toBeNull();
  });

  test("is not contacted if other users may enter the folder of its socket", async () => {
    const place = new Place();
    const address = join(place.home, "svc", basename(place.runtime), "daemon.sock");
    mkdirSync(dirname(address), { recursive: true });
    chmodSync(dirname(address), 0o777);
    await oldDaemon(address, version);
    expect(await place.svc(["daemon", "locate", "--no-start"])).toMatchObject({
      status: 7,
      stdout: "",
    });
  });
});

describe("a daemon that cannot start is reported with its own message", () => {
  async function failure(place: Place): Promise<string> {
    const { status, stdout, stderr } = await place.svc(["init", "--project", "tools", "--json"]);
    const { error } = JSON.parse(stderr) as { readonly error: Record<string, unknown> };
    expect([status, stdout]).toEqual([7, ""]);
    expect(error).toMatchObject({ kind: "daemon_unavailable", exit_code: 7 });
    expect(existsSync(join(place.runtime, "starting"))).toBe(false);
    return `${String(error["message"])} ${String(error["hint"])}`;
  }

  test("a daemon reports that its database file is no database, and leaves the file unchanged", async () => {
    const place = new Place();
    const content = "not a database, and long enough to be looked at\n".repeat(100);
    writeFileSync(join(place.home, "svc.db"), content);
    expect(await failure(place)).toContain(join(place.home, "svc.db"));
    expect(readFileSync(join(place.home, "svc.db"), "utf8")).toBe(content);
  });

  test("a daemon reports that another process has its port", async () => {
    const place = new Place();
    const { address } = await standIn(() => json(200, { ok: true, service: "other" }), "tcp");
    const where = `127.0.0.1:${address.network === "tcp" ? address.port : 0}`;
    writeFileSync(join(place.home, "config.toml"), `listen = "${where}"\n`);
    expect(await failure(place)).toContain(where);
  });
});

describe("svc daemon locate --json", () => {
  const local = {
    svc_api_version: 1,
    source: "local_default",
    kind: "local",
    network: "unix",
    scheme: "http",
  };

  test("names the local daemon, and starts it unless told not to", async () => {
    const place = new Place();
    expect(await place.svc(["daemon", "locate", "--no-start", "--json"])).toMatchObject({
      status: 7,
      stdout: "",
    });
    expect(readRecords(place.runtime)).toEqual([]);
    const found = await place.json("daemon", "locate");
    expect(found).toEqual({ ...local, address: `unix://${place.record().address}` });
    expect(await place.json("daemon", "locate", "--no-start")).toEqual(found);
  });

  test("names a daemon on TCP with the URL for its requests", async () => {
    const place = new Place();
    writeFileSync(join(place.home, "config.toml"), 'listen = "127.0.0.1:0"\n');
    const { address } = await place.json("daemon", "locate");
    expect(address).toMatch(/^127\.0\.0\.1:\d+$/);
    const base = { source: "local_default", kind: "local", network: "tcp", scheme: "http" };
    expect(await place.json("daemon", "locate")).toEqual({
      svc_api_version: 1,
      ...base,
      address,
      request_base_url: `http://${String(address)}`,
    });
  });

  test("names a remote daemon without sending it a token, even if the token is missing", async () => {
    const place = new Place();
    const server = await standIn(() => json(200, PONG), "tcp");
    const port = server.address.network === "tcp" ? server.address.port : 0;
    const url = `http://127.0.0.1:${port}`;
    writeFileSync(
      join(place.home, "config.toml"),
      `[[daemon]]\nname = "work"\nurl = "${url}"\ntoken_env = "NOT_SET"\n`,
    );
    writeFileSync(join(place.workspace, ".svc.toml"), formatWorkspaceFile("tools"));
    const remote = {
      svc_api_version: 1,
      kind: "remote",
      network: "tcp",
      scheme: "http",
      address: url,
      request_base_url: url,
    };
    expect(await place.json("daemon", "locate", "--daemon", "work")).toEqual({
      ...remote,
      source: "daemon_flag",
    });
    expect(server.requests).toHaveLength(1);
    expect(server.requests.join()).not.toMatch(/authorization/i);

    const call = await place.svc(["list", "--daemon", "work", "--json"]);
    expect(call).toMatchObject({ status: 3, stdout: "" });
    expect(call.stderr).toContain("NOT_SET");

    const byEnv = await place.svc(["daemon", "locate", "--json"], { SVC_SERVER: url });
    expect(JSON.parse(byEnv.stdout)).toEqual({ ...remote, source: "configured" });
    await server.close();
    expect(await place.svc(["daemon", "locate"], { SVC_SERVER: url })).toMatchObject({
      status: 7,
      stdout: "",
      stderr: expect.stringContaining(`server not responding: ${url} (SVC_SERVER)`) as string,
    });
  });
});
