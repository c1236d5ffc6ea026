import { once } from "node:events";
import { openAsBlob, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { H3, toNodeHandler } from "h3";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { yieldToLoop } from "../../src/base/yield-to-loop.ts";
import { readRecords } from "../../src/client/record.ts";
import { type App, createApp } from "../../src/daemon/app.ts";
import { startApp } from "../../src/daemon/lifecycle/start.ts";
import { listen } from "../../src/daemon/listeners/listeners.ts";
import { dropPieces, type Pieces } from "../../src/daemon/replies/pieces.ts";
import { Reply } from "../../src/daemon/replies/reply.ts";
import { tryLock } from "../../src/store/lock.ts";
import { FakeClock } from "../support/clock.ts";
import { call, daemonSettings, openStream, tempFolder, testDaemon } from "../support/daemon.ts";
import { DETACHED_HOST } from "../support/detached-host.ts";

/** Returns the address of a server that mounts the app below a path. */
async function mounted(h3: H3): Promise<string> {
  const host = new H3();
  host.get("/", () => "the host's own page");
  host.mount("/tracker", h3);
  const server = createServer(toNodeHandler(host));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns the address of the app's own listener. */
async function served(app: App): Promise<string> {
  const place = { host: "127.0.0.1", port: 0 };
  const listener = await listen(app, place, systemClock);
  onTestFinished(async () => await listener.close());
  return `http://${listener.endpoint?.address}`;
}

test("the app of a daemon works inside another h3 server, including refusals, answers and streams", async () => {
  const daemon = await testDaemon();
  const url = await mounted(daemon.h3);
  const api = `${url}/tracker/api/v1`;
  expect(await (await fetch(url)).text()).toBe("the host's own page");
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ name: "web", actor: "ann" });
  const made = await fetch(`${api}/projects`, { method: "POST", headers, body });
  expect(await made.json()).toMatchObject({ project: { name: "web" } });
  const refused = await fetch(`${api}/projects`, { method: "POST", headers, body: "{}" });
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { code: "validation" } },
  ]);
  expect((await fetch(`${api}/nothing`)).status).toBe(404);
  expect((await fetch(`${api}/projects/1/rename`, { method: "DELETE" })).status).toBe(404);
  const foreign = await fetch(`${api}/projects`, { headers: { origin: "http://elsewhere.test" } });
  expect(await foreign.json()).toMatchObject({ error: { code: "origin_forbidden" } });
  const left = new AbortController();
  const stream = await openStream(
    {
      fetch: async (request) => {
        const { pathname } = new URL(request.url);
        return await fetch(`${url}/tracker${pathname}`, {
          headers: request.headers,
          signal: left.signal,
        });
      },
    },
    "/events/stream",
  );
  expect((await stream.take(1))[0]).toMatchObject({ id: 1, event: "project.created" });
  await call(daemon.endpoint, "POST", "/projects", { body: { name: "api", actor: "ann" } });
  expect((await stream.take(2))[1]).toMatchObject({ id: 2, data: { project_name: "api" } });
  left.abort();
});

test("an app without a listener locks the database, and when it is stopped ends its streams and unlocks the database", async () => {
  const folder = tempFolder();
  const settings = daemonSettings({ folder });
  const app = await startApp(settings);
  onTestFinished(async () => await app.stop());
  expect(readRecords(settings.runtimeDir)).toEqual([]);
  expect(tryLock(`${join(folder, "svc.db")}.daemon.lock`)).toBeUndefined();
  await call(app, "POST", "/projects", { body: { name: "web", actor: "ann" } });
  const stream = await openStream(app);
  await stream.take(1);
  await app.stop();
  await stream.end;
  expect(stream.response.complete).toBe(true);
  const late = await call(app, "GET", "/ping");
  expect([late.status, late.body["error"]]).toMatchObject([503, { code: "daemon_stopping" }]);
  const daemon = await testDaemon({ folder });
  const { body } = await call(daemon.endpoint, "GET", "/projects");
  expect(body["projects"]).toMatchObject([{ name: "web" }]);
});

test("a mounted app refuses a request that names another host", async () => {
  const daemon = await testDaemon();
  const request = new Request("http://svc.test/api/v1/ping", { headers: { host: "svc.test" } });
  const answer = await daemon.fetch(request);
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { error: { code: "host_invalid" } },
  ]);
});

