import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { testDaemon } from "../../support/daemon.ts";
import { originOf, WITH_PAGES } from "../../support/page.ts";
import { GUARDS, getter, made } from "./page-files.ts";

const ASSET = "/svc/assets/main-ABC.js";
const TOKEN = "own-secret-0123456789";

describe("a file of the page", () => {
  test.each(["application/x-unknown", "text/html;q=0", "nonsense", ""])(
    "a file of the page has one media type, whatever Accept says: %j",
    async (accept) => {
      const { get } = await made();
      for (const [path, type, body] of [
        ["/svc", "text/html; charset=utf-8", "<!doctype html>page"],
        [ASSET, "text/javascript; charset=utf-8", "script"],
      ] as const) {
        const answer = await get(path, { accept });
        expect([answer.status, answer.headers["content-type"]]).toEqual([200, type]);
        expect(answer.body.toString()).toBe(body);
      }
    },
  );

  test.each(["bytes=0-1", "bytes=-2", "bytes=0-0,3-4", "bytes=999999-", "lines=1-2", "nonsense"])(
    "a file of the page is sent whole despite the header Range: %s",
    async (range) => {
      const { get } = await made();
      for (const path of ["/svc", ASSET]) {
        const whole = await get(path);
        const tag = whole.headers.etag ?? "";
        for (const headers of [{ range }, { range, "if-range": tag }]) {
          const answer = await get(path, headers);
          expect(answer.status).toBe(200);
          expect(answer.body.equals(whole.body)).toBe(true);
          expect(answer.headers).not.toHaveProperty("content-range");
          expect(answer.headers).not.toHaveProperty("accept-ranges");
        }
      }
    },
  );

  test.each([
    ["/svc", {}, 200],
    ["/svc", { "accept-encoding": "br" }, 200],
    [ASSET, {}, 200],
    [ASSET, { "accept-encoding": "gzip" }, 200],
    [ASSET, { "if-none-match": '"m"' }, 304],
    ["/svc/nothing", {}, 404],
    ["/", {}, 302],
  ])(
    "a HEAD request for %s with the headers %j is answered with the headers of GET and no body",
    async (...given) => {
      const [path, headers, status] = given;
      const { get } = await made();
      const [asked, head] = [await get(path, headers), await get(path, headers, "HEAD")];
      expect([asked.status, head.status, head.body.length]).toEqual([status, status, 0]);
      const { date: _one, ...got } = asked.headers;
      const { date: _other, ...told } = head.headers;
      expect(told).toEqual(got);
    },
  );
});

/** A daemon that wants a token. Sends a request line as it is, which `node:http` would refuse to send. */
async function daemonWithToken() {
  const { endpoint } = await testDaemon({
    listen: { host: "127.0.0.1", port: 0 },
    authentication: { mode: "static", token: TOKEN },
  });
  const [host = "", port] = endpoint.address.split(":");
  const send = async (path: string): Promise<string> =>
    await new Promise((resolve, reject) => {
      let text = "";
      const socket = connect(Number(port), host)
        .setEncoding("latin1")
        .on("data", (piece) => {
          text += String(piece);
        })
        .on("error", reject)
        .on("close", () => resolve(text));
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: ${endpoint.address}\r\nConnection: close\r\n\r\n`,
      );
    });
  return { get: getter(endpoint.address), send };
}

describe("a path below /svc", () => {
  test.each([
    ["/svc/..", 302],
    ["/svc/../svc", 200],
    ["/svc/../api/v1/projects", 401],
    ["/svc/%2e%2e/api/v1/projects", 401],
    ["/svc/assets/.%2E/%2e./api/v1/projects", 401],
    ["/svc/../../../etc/passwd", 404],
    ["/svc/%2E%2E/%2e%2e/etc/passwd", 404],
    ["/svc/%2e%2e%2f%2e%2e%2fetc%2fpasswd", 404],
    ["/svc/..\\..\\package.json", 404],
    ["/svc/..%5c..%5cpackage.json", 404],
    ["/svc/%00", 404],
    ["/svc/assets/%00", 404],
    ["/svc%00", 404],
    ["/svc/%", 404],
    ["/svc/%zz", 404],
    ["/svc/%ff", 404],
    ["/svc;x", 404],
    ["//svc", 404],
    ["/SVC", 404],
  ])(
    "the dots in the path %s are resolved before it is routed, and the answer has the status %i",
    async (path, status) => {
      const { get } = await daemonWithToken();
      expect((await get(path)).status).toBe(status);
    },
  );

  test("a path with a NUL is refused", async () => {
    const { get, send } = await daemonWithToken();
    for (const path of ["/svc/\0", "/svc/assets/\0main.js", "/svc?\0"])
      expect(await send(path)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect((await get("/svc")).status).toBe(200);
  });

  test("a path may fill the 16 KiB of a request's header, and a longer path is refused", async () => {
    const { get, send } = await daemonWithToken();
    const answer = await get(`/svc/${"a".repeat(15_000)}`);
    expect([answer.status, answer.body.toString()]).toEqual([
      404,
      expect.stringContaining('<a href="/svc">'),
    ]);
    expect((await get(`/svc?${"a".repeat(15_000)}`)).status).toBe(200);
    expect((await get(`/svc/${"../".repeat(5000)}svc`)).status).toBe(200);
    for (const path of ["/svc/", "/svc?", "/svc/assets/"])
      expect(await send(path + "a".repeat(16_384))).toMatch(
        /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/,
      );
    expect((await get("/svc")).status).toBe(200);
  });
});

describe("on the listener for pages", () => {
  test.each(["identity", "gzip", "br"])(
    "a page in the encoding %s is not sent again if it has not changed",
    async (coding) => {
      const origin = await originOf(await testDaemon(WITH_PAGES));
      const get = getter(new URL(origin).host);
      const headers = { "accept-encoding": coding };
      const first = await get("/svc", headers);
      const [, asset = ""] =
        /src="(\/svc\/assets\/[^"]+)"/.exec((await get("/svc")).body.toString()) ?? [];
      const files = [
        ["/svc", first, "no-cache"],
        [asset, await get(asset, headers), "public, max-age=31536000, immutable"],
      ] as const;
      for (const [path, { status, headers: got }, cached] of files) {
        expect(status).toBe(200);
        const { etag = "" } = got;
        for (const known of [etag, `"x", ${etag}`, "*"]) {
          const again = await get(path, { ...headers, "if-none-match": known });
          expect([again.status, again.body.length]).toEqual([304, 0]);
          expect(again.headers).toMatchObject({ ...GUARDS, etag, "cache-control": cached });
          expect(again.headers.vary).toBe("accept-encoding");
        }
        for (const other of ['"x"', `W/${etag}`, etag.slice(1, -1)])
          expect((await get(path, { ...headers, "if-none-match": other })).status).toBe(200);
      }
    },
  );
});

test("an answer of the API is whole JSON, whatever Accept and Range ask for", async () => {
  const { get } = await daemonWithToken();
  const authorization = `Bearer ${TOKEN}`;
  const plain = await get("/api/v1/projects", { authorization });
  for (const more of [{ accept: "image/png" }, { accept: "nonsense" }, { range: "bytes=0-1" }]) {
    const answer = await get("/api/v1/projects", { authorization, ...more });
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json"]);
    expect(answer.body.equals(plain.body)).toBe(true);
  }
});
