import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, unlinkSync } from "node:fs";
import { connect, createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { createLog, type Log } from "../../src/base/log.ts";
import { parseHostPort } from "../../src/config/addresses.ts";
import { type Daemon, startDaemon } from "../../src/daemon/index.ts";
import { FakeClock } from "../support/clock.ts";
import {
  call,
  daemonSettings,
  openRequest,
  openStream,
  tempFolder,
  testDaemon,
} from "../support/daemon.ts";

function memoryLog(): { readonly log: Log; readonly events: () => readonly string[] } {
  const lines: string[] = [];
  const sink = {
    write: (line: string) => void lines.push(line),
    reopen: () => undefined,
    close: () => undefined,
  };
  return {
    log: createLog(sink, systemClock),
    events: () => lines.map((line) => JSON.parse(line).event),
  };
}

async function project({ endpoint }: Pick<Daemon, "endpoint">, name = "web"): Promise<number> {
  const { body } = await call(endpoint, "POST", "/projects", { body: { name, actor: "ann" } });
  return (body["project"] as { id: number }).id;
}

const mode = (path: string): number => statSync(path).mode & 0o777;

/** The build that ping and record report when svc runs from source. */
const FROM_SOURCE = {
  commit: "",
  built_at: "",
  schema_version: expect.any(Number),
  api_schema_version: "0.22.0",
};

test("the uptime of a daemon does not follow the system's clock", async () => {
  const clock = new FakeClock();
  const { endpoint } = await testDaemon({ clock });
  clock.advance(-3_600_000);
  expect((await call(endpoint, "GET", "/health")).body["uptime"]).toMatch(/^\d+(\.\d+)?m?s$/);
});

test("a daemon answers ping, health and instance, and has no /openapi.json", async () => {
  const { endpoint, settings } = await testDaemon();
  expect((await call(endpoint, "GET", "/ping")).body).toEqual({
    ok: true,
    service: "svc",
    version: "1.2.3",
    pid: process.pid,
    ...FROM_SOURCE,
  });
  const { body } = await call(endpoint, "GET", "/health");
  expect(body).toMatchObject({
    ok: true,
    api_schema_version: "0.22.0",
    schema_version: expect.any(Number),
    version: "1.2.3",
    db_path: settings.dsn.display,
    uptime: expect.stringMatching(/s$/),
  });
  expect(body).not.toHaveProperty("idle_shutdown");
  expect((await call(endpoint, "GET", "/instance")).body).toMatchObject({
    instance_uid: expect.stringMatching(/^[0-9A-Z]{26}$/),
    auth: { close_requires_evidence: false },
  });
  expect((await call(endpoint, "GET", "/../../openapi.json")).status).toBe(404);
});

test("GET /health names the database's files only to clients on this machine", async () => {
  const clock = new FakeClock();
  const run = async () => await Promise.reject(new Error("no room below /home/ann/backups"));
  const { endpoint, settings } = await testDaemon({
    listen: { host: "127.0.0.1", port: 0 },
    clock,
    backups: async () => await Promise.resolve({ intervalMs: 60_000, made: async () => [], run }),
  });
  const health = async (headers: Readonly<Record<string, string>> = {}) =>
    (await call(endpoint, "GET", "/health", { headers })).body;
  await expect
    .poll(async () => {
      clock.advance(1000);
      return JSON.stringify(await health());
    })
    .toContain("/home/ann");
  expect((await health())["db_path"]).toBe(settings.dsn.display);
  const elsewhere = await health({ "x-forwarded-for": "203.0.113.5" });
  expect(elsewhere).toMatchObject({
    db_path: "svc.db",
    backup: { failure: { message: "svc daemon logs on its machine says why" } },
  });
});

test("all files that a daemon creates are readable only by their owner", async () => {
  const { endpoint, folder, settings } = await testDaemon();
  await project({ endpoint });
  expect(mode(settings.runtimeDir)).toBe(0o700);
  expect(mode(dirname(settings.socketPath))).toBe(0o700);
  for (const file of [
    settings.socketPath,
    join(settings.runtimeDir, `daemon.${process.pid}.json`),
    ...["svc.db", "svc.db-wal", "svc.db-shm", "svc.db.daemon.lock", "svc.db.end"].map((name) =>
      join(folder, name),
    ),
  ]) {
    expect([file, mode(file)]).toEqual([file, 0o600]);
  }
});

test("a running daemon has a record file in its folder, and a stopped daemon leaves only its data", async () => {
  const daemon = await testDaemon();
  const { settings, folder, endpoint } = daemon;
  const record = JSON.parse(
    readFileSync(join(settings.runtimeDir, `daemon.${process.pid}.json`), "utf8"),
  );
  expect(record).toEqual({
    pid: process.pid,
    ...endpoint,
    service: "svc",
    version: "1.2.3",
    ...FROM_SOURCE,
    started_at: expect.stringMatching(/^\d{4}-.*Z$/),
    metadata: {
      db_path: settings.dsn.display,
      mode: "open",
      listeners: [{ address: `unix://${endpoint.address}`, kind: "socket", https: false }],
    },
  });
  await daemon.stop();
  expect(readdirSync(settings.runtimeDir)).toEqual([]);
  expect(existsSync(settings.socketPath)).toBe(false);
  expect(readdirSync(folder).sort()).toEqual([
    "runtime",
    "sockets",
    "svc.db",
    "svc.db.daemon.lock",
    "svc.db.end",
  ]);
});

test("a second daemon on the same database does not start until the first has stopped", async () => {
  const first = await testDaemon();
  const { settings } = first;
  await expect(startDaemon(settings)).rejects.toMatchObject({ fault: "already_running" });
  expect((await call(first.endpoint, "GET", "/ping")).status).toBe(200);
  await first.stop();
  const second = await startDaemon(settings);
  expect((await call(second.endpoint, "GET", "/ping")).status).toBe(200);
  await second.stop();
});

test("a daemon that cannot listen releases the database that it had claimed", async () => {
  const settings = daemonSettings();
  const server = createServer();
  onTestFinished(() => void server.close());
  const taken = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
  await expect(
    startDaemon({ ...settings, listen: [{ host: "127.0.0.1", port: taken }] }),
  ).rejects.toMatchObject({
    fault: "address",
    message: expect.stringContaining(`127.0.0.1:${taken}`),
  });
  const daemon = await startDaemon(settings);
  await daemon.stop();
});

describe("a socket path", () => {
  test("a socket path left by a killed daemon is taken over", async () => {
    const settings = daemonSettings();
    // A child process binds the socket and is killed, which leaves the file behind.
    const { spawnSync } = await import("node:child_process");
    const { mkdirSync } = await import("node:fs");
    mkdirSync(dirname(settings.socketPath), { recursive: true });
    const script = `require("node:net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))`;
    spawnSync(process.execPath, ["-e", script, settings.socketPath]);
    expect(statSync(settings.socketPath).isSocket()).toBe(true);
    const daemon = await startDaemon(settings);
    expect((await call(daemon.endpoint, "GET", "/ping")).status).toBe(200);
    await daemon.stop();
  });

  test("a socket path that is a regular file is refused, and the file is kept", async () => {
    const settings = daemonSettings();
    const { mkdirSync, writeFileSync } = await import("node:fs");
    mkdirSync(dirname(settings.socketPath), { recursive: true });
    writeFileSync(settings.socketPath, "precious");
    await expect(startDaemon(settings)).rejects.toMatchObject({
      fault: "address",
      message: expect.stringContaining("not a socket"),
    });
    expect(readFileSync(settings.socketPath, "utf8")).toBe("precious");
  });

  test("a socket path on which another process listens is refused", async () => {
    const settings = daemonSettings();
    const { mkdirSync } = await import("node:fs");
    mkdirSync(dirname(settings.socketPath), { recursive: true });
    const server = createServer((socket) => socket.destroy()).listen(settings.socketPath);
    await once(server, "listening");
    await expect(startDaemon(settings)).rejects.toMatchObject({
      fault: "address",
      message: expect.stringContaining("already listens"),
    });
    server.close();
  });

  test("a socket path chosen by the caller leaves its folder unchanged", async () => {
    const folder = tempFolder();
    const { chmodSync } = await import("node:fs");
    chmodSync(folder, 0o755);
    const path = join(folder, "mine.sock");
    const daemon = await testDaemon({ listen: { path } });
    expect(daemon.endpoint).toEqual({ network: "unix", address: path });
    expect([mode(folder), mode(path)]).toEqual([0o755, 0o600]);
  });
});

describe("a TCP listener", () => {
  test.each(["127.0.0.1", "::1"])(
    "a TCP listener on %s with the port 0 takes a free port and reports it",
    async (host) => {
      const { endpoint } = await testDaemon({ listen: { host, port: 0 } });
      expect(endpoint.network).toBe("tcp");
      expect(endpoint.address).not.toMatch(/:(0|3000)$/);
      expect((await call(endpoint, "GET", "/ping")).body).toMatchObject({ ok: true });
    },
  );

  test.each([
    ["localhost", 200],
    ["LOCALHOST:7777", 200],
    ["svc.localhost", 200],
    ["127.0.0.1", 200],
    ["127.9.9.9:1", 200],
    ["[::1]:80", 200],
    ["evil.example", 400],
    ["localhost.evil.example", 400],
    ["127.0.0.1.evil.example", 400],
    ["0.0.0.0", 400],
    ["10.0.0.1", 400],
    ["localhost@evil.example", 400],
  ])("a TCP listener answers a request with the Host %j by the status %i", async (host, status) => {
    const { endpoint } = await testDaemon({ listen: { host: "127.0.0.1", port: 0 } });
    const { status: given, body } = await call(endpoint, "GET", "/ping", { headers: { host } });
    expect(given).toBe(status);
    if (status === 400) expect(body).toMatchObject({ error: { code: "host_invalid" } });
  });

  test.each([
    ["http://localhost:7777/api/v1/ping", "LocalHost:7777", 200],
    ["http://localhost:7777/api/v1/ping", "localhost", 400],
    ["http://localhost:7777/api/v1/ping", "evil.example", 400],
    ["HTTP://127.0.0.1/api/v1/ping?x=1", "127.0.0.1", 200],
    ["http://evil.example/api/v1/ping", "127.0.0.1", 400],
    ["http://localhost@evil.example/api/v1/ping", "127.0.0.1", 400],
    ["http://evil.example?/api/v1/ping", "127.0.0.1", 400],
    ["http:///api/v1/ping", "127.0.0.1", 400],
  ])(
    "a TCP listener answers the request target %s with the Host %s by the status %i",
    async (target, host, status) => {
      const { endpoint } = await testDaemon({ listen: { host: "127.0.0.1", port: 0 } });
      const answer = await rawAnswer(endpoint, target, [`Host: ${host}`]);
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      if (status === 400) expect(answer).toMatch(/"code":"(host_invalid|validation)"/);
    },
  );

  test.each([
    ["forwarded", "for=203.0.113.9"],
    ["x-forwarded-for", "203.0.113.9"],
    ["x-forwarded-host", "svc.example"],
    ["x-forwarded-proto", "https"],
    ["x-real-ip", "203.0.113.9"],
  ])("a TCP listener treats a request with the header %s as a remote one", async (name, value) => {
    const { endpoint } = await testDaemon({ listen: { host: "127.0.0.1", port: 0 } });
    const headers = { [name]: value };
    const { body } = await call(endpoint, "GET", "/instance", { headers });
    expect(body["auth"]).toEqual({ close_requires_evidence: true });
  });

  test.each([
    [["Host: localhost", "Host: localhost"]],
    [["Host: localhost", "hOST: evil.example"]],
    [["Host: evil.example", "Host: localhost"]],
  ])("a TCP listener refuses two Host headers: %j", async (lines) => {
    const { endpoint } = await testDaemon({ listen: { host: "127.0.0.1", port: 0 } });
    const answer = await rawAnswer(endpoint, "/api/v1/ping", lines);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*"code":"host_invalid"/s);
  });

  test("a TCP listener refuses pages of every origin", async () => {
    const { endpoint } = await testDaemon({ listen: { host: "127.0.0.1", port: 0 } });
    const { status, body } = await call(endpoint, "GET", "/ping", {
      headers: { origin: "http://127.0.0.1" },
    });
    expect([status, body["error"]]).toEqual([
      403,
      expect.objectContaining({ code: "origin_forbidden" }),
    ]);
  });

  test.each([
    ["/api/v1/projects", "Sec-Fetch-Site: cross-site", 403],
    ["/api/v1/projects", "sec-fetch-site:  Same-Site ", 403],
    ["/debug/pprof/heap", "Sec-Fetch-Site: cross-site", 403],
    ["/api/v1/projects", "Sec-Fetch-Site: same-origin", 200],
    ["/api/v1/projects", "Sec-Fetch-Site: none", 200],
  ])(
    "a TCP listener answers a request for %s with the header %j and no Origin by the status %i",
    async (path, line, status) => {
      const { endpoint } = await testDaemon({ listen: { host: "127.0.0.1", port: 0 } });
      const answer = await rawAnswer(endpoint, path, ["Host: localhost", line]);
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer.includes('"code":"origin_forbidden"')).toBe(status === 403);
    },
  );
});

