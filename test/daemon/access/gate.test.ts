import { expect, test } from "vitest";
import { testDaemon } from "../../support/daemon.ts";
import {
  ANY_PORT,
  browse,
  openOwnPage,
  openPage,
  originOf,
  type Sent,
  WITH_PAGES,
} from "../../support/page.ts";

const TOKEN = "token-of-the-gate-0123456789";
const STATIC = { authentication: { mode: "static", token: TOKEN } } as const;
const PROJECT = { name: "web", actor: "ann" };
const EVIL = "http://evil.example";
const NO_ORIGIN = { origin: undefined };
const BEARER = { authorization: `Bearer ${TOKEN}` };
const PLAIN = { "content-type": "text/plain" };

/** Method, path, headers, body, then the code or the status. */
type Row = readonly [string, string, Sent, object | undefined, string | number];

/**
 * docs/contract/network-and-access.md#32-the-order-of-checks, each test of the gate before a session, on a listener for
 * pages.
 */
const PAGES: readonly Row[] = [
  ["GET", "/projects", { host: "evil.example" }, undefined, "host_invalid"],
  ["POST", "/ui/session/local", { host: "evil.example", origin: EVIL }, {}, "host_invalid"],
  ["GET", "/ping", { host: "evil.example", ...BEARER }, undefined, "host_invalid"],
  ["POST", "/projects", { origin: EVIL }, PROJECT, "origin_forbidden"],
  ["POST", "/projects", NO_ORIGIN, PROJECT, "origin_forbidden"],
  ["POST", "/projects", { origin: "null" }, PROJECT, "origin_forbidden"],
  ["POST", "/projects", { origin: EVIL, ...PLAIN }, PROJECT, "origin_forbidden"],
  ["POST", "/ui/session/login", NO_ORIGIN, { token: TOKEN }, "origin_forbidden"],
  ["POST", "/ui/session/proxy", NO_ORIGIN, {}, "origin_forbidden"],
  ["DELETE", "/ui/session", NO_ORIGIN, undefined, "origin_forbidden"],
  ["GET", "/projects", { origin: EVIL }, undefined, "origin_forbidden"],
  ["OPTIONS", "/projects", { origin: EVIL }, undefined, "origin_forbidden"],
  ["GET", "/projects", { "sec-fetch-site": "cross-site" }, undefined, "origin_forbidden"],
  ["GET", "/projects", { "sec-fetch-site": "same-site" }, undefined, "origin_forbidden"],
  ["POST", "/ui/session/local", { origin: EVIL }, {}, "origin_forbidden"],
  [
    ...(["POST", "/ui/session/local"] as const),
    { ...NO_ORIGIN, "sec-fetch-site": " Cross-Site" },
    {},
    "origin_forbidden",
  ],
  ["POST", "/ui/session/local", { "x-forwarded-for": "203.0.113.7", ...PLAIN }, {}, "not_found"],
  ["POST", "/ui/session/local", { forwarded: "for=203.0.113.7" }, {}, "not_found"],
  ["POST", "/ui/session/local", { "x-forwarded-for": "127.0.0.1" }, {}, "not_found"],
  ["POST", "/ui/session/local", { "x-forwarded-host": "127.0.0.1" }, {}, "not_found"],
  ["POST", "/ui/session/local", { "x-forwarded-proto": "http" }, {}, "not_found"],
  ["POST", "/ui/session/local", { "x-real-ip": "127.0.0.1" }, {}, "not_found"],
  ["POST", "/ui/session/local", PLAIN, {}, "unsupported_media_type"],
  ["POST", "/ui/session/code", NO_ORIGIN, {}, "origin_forbidden"],
  ["POST", "/ui/session/code", {}, {}, "not_found"],
  ["POST", "/ui/session/code", {}, { proof: "" }, "not_found"],
  ["POST", "/projects", PLAIN, PROJECT, "unsupported_media_type"],
  ["POST", "/projects", {}, PROJECT, "web_session_required"],
  ["POST", "/projects", BEARER, PROJECT, "web_session_required"],
  ["GET", "/projects", {}, undefined, "web_session_required"],
  ["GET", "/projects", BEARER, undefined, "web_session_required"],
  ["GET", "/events/stream", { accept: "text/event-stream" }, undefined, "web_session_required"],
  ["GET", "/debug/pprof/", {}, undefined, "web_session_required"],
  ["DELETE", "/ui/session", {}, undefined, "web_session_required"],
  ["POST", "/ui/session/proxy", {}, {}, "not_found"],
  ["GET", "/nothing", {}, undefined, "not_found"],
  ["GET", "/ping", {}, undefined, 200],
  ["GET", "/health", {}, undefined, 200],
];

