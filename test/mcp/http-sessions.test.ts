import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { SvcError } from "../../src/contract/errors.ts";
import { DRAIN_MS } from "../../src/mcp/drain.ts";
import { Answers } from "../../src/mcp/http/answer.ts";
import { BODY_MS, STALLED_MS, send } from "../../src/mcp/http/exchange.ts";
import { MAX_SESSIONS, SESSION_IDLE_MS } from "../../src/mcp/http/sessions.ts";
import { VERSION } from "../client/local.ts";
import { FakeClock, watched } from "../support/clock.ts";
import { HttpSite, INITIALIZE, META, TOKEN, USUAL } from "./http-site.ts";

const BEGIN = { jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE } as const;

const CHANGED = "notifications/tools/list_changed";

function noticesIn(text: string): number {
  return text.split(CHANGED).length - 1;
}

/** Calls a loader in a session, or without one. */
async function load(site: HttpSite, section: string, session?: string) {
  const params = { name: `svc.load_${section}`, arguments: {} };
  return await site.request("tools/call", params, { "mcp-session-id": session });
}

describe("a session over HTTP", () => {
  test("has an id of 128 bits and the protocol version that the client requests", async () => {
    const site = await HttpSite.open();
    const id = await site.begin();
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(await site.begin()).not.toBe(id);
    const headers = { "mcp-session-id": id, "mcp-protocol-version": "2025-06-18" };
    expect((await site.request("ping", {}, headers)).messages).toMatchObject([{ result: {} }]);
    const wrong = { ...headers, "mcp-protocol-version": "1999-01-01" };
    expect((await site.request("ping", {}, wrong)).status).toBe(400);
  });

  test("ends by DELETE", async () => {
    const site = await HttpSite.open();
    const headers = { "mcp-session-id": await site.begin() };
    expect((await site.send({ method: "DELETE", headers })).status).toBe(200);
    expect((await site.request("ping", {}, headers)).status).toBe(404);
    expect((await site.send({ method: "DELETE", headers })).status).toBe(404);
  });

  test("ends after thirty minutes without a request", async () => {
    const clock = new FakeClock();
    const site = await HttpSite.open({ clock });
    const headers = { "mcp-session-id": await site.begin() };
    clock.advance(SESSION_IDLE_MS - 1);
    expect((await site.request("ping", {}, headers)).status).toBe(200);
    clock.advance(SESSION_IDLE_MS - 1);
    expect((await site.request("ping", {}, headers)).status).toBe(200);
    clock.advance(SESSION_IDLE_MS);
    expect((await site.request("ping", {}, headers)).status).toBe(404);
  });

  test("lives as long as its event stream is open, and may open only one", async () => {
    const clock = new FakeClock();
    const site = await HttpSite.open({ clock });
    const headers = { "mcp-session-id": await site.begin() };
    const stream = await site.stream({ headers });
    expect(stream.status).toBe(200);
    expect((await site.send({ method: "GET", headers })).status).toBe(409);
    clock.advance(2 * SESSION_IDLE_MS);
    expect((await site.request("ping", {}, headers)).status).toBe(200);
  });

  test("ten thousand sessions that are opened and abandoned do not affect those in use", async () => {
    const { tools } = await HttpSite.open();
    const answers = new Answers(tools, { version: VERSION, instructions: "" }, new FakeClock());
    onTestFinished(async () => await answers.close());
    const begin = async () => {
      const request = new Request("http://x", { method: "POST", headers: USUAL });
      const { response } = await answers.answer(request, BEGIN);
      return { ...USUAL, "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
    };
    const used = await begin();
    await answers.answer(new Request("http://x", { headers: used }));
    const left = await begin();
    for (let at = 0; at < 10_000; at++) await begin();
    expect(answers.sessions.size).toBe(MAX_SESSIONS);
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" } as const;
    const asked = async (headers: typeof used) =>
      await answers.answer(new Request("http://x", { method: "POST", headers }), ping);
    expect((await asked(used)).response.status).toBe(200);
    await expect(asked(left)).rejects.toMatchObject({ status: 404 });
  }, 120_000);
});

describe("a loader over HTTP", () => {
  test("a changed tool list is announced once to each client: to the caller with the answer, to others on their stream", async () => {
    const site = await HttpSite.open();
    const [a, b] = [await site.begin(), await site.begin()];
    const onA = await site.stream({ headers: { "mcp-session-id": a } });
    const onB = await site.stream({ headers: { "mcp-session-id": b } });
    const listening = await site.stream({
      method: "POST",
      headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" },
      body: {
        jsonrpc: "2.0",
        id: 9,
        method: "subscriptions/listen",
        params: { _meta: META, notifications: { toolsListChanged: true } },
      },
    });
    const called = await load(site, "issue_discovery", a);
    expect(noticesIn(called.text)).toBe(1);
    await vi.waitFor(
      () => expect([noticesIn(onB.text), noticesIn(listening.text)]).toEqual([1, 1]),
      20_000,
    );
    expect(noticesIn((await load(site, "issue_discovery", b)).text)).toBe(0);
    for (const id of [a, b])
      expect((await site.request("tools/list", {}, { "mcp-session-id": id })).text).toContain(
        '"svc.search"',
      );
    const byStateless = await site.stateless(
      "tools/call",
      { name: "svc.load_leases", arguments: {} },
      { "mcp-name": "svc.load_leases" },
    );
    expect(noticesIn(byStateless.text)).toBe(0);
    await vi.waitFor(
      () => expect([onA, onB, listening].map(({ text }) => noticesIn(text))).toEqual([1, 2, 2]),
      20_000,
    );
    expect(noticesIn((await load(site, "projects")).text)).toBe(1);
    await vi.waitFor(
      () => expect([onA, onB, listening].map(({ text }) => noticesIn(text))).toEqual([2, 3, 3]),
      20_000,
    );
  });

  test("announces its tools once to each client, even if many clients call it at the same time", async () => {
    const site = await HttpSite.open();
    const ids = await Promise.all(Array.from({ length: 5 }, async () => await site.begin()));
    const streams = await Promise.all(
      ids.map(async (id) => await site.stream({ headers: { "mcp-session-id": id } })),
    );
    const answers = await Promise.all(ids.map(async (id) => await load(site, "leases", id)));
    const counted = (): number[] =>
      ids.map((_, at) => noticesIn(`${answers[at]?.text}${streams[at]?.text}`));
    await vi.waitFor(() => expect(counted()).toEqual([1, 1, 1, 1, 1]), 20_000);
  });

  test("answers a client of the version 2025-03-26 that has no session as text", async () => {
    const site = await HttpSite.open();
    const params = { name: "svc.load_leases", arguments: {} };
    const { messages } = await site.request("tools/call", params, {
      "mcp-protocol-version": "2025-03-26",
    });
    expect(messages.at(-1)).toMatchObject({ result: { content: [{ type: "text" }] } });
  });
});

describe("stopping a server with sessions", () => {
  test("waits for running calls, ends streams, and accepts no further connection", async () => {
    const begun = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<never>();
    const site = await HttpSite.open({
      daemonFor: () => ({
        news: async () => undefined,
        call: async () => {
          begun.resolve();
          return await answered.promise;
        },
      }),
    });
    const id = await site.begin();
    const stream = await site.stream({ headers: { "mcp-session-id": id } });
    await load(site, "system", id);
    const running = site.request("tools/call", { name: "svc.system" }, { "mcp-session-id": id });
    await begun.promise;
    const stopped = site.stop();
    await vi.waitFor(
      async () => await expect(site.request("ping")).rejects.toThrow(/ECONNREFUSED|hang up/),
      20_000,
    );
    answered.reject(new SvcError("internal"));
    expect((await running).messages.at(-1)).toMatchObject({ result: { isError: true } });
    await stopped;
    await stream.ended;
  });

  test("aborts calls that still run after ten more seconds", async () => {
    const fake = new FakeClock();
    const { clock, next } = watched(fake);
    const begun = Promise.withResolvers<void>();
    const site = await HttpSite.open({
      clock,
      daemonFor: (signal) => ({
        news: async () => undefined,
        call: async () => {
          begun.resolve();
          return await new Promise<never>((_, reject) =>
            signal.addEventListener("abort", () => reject(new Error("aborted"))),
          );
        },
      }),
    });
    const id = await site.begin();
    await load(site, "system", id);
    const headers = { "mcp-session-id": id };
    const running = site
      .request("tools/call", { name: "svc.system" }, headers)
      .catch(() => ({ messages: [] }));
    await begun.promise;
    const stopped = site.stop();
    while ((await next()) !== DRAIN_MS);
    fake.advance(DRAIN_MS);
    await stopped;
    expect((await running).messages).toEqual([]);
  });
});

describe("a hostile client", () => {
  test("a client that never ends its header is cut off", async () => {
    const site = await HttpSite.open();
    const socket = connect(site.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write("POST /mcp HTTP/1.1\r\nHost: x\r\n");
    let text = "";
    socket.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    await new Promise<void>((resolve) => socket.once("close", () => resolve()));
    expect(text).toContain("408");
  }, 30_000);

  test("a client whose body does not arrive is refused after thirty seconds", async () => {
    const fake = new FakeClock();
    const { clock, next } = watched(fake);
    const site = await HttpSite.open({ clock });
    const socket = connect(site.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(`${headOf(site.port)}{`);
    let text = "";
    socket.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    while ((await next()) !== BODY_MS);
    fake.advance(BODY_MS);
    await new Promise<void>((resolve) => socket.once("close", () => resolve()));
    expect(text).toContain("408");
  });

  test("a client that never reads its answer is cut off after two minutes", async () => {
    const fake = new FakeClock();
    const { clock, next } = watched(fake);
    const ended = Promise.withResolvers<void>();
    const endless = () =>
      new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1024 * 1024)) });
    const server = createServer((_req, res) => {
      void send(new Response(endless()), res, clock).then(() => ended.resolve());
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    socket.pause().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    let hasEnded = false;
    void ended.promise.then(() => (hasEnded = true));
    while ((await next()) !== STALLED_MS);
    // The first waits end because the kernel still accepts some data, so let time pass until the connection is cut off.
    await vi.waitFor(() => {
      fake.advance(STALLED_MS);
      expect(hasEnded).toBe(true);
    }, 20_000);
  });

  test("a client that disconnects in the middle of its request does not affect others", async () => {
    const site = await HttpSite.open();
    const socket = connect(site.port, "127.0.0.1");
    socket.write(`${headOf(site.port)}{`);
    await new Promise<void>((resolve) => socket.once("ready", () => resolve()));
    socket.destroy();
    expect((await site.request("ping")).status).toBe(200);
    expect(site.faults).toEqual([]);
  });
});

function headOf(port: number): string {
  const lines = [
    "POST /mcp HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${TOKEN}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    "Content-Length: 1000",
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}