/** Sends header lines that no client library would send. */
async function rawAnswer(
  { network, address }: Daemon["endpoint"],
  target: string,
  lines: readonly string[],
): Promise<string> {
  const { host = "", port = 0 } = parseHostPort(address) ?? {};
  const socket = network === "unix" ? connect(address) : connect(port, host);
  onTestFinished(() => void socket.destroy());
  socket.write([`GET ${target} HTTP/1.1`, ...lines, "", ""].join("\r\n"));
  return String(await once(socket.setEncoding("utf8"), "data"));
}

test("two Host headers are refused on a Unix socket too", async () => {
  const { endpoint } = await testDaemon();
  const answer = await rawAnswer(endpoint, "/api/v1/ping", ["Host: a", "Host: b"]);
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*"code":"host_invalid"/s);
});

test.each([
  ["Authorization: Bearer a", "authorization: Bearer a"],
  ["Content-Type: application/json", "Content-Type: application/json"],
  ["Idempotency-Key: a", "Idempotency-Key: b"],
  ["If-Match: rev-1", "If-Match: rev-1"],
  ["X-Svc-Fence: 1", "x-svc-fence: 2"],
  ["X-Svc-Confirm: a", "X-Svc-Confirm: a"],
])(
  "a request with both %j and %j is refused, and the error names the header",
  async (one, other) => {
    const { endpoint } = await testDaemon();
    const answer = await rawAnswer(endpoint, "/api/v1/ping", ["Host: a", one, other]);
    const [name] = one.split(":");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(`"message":"${name}: was sent more than once"`);
  },
);

