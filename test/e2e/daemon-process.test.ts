import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { call, openRequest, openStream, tempFolder } from "../support/daemon.ts";
import {
  type DaemonProcess,
  daemonAttempt,
  daemonProcess,
  type ProcessOptions,
} from "../support/daemon-process.ts";

const LAUNCHER = join(import.meta.dirname, "../../bin/run.js");

async function start(options: Partial<ProcessOptions> = {}): Promise<DaemonProcess> {
  const daemon = await daemonProcess({ folder: tempFolder(), ...options });
  onTestFinished(async () => void (await daemon.end("SIGKILL")));
  return daemon;
}

async function svc(
  { folder }: Pick<DaemonProcess, "folder">,
  ...words: readonly string[]
): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, [LAUNCHER, ...words], {
    cwd: folder,
    env: { HOME: folder, SVC_HOME: join(folder, "home"), XDG_RUNTIME_DIR: join(folder, "run") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => void (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => void (err += text));
  const [code] = (await once(child, "close")) as [number];
  return { code, out, err };
}

/** A process that is no daemon of svc. */
function bystander(): ChildProcess {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

function writeRecord(
  { runtimeDir }: Pick<DaemonProcess, "runtimeDir">,
  pid: number,
  address: string,
  version = "0.1.0",
): string {
  mkdirSync(runtimeDir, { recursive: true, mode: 0o700 });
  const path = join(runtimeDir, `daemon.${pid}.json`);
  const record = {
    pid,
    network: "unix",
    address,
    service: "svc",
    version,
    started_at: "2026-01-01T00:00:00.000Z",
  };
  writeFileSync(path, JSON.stringify(record));
  return path;
}

const titles = async ({ endpoint }: DaemonProcess): Promise<readonly unknown[]> => {
  const { body } = await call(endpoint, "GET", "/projects");
  return (body["projects"] as { name: string }[]).map(({ name }) => name);
};

const addProject = async ({ endpoint }: DaemonProcess, name: string): Promise<void> => {
  const { status } = await call(endpoint, "POST", "/projects", { body: { name, actor: "ann" } });
  expect(status).toBe(200);
};

test("a daemon keeps its files private to its owner, whatever umask it inherits", async () => {
  const before = process.umask(0);
  const daemon = await start();
  process.umask(before);
  await addProject(daemon, "web");
  const home = join(daemon.folder, "home");
  const modes = readdirSync(home, { recursive: true, encoding: "utf8" }).map((name) => {
    const found = statSync(join(home, name));
    return [name, found.mode & 0o777, found.isDirectory()] as const;
  });
  expect(modes.length).toBeGreaterThan(5);
  for (const [name, mode, folder] of modes)
    expect([name, mode]).toEqual([name, folder ? 0o700 : 0o600]);
  expect(statSync(daemon.endpoint.address).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(daemon.endpoint.address)).mode & 0o777).toBe(0o700);
});

test("SIGTERM ends a daemon after it has answered pending requests, and leaves nothing behind", async () => {
  const daemon = await start();
  const stream = await openStream(daemon.endpoint);
  await stream.until(() => stream.text() !== "");
  const body = JSON.stringify({ name: "late", actor: "ann" });
  const slow = openRequest(daemon.endpoint, "POST", "/projects", {
    "content-type": "application/json",
    "content-length": String(body.length),
  });
  slow.sent.write(body.slice(0, 5));
  await call(daemon.endpoint, "GET", "/ping");
  const ended = daemon.end("SIGTERM");
  await stream.end;
  expect((await call(daemon.endpoint, "GET", "/ping")).status).toBe(503);
  slow.sent.end(body.slice(5));
  expect((await slow.answer).status).toBe(200);
  expect(await ended).toBe(0);
  expect(readdirSync(daemon.runtimeDir).sort()).toEqual(["daemon.log", "refusals.log", "web-port"]);
  expect(existsSync(daemon.endpoint.address)).toBe(false);
  expect(await titles(await start({ folder: daemon.folder }))).toEqual(["late"]);
});

test("a second signal ends the daemon without waiting for a hanging request", async ({
  signal,
}) => {
  const daemon = await start();
  const hanging = openRequest(daemon.endpoint, "POST", "/projects", {
    "content-type": "application/json",
    "content-length": "10",
  });
  hanging.sent.write("{");
  await call(daemon.endpoint, "GET", "/ping");
  process.kill(daemon.pid, "SIGINT");
  await waitFor(signal, async () => (await call(daemon.endpoint, "GET", "/ping")).status === 503);
  expect(await daemon.end("SIGINT")).toBe(1);
});

test("SIGHUP makes a daemon continue in a new log file", async ({ signal }) => {
  const daemon = await start();
  const log = join(daemon.runtimeDir, "daemon.log");
  const { renameSync } = await import("node:fs");
  renameSync(log, `${log}.moved`);
  expect(await svc(daemon, "daemon", "reload", "--json")).toMatchObject({ code: 0 });
  await waitFor(signal, async () => existsSync(log));
  expect(readFileSync(log, "utf8")).toContain('"daemon.reloaded"');
});

test("kill -9 loses nothing that was acknowledged, and the next daemon starts without help", async () => {
  const first = await start();
  await addProject(first, "web");
  expect(await first.end("SIGKILL")).toBe("SIGKILL");
  expect(existsSync(first.endpoint.address)).toBe(true);
  expect(readdirSync(first.runtimeDir)).toContain(`daemon.${first.pid}.json`);
  const second = await start({ folder: first.folder });
  expect(await titles(second)).toEqual(["web"]);
  expect(readdirSync(first.runtimeDir).sort()).toEqual([
    `daemon.${second.pid}.json`,
    "daemon.log",
    "web-port",
  ]);
});

test("a second daemon on the same database ends quietly and names the running one", async () => {
  const daemon = await start();
  const second = await daemonAttempt({ folder: daemon.folder });
  expect(second.code).toBe(0);
  expect(second.stderr).toBe(
    `daemon already running pid=${daemon.pid} address=${daemon.endpoint.address}\n`,
  );
  expect((await call(daemon.endpoint, "GET", "/ping")).body).toMatchObject({ pid: daemon.pid });
});

test.each<[string, (daemon: DaemonProcess) => ProcessOptions]>([
  ["one that runs already", ({ folder }) => ({ folder })],
  [
    "an address that is not served",
    () => ({ folder: tempFolder(), args: ["--listen", "192.0.2.1:7777"] }),
  ],
  [
    "a setting that is wrong",
    () => ({ folder: tempFolder(), env: { SVC_DSN: "mysql://localhost/svc" } }),
  ],
])(
  "the daemon itself and svc daemon start report a failed start in the same words: %s",
  async (_, attempt) => {
    const daemon = await start();
    const { args = [], ...where } = attempt(daemon);
    const plain = await daemonAttempt({ ...where, args });
    // With any other flag, the command itself reads the words.
    const command = await daemonAttempt({ ...where, args: [...args, "--as", "ann"] });
    expect(plain).toEqual(command);
    expect(plain.stderr).not.toBe("");
  },
);

test("a daemon notifies the client that started it, once, when it can be called", async () => {
  const folder = tempFolder();
  const run = join(folder, "run");
  mkdirSync(run, { mode: 0o700 });
  const env = { HOME: folder, SVC_HOME: join(folder, "home"), XDG_RUNTIME_DIR: run };
  const child = spawn(process.execPath, [LAUNCHER, "daemon", "start", "--foreground"], {
    cwd: folder,
    env: { ...env, SVC_READY_FD: "3" },
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const pipe = child.stdio[3] as Readable;
  let heard = "";
  pipe.setEncoding("utf8").on("data", (text: string) => void (heard += text));
  await once(pipe, "end");
  expect(heard).toBe("\n");
  const files = readdirSync(join(folder, "home"), { recursive: true, encoding: "utf8" });
  const record = files.find((name) => name.endsWith(`daemon.${child.pid}.json`)) ?? "";
  const { network, address } = JSON.parse(readFileSync(join(folder, "home", record), "utf8"));
  expect((await call({ network, address }, "GET", "/ping")).body).toMatchObject({ pid: child.pid });
});

test("of eight daemons started at once one serves and seven end quietly", async ({ signal }) => {
  const folder = tempFolder();
  const ended: { readonly code: unknown; readonly stderr: string }[] = [];
  const attempts = Array.from({ length: 8 }, async () => {
    ended.push(await daemonAttempt({ folder }));
  });
  await waitFor(signal, async () => ended.length === 7);
  const [record] = readdirSync(join(folder, "home"), { recursive: true, encoding: "utf8" }).filter(
    (name) => /daemon\.\d+\.json$/.test(name),
  );
  const { pid, network, address } = JSON.parse(
    readFileSync(join(folder, "home", record ?? ""), "utf8"),
  );
  expect((await call({ network, address }, "GET", "/ping")).body).toMatchObject({ pid });
  for (const { code, stderr } of ended) {
    expect([code, stderr]).toEqual([0, expect.stringContaining(`already running pid=${pid}`)]);
  }
  process.kill(pid, "SIGTERM");
  await Promise.all(attempts);
  expect(ended.at(-1)).toEqual({ code: 0, stderr: "" });
}, 60_000);

/** The other process does not report what it does, so the test checks repeatedly. */
async function waitFor(signal: AbortSignal, holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    signal.throwIfAborted();
    await systemClock.sleep(5);
  }
}

describe("leftovers of an earlier daemon do not stop a start", () => {
  test("a record and a socket of a dead process do not stop a start", async () => {
    const folder = tempFolder();
    const first = await start({ folder });
    await first.end("SIGKILL");
    const gone = bystander();
    const pid = gone.pid ?? 0;
    gone.kill("SIGKILL");
    await once(gone, "exit");
    const stale = writeRecord(first, pid, first.endpoint.address);
    const second = await start({ folder });
    expect(existsSync(stale)).toBe(false);
    expect((await call(second.endpoint, "GET", "/ping")).status).toBe(200);
  });

  test("a record whose pid now belongs to another program does not stop a start, and the program is left alone", async () => {
    const folder = tempFolder();
    const first = await start({ folder });
    await first.end("SIGKILL");
    const other = bystander();
    const stale = writeRecord(first, other.pid ?? 0, first.endpoint.address);
    expect(JSON.parse((await svc(first, "daemon", "status", "--json")).out)).toMatchObject({
      daemons: [],
    });
    expect(JSON.parse((await svc(first, "daemon", "stop", "--json")).out)).toMatchObject({
      stopped: false,
    });
    const second = await start({ folder });
    expect(existsSync(stale)).toBe(false);
    expect(other.exitCode ?? other.signalCode).toBeNull();
    expect((await call(second.endpoint, "GET", "/ping")).body).toMatchObject({ pid: second.pid });
  });

  test("an unreadable record does not stop a start", async () => {
    const folder = tempFolder();
    const first = await start({ folder });
    await first.end("SIGKILL");
    writeFileSync(join(first.runtimeDir, "daemon.1.json"), "{");
    const second = await start({ folder });
    expect((await call(second.endpoint, "GET", "/ping")).status).toBe(200);
  });
});

describe("a daemon that cannot start reports the reason in one line and a hint", () => {
  test.each<[string, (folder: string) => Partial<ProcessOptions>, RegExp]>([
    [
      "a home below a file",
      (folder) => {
        writeFileSync(join(folder, "home"), "");
        return {};
      },
      /^svc: .*home.*\n/,
    ],
    [
      "a database of another program",
      (folder) => {
        writeFileSync(
          join(folder, "other.db"),
          "this is a letter to my grandmother, long enough to be no header at all".repeat(3),
        );
        return { env: { SVC_DSN: join(folder, "other.db") } };
      },
      /^svc: .*other\.db is not a database of svc\nhint: /,
    ],
    [
      "an address of another machine",
      () => ({ args: ["--listen", "10.1.2.3:80"] }),
      /^svc: cannot listen on 10\.1\.2\.3:80: .*\nhint: /,
    ],
    [
      "a wildcard",
      () => ({ args: ["--listen", ":7777"] }),
      /^svc: cannot listen on 0\.0\.0\.0:7777/,
    ],
    [
      "an invalid address",
      () => ({ args: ["--listen", "localhost"] }),
      /^svc: --listen must be ip:port/,
    ],
  ])("a daemon that cannot start reports the reason: %s", async (_what, prepare, says) => {
    const folder = tempFolder();
    const { code, stderr } = await daemonAttempt({ folder, ...prepare(folder) });
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain("    at ");
    expect(code).toBeGreaterThan(0);
  });

  test("a daemon that may not write its home reports the reason and a hint", async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "home"), { mode: 0o500 });
    // Permissions do not stop root, but the kernel's own folders refuse everybody.
    const env = process.getuid?.() === 0 ? { SVC_HOME: "/sys/svc" } : {};
    const { code, stderr } = await daemonAttempt({ folder, env });
    expect(stderr).toMatch(/^svc: .*\nhint: .*SVC_HOME/);
    expect(code).toBe(7);
  });
});

