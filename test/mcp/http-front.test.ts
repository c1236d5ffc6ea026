import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { HttpSite, META, type Sent, TOKEN } from "./http-site.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

/** The answers to wrong tokens are delayed, so the clock has to move. */
const open = async () => await HttpSite.open({ clock: systemClock });

async function statusOf(sent: Sent) {
  const site = await open();
  return (await site.send(sent)).status;
}

describe("a request over HTTP", () => {
  test.each<[string, number, Sent]>([
    ["of another path", 404, { path: "/", body: PING }],
    ["of a path that begins like one", 404, { path: "/mcp/x", body: PING }],
    ["of the path with a query", 200, { path: "/mcp?x=1", body: PING }],
    ["that names another host", 403, { headers: { host: "evil.example" }, body: PING }],
    ["that names the host without the port", 403, { headers: { host: "127.0.0.1" }, body: PING }],
    ["whose target names another host", 403, { path: "http://evil.example/mcp", body: PING }],
    ["of a foreign page", 403, { headers: { origin: "https://evil.example" }, body: PING }],
    ["of a page without origin", 403, { headers: { origin: "null" }, body: PING }],
    ["of a browser, cross-site", 403, { headers: { "sec-fetch-site": "cross-site" }, body: PING }],
    ["of a browser, same-site", 403, { headers: { "sec-fetch-site": "same-site" }, body: PING }],
    [
      "of a browser, same-origin",
      200,
      { headers: { "sec-fetch-site": "same-origin" }, body: PING },
    ],
    ["without token", 401, { headers: { authorization: undefined }, body: PING }],
    ["with a wrong token", 401, { headers: { authorization: "Bearer wrong" }, body: PING }],
    ["with part of the token", 401, { headers: { authorization: `Bearer ${TOKEN}x` }, body: PING }],
    ["with another scheme", 401, { headers: { authorization: `Basic ${TOKEN}` }, body: PING }],
    [
      "with two tokens",
      401,
      { headers: { authorization: [`Bearer ${TOKEN}`, "Bearer wrong"] }, body: PING },
    ],
    [
      "with the scheme in lower case",
      200,
      { headers: { authorization: `bearer ${TOKEN}` }, body: PING },
    ],
    ["by PUT", 405, { method: "PUT", body: PING }],
    ["by OPTIONS", 405, { method: "OPTIONS" }],
    ["by GET without session", 400, { method: "GET" }],
    ["by DELETE without session", 400, { method: "DELETE" }],
    [
      "by GET of 2026-07-28",
      405,
      { method: "GET", headers: { "mcp-protocol-version": "2026-07-28" } },
    ],
    ["by GET of an unknown session", 404, { method: "GET", headers: { "mcp-session-id": "x" } }],
    ["by POST of an unknown session", 404, { headers: { "mcp-session-id": "x" }, body: PING }],
    ["of another type", 415, { headers: { "content-type": "text/plain" }, body: PING }],
    [
      "of two types",
      415,
      { headers: { "content-type": ["application/json", "text/plain"] }, body: PING },
    ],
    [
      "of JSON with a charset",
      200,
      { headers: { "content-type": "application/json; charset=utf-8" }, body: PING },
    ],
    ["that takes JSON only", 406, { headers: { accept: "application/json" }, body: PING }],
    ["that takes anything", 406, { headers: { accept: "*/*" }, body: PING }],
    ["with a body of 8 MiB", 200, { body: padded(8 * 1024 * 1024) }],
    ["with a body of 8 MiB and a byte", 413, { body: padded(8 * 1024 * 1024 + 1) }],
    [
      "of an unknown version",
      400,
      { headers: { "mcp-protocol-version": "1999-01-01" }, body: PING },
    ],
    ["without session", 200, { body: LIST }],
  ])("a request %s gets %i", async (_what, status, sent) => {
    expect(await statusOf(sent)).toBe(status);
  });

  test.each<[string, Sent["body"], number]>([
    ["a batch", [PING], -32600],
    ["no JSON", "not json", -32700],
    ["nothing", "", -32700],
    ["no UTF-8", Buffer.from([0x22, 0xff, 0x22]), -32700],
    ["no request", { hello: 1 }, -32600],
  ])(
    "a request with %s in its body gets 400 and an error without id",
    async (_what, body, code) => {
      const site = await HttpSite.open();
      const { status, messages } = await site.send({ ...(body !== undefined && { body }) });
      expect(status).toBe(400);
      expect(messages).toMatchObject([{ id: null, error: { code } }]);
    },
  );

  test("is checked in the order host, origin, token, method, body", async () => {
    const site = await open();
    const wrong: Record<string, string> = {
      host: "evil.example",
      origin: "https://evil.example",
      authorization: "Bearer wrong",
      "content-type": "text/plain",
    };
    const sent: Sent = { method: "PUT", body: "not json" };
    const statuses: number[] = [];
    for (const name of ["host", "origin", "authorization"]) {
      statuses.push((await site.send({ ...sent, headers: wrong })).status);
      delete wrong[name];
    }
    statuses.push((await site.send({ ...sent, headers: wrong })).status);
    statuses.push((await site.send({ ...sent, method: "POST", headers: wrong })).status);
    expect(statuses).toEqual([403, 403, 401, 405, 415]);
  });

  test("is refused with advice, and the answer does not repeat its token", async () => {
    const site = await open();
    const none = await site.send({ headers: { authorization: "Bearer wrong-one" }, body: PING });
    expect(none.headers["www-authenticate"]).toBe("Bearer");
    expect(none.text).toContain("Authorization: Bearer");
    const put = await site.send({ method: "PUT", body: PING });
    expect(put.headers["allow"]).toBe("GET, POST, DELETE");
    const page = await site.send({
      method: "OPTIONS",
      headers: { origin: `http://127.0.0.1:${site.port}` },
    });
    expect(Object.keys(page.headers).join()).not.toContain("access-control");
    expect(`${none.text}${site.said.join()}`).not.toMatch(/wrong-one|the-secret/);
    expect(site.said).toEqual([`listening on http://127.0.0.1:${site.port}/mcp`]);
  });

  test("a request with the server's own address as its Origin is served", async () => {
    const site = await HttpSite.open();
    const headers = { origin: `http://127.0.0.1:${site.port}` };
    expect((await site.send({ headers, body: PING })).status).toBe(200);
  });

  test("may name any host if other machines may call the server, but not two hosts", async () => {
    const site = await HttpSite.open({ isLoopback: false });
    const one = await site.send({ headers: { host: "tools.internal" }, body: PING });
    const two = await site.send({ headers: { host: ["a", "b"] }, body: PING });
    expect([one.status, two.status]).toEqual([200, 403]);
  });

  test("a request with headers of 20 KB is refused, and the next one is served", async () => {
    const site = await HttpSite.open();
    const headers = { "x-long": "x".repeat(20_000) };
    expect((await site.send({ headers, body: PING })).status).toBe(431);
    expect((await site.send({ body: PING })).status).toBe(200);
  });
});