test.each([
  ["without a token", {}],
  ["with a token", STATIC],
] as const)("a daemon %s requires a session on its listener for pages", async (_what, mode) => {
  const daemon = await testDaemon({ ...WITH_PAGES, ...mode });
  const origin = await originOf(daemon);
  for (const [method, path, sent, body, answer] of PAGES) {
    const given = await browse(origin, method, path, sent, body);
    expect([method, path, sent, given.code ?? given.status]).toEqual([method, path, sent, answer]);
  }
});

/**
 * docs/contract/network-and-access.md#33-a-session-without-a-token and
 * docs/contract/network-and-access.md#32-the-order-of-checks, step 3: what may open a session without a token.
 */
const MINTS: readonly (readonly [Sent, object | undefined])[] = [
  [{}, {}],
  [{}, undefined],
  [NO_ORIGIN, {}],
  [{ origin: "" }, {}],
  [{ ...NO_ORIGIN, "sec-fetch-site": "same-origin" }, {}],
];

test.each([
  ["without a token", WITH_PAGES, 200],
  ["with a token", { ...WITH_PAGES, ...STATIC }, "not_found"],
  ["that programs use too", { listen: ANY_PORT }, "not_found"],
] as const)(
  "a session without a token opens only on a daemon without one, and only on a listener just for pages: one %s",
  async (...given) => {
    const [, options, expected] = given;
    const origin = await originOf(await testDaemon(options));
    for (const [sent, body] of MINTS) {
      const answer = await browse(origin, "POST", "/ui/session/local", sent, body);
      expect([sent, answer.code ?? answer.status]).toEqual([sent, expected]);
    }
  },
);

const SHARED: readonly (readonly [string, Row[3], Sent, string, string])[] = [
  // Headers, then the answers to a GET and to a POST.
  ["a program", undefined, NO_ORIGIN, "auth_required", "auth_required"],
  ["a program with the token", undefined, { ...NO_ORIGIN, ...BEARER }, "200", "200"],
  ["a page", undefined, {}, "auth_required", "web_session_required"],
  ["a page whose proxy adds the token", undefined, BEARER, "200", "web_session_required"],
  ["a page of another origin", undefined, { origin: EVIL }, "origin_forbidden", "origin_forbidden"],
  [
    ...(["a session header", undefined, { "x-svc-web-session": "x", ...BEARER }] as const),
    ...(["web_session_required", "web_session_required"] as const),
  ],
  [
    ...(["a session header without Origin", undefined] as const),
    { ...NO_ORIGIN, "x-svc-web-session": "x", ...BEARER },
    ...(["web_session_required", "origin_forbidden"] as const),
  ],
];

test.each(SHARED)(
  "on a listener for pages and programs, %s needs a session only if it sends the headers of a page",
  async (_who, _body, sent, get, post) => {
    const daemon = await testDaemon({ listen: ANY_PORT, ...STATIC });
    const origin = await originOf(daemon);
    const read = await browse(origin, "GET", "/projects", sent);
    const written = await browse(origin, "POST", "/projects", sent, PROJECT);
    expect([read, written].map(({ code, status }) => code ?? `${status}`)).toEqual([get, post]);
  },
);

