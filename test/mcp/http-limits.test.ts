import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { MAX_SESSIONS } from "../../src/mcp/http/sessions.ts";
import { FakeClock, watched } from "../support/clock.ts";
import { HttpSite, INITIALIZE, META, TOKEN } from "./http-site.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const WRONG = { authorization: "Bearer wrong" };

describe("a wrong token", () => {
  test("is answered later each time, up to five seconds, but right tokens are not delayed", async () => {
    const fake = new FakeClock();
    const { clock, next } = watched(fake);
    const site = await HttpSite.open({ clock });
    const delayed = async (): Promise<number> => {
      for (;;) {
        const ms = await next();
        // The other sleeps of a server are for the time limit of a body and for the search for idle sessions.
        if (ms <= 5000) return ms;
      }
    };
    const delays: number[] = [];
    for (let count = 0; count < 8; count++) {
      const refused = site.send({ headers: WRONG, body: PING });
      const ms = await delayed();
      delays.push(ms);
      if (count === 7) {
        expect((await site.send({ body: PING })).status).toBe(200);
        const none = await site.send({ headers: { authorization: undefined }, body: PING });
        expect(none.status).toBe(401);
      }
      fake.advance(ms);
      expect((await refused).status).toBe(401);
    }
    expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  });

  test("is answered at once when the server stops", async () => {
    const fake = new FakeClock();
    const { clock, next } = watched(fake);
    const site = await HttpSite.open({ clock });
    const refused = site.send({ headers: WRONG, body: PING });
    while ((await next()) !== 100);
    await site.stop();
    expect((await refused).status).toBe(401);
  });
});

describe("stopping a server over HTTP", () => {
  test("ends the streams of clients of the version 2026-07-28 with a result, and also ends all other streams", async () => {
    const site = await HttpSite.open();
    const headers = { "mcp-session-id": await site.begin() };
    const session = await site.stream({ headers });
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
    await site.stop();
    await Promise.all([session.ended, listening.ended]);
    const last = listening.text.trim().split("\n").at(-1) ?? "";
    expect(JSON.parse(last.replace("data: ", ""))).toMatchObject({
      id: 9,
      result: { resultType: "complete" },
    });
    expect(site.faults).toEqual([]);
  });
});

describe("the limit of sessions", () => {
  test("refuses another session until one ends", async () => {
    const site = await HttpSite.open();
    const ids: string[] = [];
    for (let at = 0; at < MAX_SESSIONS; at++) {
      const id = await site.begin();
      ids.push(id);
      await site.stream({ headers: { "mcp-session-id": id } });
    }
    const full = await site.request("initialize", INITIALIZE);
    expect(full).toMatchObject({
      status: 503,
      messages: [{ error: { message: "all 256 sessions are in use: end one with DELETE" } }],
    });
    expect(full.headers["retry-after"]).toBe("60");
    const headers = { "mcp-session-id": ids[7] };
    expect((await site.send({ method: "DELETE", headers })).status).toBe(200);
    expect((await site.request("initialize", INITIALIZE)).status).toBe(200);
  });
});

describe("an HTTP connection", () => {
  const limits = { headerMs: 400, idleMs: 300, maxConnections: 2 };

  test("ends when it is idle, or sends nothing at all", async () => {
    const site = await HttpSite.open({ limits });
    const idle = await open(site);
    const silent = await open(site);
    idle.socket.write(request(site.port));
    await Promise.all([idle.closed, silent.closed]);
    expect(idle.text()).toContain("200 OK");
    expect(silent.text()).not.toContain("200 OK");
  });

  test("is closed beyond the limit of connections, and served once there is room", async () => {
    const site = await HttpSite.open({ limits: { ...limits, headerMs: 60_000, idleMs: 60_000 } });
    const [first] = [await open(site), await open(site)];
    const third = await open(site);
    await third.closed;
    expect(third.text()).toBe("");
    first.socket.destroy();
    let served = "";
    while (served === "") {
      const next = await open(site);
      next.socket.write(request(site.port, "Connection: close"));
      await next.closed;
      served = next.text();
    }
    expect(served).toContain("200 OK");
  });
});

test("connections without a request do not shut others out of a full listener", async () => {
  const limits = { headerMs: 60_000, idleMs: 60_000, maxConnections: 3 };
  const site = await HttpSite.open({ limits });
  const idle = [await open(site), await open(site)];
  for (const { socket } of idle) {
    const answered = once(socket, "data");
    socket.write(request(site.port));
    await answered;
  }
  const third = await open(site);
  await Promise.all(idle.map(async ({ closed }) => await closed));
  third.socket.write(request(site.port, "Connection: close"));
  await third.closed;
  expect(third.text()).toContain("200 OK");
});

interface Raw {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  text(): string;
}

async function open(site: HttpSite): Promise<Raw> {
  const socket = connect(site.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => undefined);
  await new Promise<void>((resolve) => socket.once("connect", resolve).once("close", resolve));
  return { socket, closed, text: () => text };
}

function request(port: number, ...more: readonly string[]): string {
  const body = JSON.stringify(PING);
  const lines = [
    "POST /mcp HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${TOKEN}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...more,
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}