test("an app that is mounted in an HTTP/2 server refuses a request that names another host too", async () => {
  const daemon = await testDaemon();
  const server = createHttp2Server(toNodeHandler(new H3().mount("/tracker", daemon.h3)));
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const client = connectHttp2(`http://127.0.0.1:${port}`);
  onTestFinished(() => client.destroy());
  const ask = async (authority: string, more = {}): Promise<unknown> => {
    const request = { ":path": "/tracker/api/v1/ping", ":authority": authority, ...more };
    const [head] = await once(client.request(request), "response");
    return head[":status"];
  };
  expect([await ask("svc.test"), await ask(`localhost:${port}`)]).toEqual([400, 200]);
  expect([
    await ask("localhost", { host: "svc.test" }),
    await ask("localhost", { host: "localhost" }),
  ]).toEqual([400, 200]);
});

test("a mounted app refuses a network request that names no host", async () => {
  const { port } = new URL(await mounted((await testDaemon()).h3));
  const socket = connect(Number(port), "127.0.0.1");
  socket.end("GET /tracker/api/v1/ping HTTP/1.0\r\n\r\n");
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 .*host_invalid/s);
});

test("a mounted app refuses a request with two Host headers", async () => {
  const { port } = new URL(await mounted((await testDaemon()).h3));
  const socket = connect(Number(port), "127.0.0.1");
  const hosts = "Host: localhost\r\nHost: svc.test\r\n";
  socket.end(`GET /tracker/api/v1/ping HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 .*host_invalid/s);
});

test.each([
  ["over a socket", async (app: App) => await served(app)],
  ["by app.fetch", async () => undefined],
])("a handler answers %s, whatever kind of value it returns", async (_way, open) => {
  const file = join(tempFolder(), "page.html");
  writeFileSync(file, "<p>from the disk</p>");
  const app = createApp(DETACHED_HOST);
  app.on("GET", "/text", () => "plain");
  app.on("GET", "/json", () => ({ a: 1 }));
  app.on("GET", "/file", async () => await openAsBlob(file, { type: "text/html" }));
  app.on("GET", "/stream", () => ReadableStream.from([Buffer.from("one "), Buffer.from("two")]));
  app.on("GET", "/response", () => new Response("made", { status: 201, headers: { "x-a": "b" } }));
  app.on("POST", "/echo", async (event) => (await event.req.text()) + event.url.search);
  const address = await open(app);
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> =>
    address === undefined
      ? await app.fetch(new Request(`http://svc.invalid${path}`, init))
      : await fetch(address + path, init);
  const texts: string[] = [];
  for (const path of ["/text", "/json", "/file", "/stream"])
    texts.push(await (await ask(path)).text());
  expect(texts).toEqual(["plain", '{"a":1}', "<p>from the disk</p>", "one two"]);
  expect((await ask("/file")).headers.get("content-type")).toBe("text/html");
  const made = await ask("/response");
  expect([made.status, made.headers.get("x-a"), await made.text()]).toEqual([201, "b", "made"]);
  const echoed = await ask("/echo?q=1", { method: "POST", body: "sent" });
  expect(await echoed.text()).toBe("sent?q=1");
});

test("a streamed body is closed when its reader leaves, and when nobody begins to read it", async () => {
  let ended = 0;
  async function* pieces(): Pieces {
    try {
      for (;;) yield Buffer.from("piece");
    } finally {
      ended++;
    }
  }
  const app = createApp(DETACHED_HOST);
  app.on("GET", "/endless", () => new Reply(200, { "content-type": "text/plain" }, pieces()));
  const ask = async (method: string): Promise<Response> =>
    await app.fetch(new Request("http://svc.invalid/endless", { method }));
  expect(await (await ask("HEAD")).text()).toBe("");
  expect(ended).toBe(1);
  await (await ask("GET")).body?.cancel();
  expect(ended).toBe(2);
  const reader = (await ask("GET")).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect(ended).toBe(3);
  await dropPieces(pieces());
  expect(ended).toBe(4);
});

test("an answer of app.fetch is closed if nobody reads it for thirty seconds", async () => {
  const clock = new FakeClock();
  let ended = 0;
  async function* pieces(): Pieces {
    try {
      for (;;) yield Buffer.from("piece");
    } finally {
      ended++;
    }
  }
  const app = createApp({ ...DETACHED_HOST, clock });
  app.on("GET", "/endless", () => new Reply(200, { "content-type": "text/plain" }, pieces()));
  const open = async () => {
    const { body } = await app.fetch(new Request("http://svc.invalid/endless"));
    return body?.getReader();
  };
  const [unread, begun, steady] = [await open(), await open(), await open()];
  await begun?.read();
  for (let ms = 0; ms < 40_000; ms += 5000) {
    await steady?.read();
    clock.advance(5000);
    await yieldToLoop();
  }
  expect(ended).toBe(2);
  await expect(unread?.read()).rejects.toThrow("not read in time");
  await expect(begun?.read()).rejects.toThrow("not read in time");
  expect((await steady?.read())?.done).toBe(false);
  await steady?.cancel();
  expect(ended).toBe(3);
});
