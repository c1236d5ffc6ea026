import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Clock } from "../../../src/base/clock.ts";
import type { Log } from "../../../src/base/log.ts";
import { parseHostPort } from "../../../src/config/addresses.ts";
import { SlowRequests } from "../../../src/daemon/requests/slow-requests.ts";
import { FakeClock } from "../../support/clock.ts";
import { call, openStream, type TestDaemon, testDaemon } from "../../support/daemon.ts";
import { sawBody } from "../../support/seen.ts";

const LISTENERS = [
  ["a Unix socket", {}],
  ["TCP", { listen: { host: "127.0.0.1", port: 0 } }],
] as const;

function dial({ endpoint: { network, address } }: TestDaemon): Socket {
  const { host = "", port = 0 } = network === "tcp" ? (parseHostPort(address) ?? {}) : {};
  const socket = network === "unix" ? connect(address) : connect(port, host);
  onTestFinished(() => void socket.destroy());
  return socket.on("error", () => undefined);
}

/** Returns all text that arrives until the connection ends, while the clock moves on. */
async function untilClosed(daemon: TestDaemon, clock: FakeClock, socket: Socket) {
  let text = "";
  let closed = false;
  socket.on("data", (piece) => (text += String(piece))).once("close", () => (closed = true));
  let ms = 0;
  for (; !closed && ms < 60_000; ms += 1000) {
    clock.advance(1000);
    // Lets the daemon and the connection handle what is pending.
    await call(daemon.endpoint, "GET", "/ping");
  }
  return { text, ms };
}

test.each(LISTENERS)("on %s an unfinished header is cut after ten seconds", async (_, at) => {
  const clock = new FakeClock();
  const daemon = await testDaemon({ clock, ...at });
  for (const begun of ["", "GET /api/v1/ping HTTP/1.1\r\nHost: loc"]) {
    const socket = dial(daemon);
    await once(socket, "connect");
    socket.write(begun);
    await call(daemon.endpoint, "GET", "/ping");
    const { text, ms } = await untilClosed(daemon, clock, socket);
    expect(text).toMatch(/^HTTP\/1.1 408 /);
    expect(ms).toBeGreaterThanOrEqual(10_000);
    expect(ms).toBeLessThanOrEqual(14_000);
  }
});