test("a request with this daemon's session cookie is treated as a page's, but one with another daemon's cookie is not", async () => {
  const daemon = await testDaemon({ listen: ANY_PORT });
  const origin = await originOf(daemon);
  const { headers } = await openOwnPage(daemon);
  const ask = async (cookie: string) => (await browse(origin, "GET", "/projects", { cookie })).code;
  expect(await ask(headers["cookie"] ?? "")).toBe("web_session_required");
  expect(await ask("svc_session_0123456789abcdef=x")).toBeUndefined();
});

test("on a listener for pages and programs without a token, a page needs a session to write, but a program does not", async () => {
  const daemon = await testDaemon({ listen: ANY_PORT });
  const origin = await originOf(daemon);
  const page = await openOwnPage(daemon);
  expect((await browse(origin, "POST", "/projects", {}, PROJECT)).code).toBe(
    "web_session_required",
  );
  expect((await browse(origin, "POST", "/projects", NO_ORIGIN, PROJECT)).status).toBe(200);
  expect((await page.ask("POST", "/projects", {}, { ...PROJECT, name: "two" })).status).toBe(200);
});

test("an answer 401 names the address of the pages and how to sign in there, on every listener with pages", async () => {
  const said = async (given: Parameters<typeof testDaemon>[0], sent: Sent = {}) => {
    const origin = await originOf(await testDaemon(given));
    const { host } = new URL(origin);
    const { headers } = await browse(origin, "POST", "/projects", { host, ...sent }, PROJECT);
    expect(headers["x-svc-web-origin"]).toBe(origin);
    return headers["x-svc-web-authentication"];
  };
  const identity = { authentication: { mode: "identity", token: TOKEN } } as const;
  expect(await said(WITH_PAGES)).toBe("loopback");
  expect(await said({ ...WITH_PAGES, ...STATIC })).toBe("login");
  expect(await said({ ...WITH_PAGES, ...identity })).toBe("login");
  expect(await said({ listen: ANY_PORT, ...STATIC }, NO_ORIGIN)).toBe("login");
  expect(await said({ listen: ANY_PORT })).toBe("login");
});

test("a refused request of a page is told the right address of the pages, or that no token can sign in there", async () => {
  const data = async (given: Parameters<typeof testDaemon>[0], sent: Sent = {}) => {
    const origin = await originOf(await testDaemon(given));
    const { body } = await browse(origin, "POST", "/projects", sent, PROJECT);
    return [(body["error"] as { readonly data?: object }).data, origin];
  };
  const [elsewhere, origin] = await data(WITH_PAGES, { origin: EVIL });
  expect(elsewhere).toEqual({ origin });
  expect((await data(WITH_PAGES))[0]).toEqual({ takes_token: false });
  expect((await data({ ...WITH_PAGES, ...STATIC }))[0]).toBeUndefined();
});

test("answers to pages forbid caching", async () => {
  const daemon = await testDaemon(WITH_PAGES);
  const page = await openPage(await originOf(daemon));
  const answers = [
    page.opened,
    await page.ask("GET", "/projects"),
    await page.ask("GET", "/projects", { "accept-encoding": "gzip" }),
    await page.ask("GET", "/projects/99"),
    await page.ask("DELETE", "/ui/session"),
  ];
  for (const { headers } of answers) {
    expect(headers["cache-control"]).toBe("private, no-store");
    expect(headers["vary"]).toMatch(/Cookie, X-Svc-Web-Session$/);
  }
});

test("the Unix socket refuses the requests of pages, and opens no session", async () => {
  const { endpoint } = await testDaemon(WITH_PAGES);
  const { call } = await import("../../support/daemon.ts");
  const code = async (method: string, path: string, headers: Readonly<Record<string, string>>) => {
    const { body } = await call(endpoint, method, path, { headers });
    return (body["error"] as { readonly code: string } | undefined)?.code;
  };
  expect(await code("GET", "/projects", { origin: EVIL })).toBe("origin_forbidden");
  expect(await code("GET", "/projects", {})).toBeUndefined();
  for (const how of ["local", "login", "proxy"])
    expect(await code("POST", `/ui/session/${how}`, {})).toBe("not_found");
  expect(await code("DELETE", "/ui/session", {})).toBe("web_session_required");
});