test.each(["Accept-Encoding: gzip", "Cookie: a=1", "X-Forwarded-For: 10.0.0.1"])(
  "a request may have the header %j twice",
  async (line) => {
    const { endpoint } = await testDaemon();
    const answer = await rawAnswer(endpoint, "/api/v1/ping", ["Host: a", line, line]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  },
);

test("any host name is accepted on a Unix socket", async () => {
  const { endpoint } = await testDaemon();
  expect((await call(endpoint, "GET", "/ping", { headers: { host: "svc.invalid" } })).status).toBe(
    200,
  );
});

test("a body that is too large is refused while it is being sent, and the connection stays open", async () => {
  const { settings } = await testDaemon();
  const socket = connect(settings.socketPath).setEncoding("utf8");
  onTestFinished(() => void socket.destroy());
  socket.write("POST /api/v1/projects HTTP/1.1\r\nHost: x\r\n");
  socket.write("Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
  const piece = " ".repeat(1024 * 1024 + 1);
  const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`;
  socket.write(chunk);
  expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1\.1 413 [^]*"payload_too_large"/);
  socket.write(`${chunk}0\r\n\r\nGET /api/v1/ping HTTP/1.1\r\nHost: x\r\n\r\n`);
  expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1\.1 200 [^]*"ok":true/);
});

test("a client that disconnects in the middle of its body is not reported as a fault of the daemon", async () => {
  const { log, events } = memoryLog();
  const { endpoint } = await testDaemon({ log });
  const { sent } = openRequest(endpoint, "POST", "/projects", {
    "content-type": "application/json",
    "content-length": "100",
  });
  sent.write('{"name":');
  await once(sent, "socket");
  await call(endpoint, "GET", "/ping");
  sent.destroy();
  await call(endpoint, "GET", "/ping");
  expect(events()).toEqual(["daemon.started"]);
});

describe("stopping a daemon", () => {
  test("stopping a daemon lets running requests finish, refuses new ones and ends streams cleanly", async () => {
    const daemon = await testDaemon();
    const { endpoint } = daemon;
    const stream = await openStream(endpoint);
    await stream.until(() => stream.text() !== "");
    const body = JSON.stringify({ name: "late", actor: "ann" });
    const slow = openRequest(endpoint, "POST", "/projects", {
      "content-type": "application/json",
      "content-length": String(body.length),
    });
    slow.sent.write(body.slice(0, 10));
    await call(endpoint, "GET", "/ping");

    const stopped = daemon.stop();
    await stream.end;
    expect(stream.response.complete).toBe(true);
    const refused = await call(endpoint, "GET", "/ping");
    expect([refused.status, refused.body["error"]]).toEqual([
      503,
      expect.objectContaining({ code: "daemon_stopping" }),
    ]);
    expect(refused.headers.connection).toBe("close");
    expect(existsSync(join(daemon.settings.runtimeDir, `daemon.${process.pid}.json`))).toBe(true);

    slow.sent.end(body.slice(10));
    expect((await slow.answer).status).toBe(200);
    await stopped;
    await expect(call(endpoint, "GET", "/ping")).rejects.toMatchObject({ code: "ENOENT" });

    const again = await testDaemon({ folder: daemon.folder });
    const { body: list } = await call(again.endpoint, "GET", "/projects");
    expect(list["projects"]).toMatchObject([{ name: "late" }]);
  });

  test("stopping a daemon cuts remaining connections after ten seconds", async () => {
    const { log, events } = memoryLog();
    const waits: number[] = [];
    const clock: Clock = {
      ...systemClock,
      sleep: async (ms, signal) => {
        waits.push(ms);
        if (ms !== 10_000) await systemClock.sleep(ms, signal);
      },
    };
    const daemon = await testDaemon({ clock, log });
    const slow = openRequest(daemon.endpoint, "POST", "/projects", {
      "content-type": "application/json",
      "content-length": "100",
    });
    slow.sent.write("{");
    await call(daemon.endpoint, "GET", "/ping");
    await daemon.stop();
    await expect(slow.answer).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(waits).toContain(10_000);
    expect(events()).toContain("daemon.requests_cut");
  });

  test("stopping a daemon twice waits both times", async () => {
    const daemon = await testDaemon();
    await Promise.all([daemon.stop(), daemon.stop()]);
    await daemon.stopped;
    await daemon.stop();
    expect(existsSync(daemon.settings.socketPath)).toBe(false);
  });
});

describe("idle shutdown", () => {
  test("idle shutdown ends a daemon that nobody calls; requests for its health do not keep it running", async () => {
    const { log, events } = memoryLog();
    const daemon = await testDaemon({ idleTimeoutMs: 400, log });
    const { body } = await call(daemon.endpoint, "GET", "/health");
    expect(body["idle_shutdown"]).toEqual({
      timeout: "400ms",
      state: "armed",
      deadline: expect.any(String),
    });
    const { deadline } = body["idle_shutdown"] as { deadline: string };
    for (const path of ["/ping", "/instance", "/health"]) await call(daemon.endpoint, "GET", path);
    const { body: later } = await call(daemon.endpoint, "GET", "/health");
    expect(later["idle_shutdown"]).toMatchObject({ deadline });
    await daemon.stopped;
    expect(events()).toEqual([
      "daemon.started",
      "daemon.idle_shutdown",
      "daemon.stopping",
      "daemon.stopped",
    ]);
    expect(readdirSync(daemon.settings.runtimeDir)).toEqual([]);
  });

  test.each([
    ["/projects", {}],
    ["/ping", { "x-svc-idle-keepalive": "1" }],
  ])("each call of %s with the headers %o starts the interval again", async (path, headers) => {
    const clock = new FakeClock();
    const { endpoint } = await testDaemon({ idleTimeoutMs: 60_000, clock });
    const deadline = async (): Promise<unknown> => {
      const { body } = await call(endpoint, "GET", "/health");
      return (body["idle_shutdown"] as { deadline: string }).deadline;
    };
    clock.advance(10_000);
    expect(await deadline()).toBe("2026-01-01T00:01:00.000Z");
    await call(endpoint, "GET", path, { headers });
    expect(await deadline()).toBe("2026-01-01T00:01:10.000Z");
  });

  test("idle shutdown waits for an open stream, for as long as it is open", async () => {
    const clock = new FakeClock();
    const daemon = await testDaemon({ idleTimeoutMs: 60_000, clock });
    const stream = await openStream(daemon.endpoint);
    clock.advance(600_000);
    const idle = async (): Promise<unknown> =>
      (await call(daemon.endpoint, "GET", "/health")).body["idle_shutdown"];
    expect(await idle()).toEqual({ timeout: "1m0s", state: "foreground" });
    stream.close();
    await vi.waitUntil(async () => ((await idle()) as { state: string }).state === "armed", 20_000);
    clock.advance(60_000);
    await daemon.stopped;
  });
});

test("a daemon whose socket was deleted ends, and another can start on its database", async () => {
  const clock = new FakeClock();
  const folder = tempFolder();
  const daemon = await testDaemon({ folder, clock });
  unlinkSync(daemon.endpoint.address);
  clock.advance(5000);
  await daemon.stopped;
  const next = await testDaemon({ folder });
  expect((await call(next.endpoint, "GET", "/ping")).body).toMatchObject({ ok: true });
});