describe("/healthz", () => {
  test("answers without a token, and forbids storing the answer", async () => {
    const site = await HttpSite.open();
    const headers = { authorization: undefined };
    const got = await site.send({ method: "GET", path: "/healthz", headers });
    expect(got).toMatchObject({ status: 200, text: "ok\n" });
    expect(got.headers).toMatchObject({
      "content-type": "text/plain",
      "cache-control": "no-store",
    });
    const head = await site.send({ method: "HEAD", path: "/healthz", headers });
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers["cache-control"]).toBe("no-store");
  });

  test("refuses other methods, and other hosts", async () => {
    const site = await HttpSite.open();
    const post = await site.send({ path: "/healthz", body: PING });
    expect([post.status, post.headers["allow"]]).toEqual([405, "GET, HEAD"]);
    const evil = { method: "GET", path: "/healthz", headers: { host: "evil.example" } };
    expect((await site.send(evil)).status).toBe(403);
  });
});

describe("a request that names its protocol version", () => {
  test("is answered with JSON", async () => {
    const site = await HttpSite.open();
    const { status, messages } = await site.stateless("tools/list");
    expect(status).toBe(200);
    expect(messages).toMatchObject([{ result: { ttlMs: 300_000, cacheScope: "private" } }]);
  });

  test.each([["server/discover"], ["tools/list"]])(
    "needs the same method and version in header and body for %s",
    async (method) => {
      const site = await HttpSite.open();
      const wrong = await site.stateless(method, {}, { "mcp-method": "tools/call" });
      expect(wrong).toMatchObject({ status: 400, messages: [{ error: { code: -32020 } }] });
      const none = await site.stateless(method, {}, { "mcp-protocol-version": undefined });
      expect(none).toMatchObject({ status: 400, messages: [{ error: { code: -32020 } }] });
    },
  );

  test("needs the name of the tool in the header", async () => {
    const site = await HttpSite.open();
    const call = { name: "svc.load_leases", arguments: {} };
    const wrong = await site.stateless("tools/call", call, { "mcp-name": "svc.load_sync" });
    expect(wrong).toMatchObject({ status: 400, messages: [{ error: { code: -32020 } }] });
    const right = await site.stateless("tools/call", call, { "mcp-name": call.name });
    expect(right.messages).toMatchObject([{ result: { structuredContent: { loaded: true } } }]);
  });

  test("is refused for an unknown version, an unknown method or incomplete metadata", async () => {
    const site = await HttpSite.open();
    const version = "2099-01-01";
    const params = { _meta: { ...META, "io.modelcontextprotocol/protocolVersion": version } };
    const named = { "mcp-protocol-version": version, "mcp-method": "tools/list" };
    expect(await site.request("tools/list", params, named)).toMatchObject({
      status: 400,
      messages: [{ error: { code: -32022, data: { requested: version } } }],
    });
    expect(await site.stateless("ping")).toMatchObject({
      status: 404,
      messages: [{ error: { code: -32601 } }],
    });
    const { "io.modelcontextprotocol/clientCapabilities": _left, ...part } = META;
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
    expect(await site.request("tools/list", { _meta: part }, headers)).toMatchObject({
      status: 400,
      messages: [{ error: { code: -32602 } }],
    });
  });

  test("may call server/discover without a version, but needs complete metadata if its header names one", async () => {
    const site = await HttpSite.open();
    expect((await site.request("server/discover")).messages).toMatchObject([
      { result: { supportedVersions: ["2026-07-28"], ttlMs: 300_000, cacheScope: "private" } },
    ]);
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover" };
    expect(await site.request("server/discover", {}, headers)).toMatchObject({
      status: 400,
      messages: [{ error: { code: -32602 } }],
    });
  });
});

/** A ping with blanks up to this many bytes. */
function padded(bytes: number): Buffer {
  const body = Buffer.alloc(bytes, 0x20);
  body.write(JSON.stringify(PING));
  return body;
}
