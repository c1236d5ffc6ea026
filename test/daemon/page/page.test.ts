import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { testDaemon } from "../../support/daemon.ts";
import { type Get, GUARDS, getter, made, served } from "./page-files.ts";

/** A daemon that serves the page that the test command has built. */
async function built(): Promise<Get> {
  const daemon = await testDaemon({ listen: { host: "127.0.0.1", port: 0 } });
  return getter(daemon.endpoint.address);
}

describe("the built page", () => {
  test("the page is complete, with every asset that it refers to", async () => {
    const get = await built();
    const page = await get("/svc");
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    const paths = [...page.body.toString().matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, path = ""]) => path,
    );
    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths) expect((await get(path)).status).toBe(200);
  });

  test("the page needs no token even if every other request does", async () => {
    const daemon = await testDaemon({
      listen: { host: "127.0.0.1", port: 0 },
      authentication: { mode: "static", token: "own-secret-0123456789" },
    });
    const get = getter(daemon.endpoint.address);
    expect((await get("/api/v1/projects")).status).toBe(401);
    expect((await get("/svc")).status).toBe(200);
  });

  test("the page is not sent for a foreign host name, even if that name leads to this daemon", async () => {
    const get = await built();
    for (const path of ["/svc", "/svc/assets/x.js", "/"]) {
      const answer = await get(path, { host: "rebound.example.com" });
      expect([answer.status, JSON.parse(answer.body.toString())]).toMatchObject([
        400,
        { error: { code: "host_invalid" } },
      ]);
    }
  });

  test("the page redirects from another loopback name on its port to its own origin, with path and query", async () => {
    const daemon = await testDaemon({ listen: { host: "127.0.0.1", port: 0 } });
    const get = getter(daemon.endpoint.address);
    const [, port = ""] = daemon.endpoint.address.split(":");
    const at = async (path: string, host: string, more: Readonly<Record<string, string>> = {}) => {
      const { status, headers } = await get(path, { host, ...more });
      return [status, headers.location];
    };
    const own = `http://127.0.0.1:${port}`;
    const query = "?project=x&issue=a%2Fb";
    for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
      for (const path of ["/svc", "/svc/", `/svc${query}`])
        expect(await at(path, host)).toEqual([302, own + path]);
    expect(await at("/svc", `127.0.0.1:${port}`)).toEqual([200, undefined]);
    // A tunnel or a proxy may stand at another port, and must not be led in a circle.
    expect(await at("/svc", "localhost:1")).toEqual([200, undefined]);
    const forwarded = { "x-forwarded-for": "203.0.113.7" };
    expect(await at("/svc", `localhost:${port}`, forwarded)).toEqual([200, undefined]);
  });

  test("the page opens by a link on any other page and for requests with an Origin, but the API refuses both", async () => {
    const get = await built();
    const fromLink = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    const fromPage = { "sec-fetch-site": "same-origin", origin: "http://127.0.0.1:1" };
    for (const headers of [fromLink, fromPage]) {
      expect((await get("/svc", headers)).status).toBe(200);
      expect((await get("/", headers)).status).toBe(302);
    }
    expect((await get("/api/v1/projects", fromLink)).status).toBe(403);
    expect((await get("/api/v1/projects", fromPage)).status).toBe(403);
  });

  test("the page is sent compressed in the encodings that browsers accept", async () => {
    const get = await built();
    const plain = await get("/svc");
    for (const [coding, decode] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const small = await get("/svc", { "accept-encoding": coding });
      expect(small.headers["content-encoding"]).toBe(coding);
      expect(decode(small.body).equals(plain.body)).toBe(true);
    }
  });
});

