import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { createLog } from "../../../src/base/log.ts";
import { HttpClient } from "../../../src/client/http/client.ts";
import { send } from "../../../src/daemon/listeners/send.ts";
import { Reply } from "../../../src/daemon/replies/reply.ts";
import { FakeClock } from "../../support/clock.ts";
import { call, type TestDaemon, tempFolder, testDaemon } from "../../support/daemon.ts";

function memoryLog() {
  const events: string[] = [];
  const write = (line: string): void => void events.push(String(JSON.parse(line).event));
  const sink = { write, reopen: () => undefined, close: () => undefined };
  return { log: createLog(sink, systemClock), events };
}

/** Makes a project with more issues than the daemon lists on its main thread. */
async function longList(daemon: TestDaemon, count: number, bytes: number): Promise<string> {
  const { endpoint } = daemon;
  const made = await call(endpoint, "POST", "/projects", { body: { name: "web", actor: "a" } });
  const path = `/projects/${(made.body["project"] as { id: number }).id}`;
  const issues = Array.from({ length: count }, (_, at) => ({
    name: `n${at}`,
    title: `n${at}`,
    body: "x".repeat(bytes),
  }));
  await call(endpoint, "POST", `${path}/plans`, { body: { actor: "a", issues } });
  return `${path}/issues`;
}

test("a long list comes complete from the read worker in chunks, and also compressed or page by page", async () => {
  const { log, events } = memoryLog();
  const daemon = await testDaemon({ log });
  const path = await longList(daemon, 900, 1000);
  const short = await call(daemon.endpoint, "GET", `${path}?limit=500`);
  expect(short.headers["content-length"]).toBeDefined();
  expect(events).not.toContain("read-worker.started");
  const long = await call(daemon.endpoint, "GET", path);
  expect(events).toContain("read-worker.started");
  expect(long.headers).toMatchObject({
    "transfer-encoding": "chunked",
    "content-type": "application/json",
  });
  expect(long.body["issues"]).toHaveLength(900);
  const zipped = await raw(daemon, `GET /api/v1${path} HTTP/1.0`, "Accept-Encoding: gzip");
  expect(zipped.head).toMatch(/content-encoding: gzip/);
  expect(zipped.head).toMatch(/vary: accept-encoding/);
  expect(gunzipSync(zipped.body).toString()).toBe(long.text);
  const head = await raw(daemon, `HEAD /api/v1${path} HTTP/1.0`, "Accept: */*");
  expect(head.head).toMatch(/^HTTP\/1.1 200/);
  expect(head.body).toHaveLength(0);
  const page = await call(daemon.endpoint, "GET", `${path}?after=&limit=700`);
  const next = encodeURIComponent(String(page.body["next_after"]));
  const rest = await call(daemon.endpoint, "GET", `${path}?after=${next}`);
  const uids = [page, rest].flatMap(({ body }) => body["issues"] as readonly { uid: string }[]);
  expect(uids.map(({ uid }) => uid)).toEqual(
    (long.body["issues"] as readonly { uid: string }[]).map(({ uid }) => uid),
  );
});

test("a list of issues with long texts is read in the read worker, however few issues there are", async () => {
  const { log, events } = memoryLog();
  const daemon = await testDaemon({ log });
  const path = await longList(daemon, 12, 300_000);
  expect((await call(daemon.endpoint, "GET", path)).body["issues"]).toHaveLength(12);
  expect(events).toContain("read-worker.started");
});

test("the list of holders is computed in the read worker if there are more than 300", async () => {
  const { log, events } = memoryLog();
  const { endpoint } = await testDaemon({ log });
  const made = await call(endpoint, "POST", "/projects", { body: { name: "web", actor: "a" } });
  const { id } = made.body["project"] as { id: number };
  const apply = async (count: number) => {
    const issues = Array.from({ length: count }, (_, at) => ({
      name: `n${count}-${at}`,
      title: "t",
      owner: "ann",
    }));
    await call(endpoint, "POST", `/projects/${id}/plans`, { body: { actor: "a", issues } });
    return (await call(endpoint, "GET", "/holders")).body["holders"];
  };
  expect(await apply(300)).toHaveLength(300);
  expect(events).not.toContain("read-worker.started");
  expect(await apply(1)).toHaveLength(301);
  expect(events).toContain("read-worker.started");
});