describe("svc daemon", () => {
  test("start, status and stop start a daemon that keeps running, show it and end it", async () => {
    const at = { folder: tempFolder() };
    const started = JSON.parse((await svc(at, "daemon", "start", "--json")).out);
    expect(started).toMatchObject({
      svc_api_version: 1,
      action: "started",
      pid: expect.any(Number),
    });
    onTestFinished(async () => void (await svc(at, "daemon", "stop")));
    const again = JSON.parse((await svc(at, "daemon", "start", "--json")).out);
    expect(again).toMatchObject({
      action: "already_running",
      pid: started.pid,
      address: started.address,
    });
    const status = JSON.parse((await svc(at, "daemon", "status", "--json")).out);
    expect(status).toMatchObject({
      selected: started.pid,
      daemons: [{ pid: started.pid, state: "running", db_path: join(at.folder, "home", "svc.db") }],
    });
    expect(await svc(at, "daemon", "start", "--listen", "127.0.0.1:0")).toMatchObject({ code: 5 });
    const stopped = JSON.parse((await svc(at, "daemon", "stop", "--json")).out);
    expect(stopped).toEqual({
      svc_api_version: 1,
      action: "stop",
      stopped: true,
      pids: [started.pid],
    });
    expect((await svc(at, "daemon", "status")).out).toBe("no daemon is running\n");
  });

  test("start replaces a daemon that a command started and that would end when idle", async () => {
    const folder = tempFolder();
    const auto = await start({
      folder,
      env: { SVC_AUTOSTART: "1", SVC_AUTOSTART_IDLE_TIMEOUT: "10m" },
    });
    const { body } = await call(auto.endpoint, "GET", "/health");
    expect(body["idle_shutdown"]).toMatchObject({ timeout: "10m0s", state: "armed" });
    const replaced = JSON.parse((await svc(auto, "daemon", "start", "--json")).out);
    onTestFinished(async () => void (await svc(auto, "daemon", "stop")));
    expect(replaced).toMatchObject({ action: "replaced", replaced_pid: auto.pid });
    expect(await auto.exited).toBe(0);
    const health = await call(auto.endpoint, "GET", "/health");
    expect(health.body).not.toHaveProperty("idle_shutdown");
  });

  test("restart keeps the data and can change the address", async () => {
    const daemon = await start();
    await addProject(daemon, "web");
    const restarted = JSON.parse(
      (await svc(daemon, "daemon", "restart", "--listen", "127.0.0.1:0", "--json")).out,
    );
    onTestFinished(async () => void (await svc(daemon, "daemon", "stop")));
    expect(restarted).toMatchObject({
      action: "restart",
      stopped: true,
      pids: [daemon.pid],
      address: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    });
    const { body } = await call({ network: "tcp", address: restarted.address }, "GET", "/projects");
    expect(body["projects"]).toMatchObject([{ name: "web" }]);
  });

  test("start prints the daemon's own message if the daemon does not start", async () => {
    const at = { folder: tempFolder() };
    const { code, err } = await svc(at, "daemon", "start", "--listen", "10.0.0.1:1");
    expect(code).toBe(7);
    expect(err).toContain("cannot listen on 10.0.0.1:1");
  });

  test("reload is a usage error without a daemon, and logs then prints nothing", async () => {
    const at = { folder: tempFolder() };
    expect(await svc(at, "daemon", "reload")).toMatchObject({ code: 2, out: "" });
    expect(await svc(at, "daemon", "logs")).toEqual({ code: 0, out: "", err: "" });
  });

  test.each(["start", "stop", "restart", "reload", "logs", "status"])(
    "%s refuses --daemon",
    async (word) => {
      expect(await svc({ folder: tempFolder() }, "daemon", word, "--daemon", "x")).toMatchObject({
        code: 2,
        out: "",
      });
    },
  );

  test("logs shows the entries of the log, the newest last, and with --tail follows the log over a rotation", async () => {
    const daemon = await start();
    const { out } = await svc(daemon, "daemon", "logs", "--json");
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).event),
    ).toEqual(["daemon.started"]);
    expect((await svc(daemon, "daemon", "logs", "--agent")).out).toMatch(/^OK daemon_log address=/);
    const tail = spawn(
      process.execPath,
      [join(import.meta.dirname, "../../bin/run.js"), "daemon", "logs", "--tail", "--json"],
      {
        cwd: daemon.folder,
        env: {
          HOME: daemon.folder,
          SVC_HOME: join(daemon.folder, "home"),
          XDG_RUNTIME_DIR: join(daemon.folder, "run"),
        },
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    onTestFinished(() => void tail.kill("SIGKILL"));
    let text = "";
    tail.stdout.setEncoding("utf8").on("data", (piece: string) => void (text += piece));
    const shows = async (part: string): Promise<void> => {
      while (!text.includes(part)) await once(tail.stdout, "data");
    };
    await shows("daemon.started");
    const { renameSync } = await import("node:fs");
    renameSync(join(daemon.runtimeDir, "daemon.log"), join(daemon.runtimeDir, "daemon.log.1"));
    process.kill(daemon.pid, "SIGHUP");
    await shows("daemon.reloaded");
    tail.kill("SIGINT");
    expect((await once(tail, "close"))[0]).toBe(0);
    expect(
      text
        .trim()
        .split("\n")
        .every((line) => line.startsWith("{")),
    ).toBe(true);
  });
});