describe("a page", () => {
  test.each([
    ["/svc", {}, "<!doctype html>page", undefined],
    ["/svc/", {}, "<!doctype html>page", undefined],
    ["/svc?issue=01J&x=/etc/passwd", {}, "<!doctype html>page", undefined],
    ["/svc", { "accept-encoding": "gzip, br" }, "page as br", "br"],
    ["/svc", { "accept-encoding": "gzip, br;q=0" }, "<!doctype html>page", "gzip"],
    ["/svc", { "accept-encoding": "identity" }, "<!doctype html>page", undefined],
    ["/svc", { "accept-encoding": "br;q=0, *;q=0" }, "<!doctype html>page", undefined],
    ["/svc/assets/main-ABC.js", { "accept-encoding": "br" }, "script", undefined],
    ["/svc/assets/main-ABC.js", { "accept-encoding": "br, gzip" }, "script", "gzip"],
    ["/svc/assets/icon-DEF.svg", { "accept-encoding": "br, gzip" }, "icon", undefined],
  ])("the file at %s with the headers %j is sent as %j", async (path, headers, body, coding) => {
    const { get } = await made();
    const answer = await get(path, headers);
    const sent = coding === "gzip" ? gunzipSync(answer.body) : answer.body;
    expect(sent.toString()).toBe(body);
    expect(answer.headers["content-encoding"]).toBe(coding);
    expect(answer.headers).toMatchObject({ ...GUARDS, vary: "accept-encoding" });
  });

  test("a page is revalidated each time, while its assets are cached for ever", async () => {
    const { get } = await made();
    const cached = async (path: string): Promise<unknown> =>
      (await get(path)).headers["cache-control"];
    expect(await cached("/svc")).toBe("no-cache");
    expect(await cached("/svc/assets/main-ABC.js")).toBe("public, max-age=31536000, immutable");
  });

  test("a page is not sent again to a browser that has its ETag, and each encoding has its own", async () => {
    const { get } = await made();
    const tags = new Set<string>();
    for (const coding of ["identity", "gzip", "br"]) {
      const first = await get("/svc", { "accept-encoding": coding });
      const tag = first.headers.etag ?? "";
      tags.add(tag);
      const again = await get("/svc", { "accept-encoding": coding, "if-none-match": tag });
      expect([again.status, again.body.length]).toEqual([304, 0]);
      expect(again.headers).toMatchObject({ etag: tag, ...GUARDS, "cache-control": "no-cache" });
      expect(again.headers["content-length"]).toBeUndefined();
    }
    expect(tags.size).toBe(3);
    const other = await get("/svc", { "if-none-match": '"p-br"' });
    expect(other.status).toBe(200);
  });

  test("a page has no body in the answer to HEAD, and the headers of GET", async () => {
    const { get } = await made();
    const [asked, head] = [await get("/svc"), await get("/svc", {}, "HEAD")];
    expect(head.body.length).toBe(0);
    const { date: _one, ...got } = asked.headers;
    const { date: _other, ...told } = head.headers;
    expect(told).toEqual(got);
  });

  test("a page can only be read: every other method is refused", async () => {
    const { get } = await made();
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
      const answer = await get("/svc", {}, method);
      expect([answer.status, answer.headers.allow]).toEqual([405, "GET"]);
      expect(answer.headers).toMatchObject(GUARDS);
    }
  });

  test.each([
    "/svc/assets/",
    "/svc/assets",
    "/svc/assets/main-ABC.js/",
    "/svc/assets/main-ABC.js.gz",
    "/svc/assets/main-abc.js",
    "/svc/assets/../index.html",
    "/svc/assets/..%2findex.html",
    "/svc/assets/..%2f..%2fpackage.json",
    "/svc/assets/%2e%2e/manifest.json",
    "/svc/assets//main-ABC.js",
    "/svc/assets/__proto__",
    "/svc/assets/constructor",
    "/svc/index.html",
    "/svc/manifest.json",
    "/svc//",
    "/svc/board",
  ])("a page exists only at its own paths: %s is not found", async (path) => {
    const { get } = await made();
    const answer = await get(path);
    expect([answer.status, answer.headers["content-type"]]).toEqual([
      404,
      "text/html; charset=utf-8",
    ]);
    expect(answer.headers).toMatchObject(GUARDS);
    expect(answer.body.toString()).toContain('<a href="/svc">');
  });

  test("the bare origin redirects to the page", async () => {
    const { get } = await made();
    const answer = await get("/");
    expect([answer.status, answer.headers.location]).toEqual([302, "/svc"]);
  });

  test("a page stays the same while the daemon runs, whatever happens to its files", async () => {
    const { get, folder } = await made();
    expect((await get("/svc")).status).toBe(200);
    rmSync(folder, { recursive: true });
    expect((await get("/svc/assets/main-ABC.js")).body.toString()).toBe("script");
  });

  test("the answer says that the page is not built, and the page appears once it is built", async () => {
    const { folder } = await made();
    const manifest = readFileSync(join(folder, "manifest.json"));
    rmSync(join(folder, "manifest.json"));
    const get = await served(folder);
    const answer = await get("/svc");
    expect([answer.status, JSON.parse(answer.body.toString())]).toMatchObject([
      404,
      { error: { code: "not_found", message: "the browser page is not built" } },
    ]);
    writeFileSync(join(folder, "manifest.json"), manifest);
    expect((await get("/svc")).status).toBe(200);
  });
});