test.each([
  ["a list that is streamed", 40],
  ["a list that is sent at once", 5],
])("a client that reads nothing of %s is cut off after half a minute", async (_, count) => {
  const { log, events } = memoryLog();
  const clock = new FakeClock();
  const daemon = await testDaemon({ log, clock });
  const path = await longList(daemon, count, 300_000);
  const socket = connect(daemon.endpoint.address).pause();
  onTestFinished(() => void socket.destroy());
  socket.write(`GET /api/v1${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  // Other requests are answered meanwhile.
  expect((await call(daemon.endpoint, "GET", path)).body["issues"]).toHaveLength(count);
  expect(events.includes("read-worker.started")).toBe(count === 40);
  for (let ms = 0; !events.includes("answer.unread") && ms < 120_000; ms += 5000) {
    clock.advance(5000);
    await call(daemon.endpoint, "GET", "/ping");
  }
  expect(events).toContain("answer.unread");
  let bytes = 0;
  socket.on("data", (piece) => (bytes += piece.length)).resume();
  await once(socket, "close");
  expect(bytes).toBeLessThan(Math.min(4_000_000, count * 300_000));
});

test("a daemon answers the next client after many clients have disconnected in the middle of an answer", async () => {
  const daemon = await testDaemon();
  const path = await longList(daemon, 40, 300_000);
  for (let round = 0; round < 20; round++) {
    const socket = connect(daemon.endpoint.address);
    socket.write(`GET /api/v1${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await once(socket, "data");
    socket.destroy();
  }
  expect((await call(daemon.endpoint, "GET", path)).body["issues"]).toHaveLength(40);
});

test("a client that disconnects in the middle of an answer stops the work on it", async () => {
  const PIECE = Buffer.alloc(64 * 1024, "x");
  const ended = Promise.withResolvers<number>();
  async function* pieces() {
    let made = 0;
    try {
      for (; made < 5000; made += 1) yield PIECE;
    } finally {
      ended.resolve(made);
    }
  }
  const path = await served(pieces());
  const socket = connect(path);
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "data");
  socket.destroy();
  expect(await ended.promise).toBeLessThan(5000);
});

test("a fault in the middle of an answer is an error for its reader, not a shorter answer", async () => {
  async function* pieces() {
    yield Buffer.from('{"issues":[');
    throw new Error("the database is gone");
  }
  const client = new HttpClient({ network: "unix", path: await served(pieces()) });
  const request = { method: "GET", target: "/", headers: { Host: "localhost" } } as const;
  await expect(client.request(request, 5000)).rejects.toMatchObject({ kind: "lost" });
});

/** Answers every request with these pieces, and returns the path of the socket. */
async function served(pieces: AsyncGenerator<Buffer>): Promise<string> {
  const server = createServer((_req, res) => {
    const reply = new Reply(200, { "content-type": "application/json" }, pieces);
    void send(res, reply, {}).catch(() => undefined);
  });
  onTestFinished(() => void server.close());
  const path = join(tempFolder(), "s");
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  return path;
}

async function raw(daemon: TestDaemon, line: string, header: string) {
  const socket = connect(daemon.endpoint.address);
  const pieces: Buffer[] = [];
  socket.on("data", (piece) => pieces.push(piece));
  socket.write(`${line}\r\nHost: localhost\r\n${header}\r\n\r\n`);
  await once(socket, "close");
  const all = Buffer.concat(pieces);
  const end = all.indexOf("\r\n\r\n");
  return {
    head: all.toString("latin1", 0, end).toLowerCase().replace("http", "HTTP"),
    body: all.subarray(end + 4),
  };
}