test.each(LISTENERS)("on %s an unfinished body is refused after thirty seconds", async (_, at) => {
  const clock = new FakeClock();
  const daemon = await testDaemon({ clock, ...at });
  const socket = dial(daemon);
  // The daemon asks the kernel for the user of a connection once, in real time, which the clock here does not wait for.
  socket.write("GET /api/v1/projects HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "data");
  const type = "Content-Type: application/json";
  socket.write(
    `POST /api/v1/projects HTTP/1.1\r\nHost: localhost\r\n${type}\r\nContent-Length: 100\r\n\r\n{"name":`,
  );
  await call(daemon.endpoint, "GET", "/ping");
  const { text, ms } = await untilClosed(daemon, clock, socket);
  expect(text).toMatch(/^HTTP\/1.1 408 /);
  sawBody(JSON.parse(text.slice(text.indexOf("\r\n\r\n"))));
  expect(text).toMatch(/"code":"request_timeout"/);
  expect(ms).toBeGreaterThanOrEqual(30_000);
  expect(ms).toBeLessThanOrEqual(34_000);
  const { body } = await call(daemon.endpoint, "GET", "/projects");
  expect(body["projects"]).toEqual([]);
});

test("an unfinished body is no longer watched once its request was answered and its connection closed", async () => {
  const clock = new FakeClock();
  const told: unknown[] = [];
  const silent = (): void => undefined;
  const log: Log = {
    debug: silent,
    info: (event, fields) => void told.push([event, fields]),
    warn: silent,
    error: silent,
    child: () => log,
  };
  const slow = new SlowRequests(clock, log);
  onTestFinished(() => slow.stop());
  const refused: unknown[] = [];
  const server = createServer((req, res) => {
    slow.begun(req, res);
    slow.awaited(req, () => refused.push(req.url));
    res.end("no");
  });
  slow.watch(server, "connection");
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const open = (head: string): Socket => {
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(`${head}\r\nHost: localhost\r\n`);
    return socket;
  };
  const first = open("POST /first HTTP/1.1");
  const closed = new Promise<void>((resolve) => {
    server.once("connection", (end) => end.once("close", () => resolve()));
  });
  first.write("Content-Length: 100\r\n\r\n{");
  await once(first, "data");
  first.destroy();
  await closed;
  const idle = open("GET /second HTTP/1.1");
  idle.write("\r\n");
  await once(idle, "data");
  for (let ms = 0; ms < 40_000; ms += 1000) {
    clock.advance(1000);
    await new Promise<void>((next) => void setImmediate(next));
  }
  expect([told, refused]).toEqual([[], []]);
});

test("a jump of the system's clock neither cuts a request early nor keeps it longer", async () => {
  const clock = new FakeClock();
  let ahead = 0;
  const jumping: Clock = {
    now: () => clock.now(),
    nowMs: () => clock.nowMs() + ahead,
    sleep: async (ms, signal) => await clock.sleep(ms, signal),
  };
  const daemon = await testDaemon({ clock: jumping });
  const socket = dial(daemon);
  socket.write("GET /api/v1/ping HT");
  await call(daemon.endpoint, "GET", "/ping");
  ahead = 3_600_000;
  for (let at = 0; at < 5; at++) {
    clock.advance(1000);
    await call(daemon.endpoint, "GET", "/ping");
  }
  expect(socket.readyState).toBe("open");
  expect(socket.bytesRead).toBe(0);
  ahead = -3_600_000;
  const { text, ms } = await untilClosed(daemon, clock, socket);
  expect(text).toMatch(/^HTTP\/1.1 408 /);
  expect(ms).toBeLessThanOrEqual(9000);
});

test("a connection may be idle between two requests, but is cut if the header of the next one stays unfinished", async () => {
  const clock = new FakeClock();
  const daemon = await testDaemon({ clock });
  const socket = dial(daemon);
  const ping = "GET /api/v1/ping HTTP/1.1\r\nHost: localhost\r\n\r\n";
  socket.write(ping);
  await once(socket, "data");
  for (let at = 0; at < 40; at++) {
    clock.advance(1000);
    await call(daemon.endpoint, "GET", "/ping");
  }
  socket.write(ping);
  expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1.1 200 /);
  socket.write("GET /api/v1/ping HT");
  await call(daemon.endpoint, "GET", "/ping");
  const { text, ms } = await untilClosed(daemon, clock, socket);
  expect(text).toMatch(/^HTTP\/1.1 408 /);
  expect(ms).toBeLessThanOrEqual(14_000);
});

test("a stream that nobody reads holds little memory and is cut, while other streams get everything", async () => {
  const daemon = await testDaemon();
  const made = await call(daemon.endpoint, "POST", "/projects", {
    body: { name: "web", actor: "a" },
  });
  const { id } = made.body["project"] as { id: number };
  const reader = await openStream(daemon.endpoint);
  const silent = dial(daemon).pause();
  silent.write(
    "GET /api/v1/events/stream HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n",
  );
  await reader.take(1);
  for (let at = 0; at < 12; at++) {
    const issue = { title: `n${at}`, body: "x".repeat(400_000), actor: "a", force_new: true };
    await call(daemon.endpoint, "POST", `/projects/${id}/issues`, { body: issue });
    await reader.take(at + 2);
  }
  let bytes = 0;
  silent.on("data", (piece) => (bytes += piece.length)).resume();
  await once(silent, "close");
  expect(bytes).toBeLessThan(4_000_000);
});

test("a thousand idle connections cost little memory", async () => {
  const daemon = await testDaemon();
  await call(daemon.endpoint, "GET", "/ping");
  const before = process.memoryUsage().rss;
  for (let at = 0; at < 50; at++) {
    const sockets = Array.from({ length: 20 }, () => dial(daemon));
    await Promise.all(sockets.map(async (socket) => await once(socket, "connect")));
    // All of them are accepted.
    await call(daemon.endpoint, "GET", "/ping");
  }
  expect((await call(daemon.endpoint, "GET", "/ping")).status).toBe(200);
  // Both ends of the connection are in this process.
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
});
