import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MAX_WEB_CODES } from "../../../src/contract/limits.ts";
import { FakeClock } from "../../support/clock.ts";
import { call, type TestDaemonOptions, testDaemon } from "../../support/daemon.ts";
import { forwarderTo } from "../../support/forwarder.ts";
import {
  ANY_PORT,
  browse,
  codeOf,
  openOwnPage,
  openPage,
  originOf,
  type PageAnswer,
  type Sent,
  WITH_PAGES,
} from "../../support/page.ts";

const TOKEN = "token-of-the-ownership-0123456789";
const STATIC = { authentication: { mode: "static", token: TOKEN } } as const;
const MINUTE_MS = 60_000;

async function mint(origin: string, body: object = {}, sent: Sent = {}): Promise<PageAnswer> {
  return await browse(origin, "POST", "/ui/session/local", sent, body);
}

/** The proof cookie that an answer sets. */
function proofIn({ headers }: Pick<PageAnswer, "headers">): string | undefined {
  return headers["set-cookie"]
    ?.find((cookie) => cookie.startsWith("svc_proof_"))
    ?.replace(/;.*$/, "");
}

const WITH_TOKEN: readonly (readonly [string, TestDaemonOptions])[] = [
  ["on the listener for pages", { ...WITH_PAGES, ...STATIC }],
  ["on a loopback listener for programs", { listen: ANY_PORT, ...STATIC }],
  ["on a loopback listener without a token", { listen: ANY_PORT }],
];

describe.each(WITH_TOKEN)("a session without a token %s", (_where, options) => {
  test("is not opened through a forwarder that runs as the daemon's own user", async () => {
    const origin = await originOf(await testDaemon(options));
    const through = await forwarderTo(origin);
    const { host } = new URL(origin);
    // What nginx without any line for headers writes: its own `Host`, and nothing of the client.
    for (const sent of [
      { host, origin },
      { host, origin: undefined },
      { origin: "", host },
    ]) {
      const answer = await mint(through, {}, sent);
      expect([answer.status, answer.code]).toEqual([404, "not_found"]);
      expect(answer.headers["x-svc-web-authentication"]).toBe("login");
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
  });

  test("is opened once with a code from the daemon's own socket, and after that with the cookie that the browser got", async () => {
    const daemon = await testDaemon(options);
    const origin = await originOf(daemon);
    const code = await codeOf(daemon);
    const opened = await mint(origin, { code });
    expect(opened.status).toBe(200);
    expect(opened.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^svc_session_/),
      expect.stringMatching(
        /^svc_proof_[A-Za-z0-9]{16}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    const cookie = proofIn(opened) ?? "";
    expect((await mint(origin, { code })).code).toBe("not_found");
    for (const sent of [{ cookie }, { cookie: `other=1; ${cookie}` }]) {
      const again = await mint(origin, {}, sent);
      expect([again.status, proofIn(again)]).toEqual([200, undefined]);
    }
    expect((await mint(origin, {}, { cookie: `${cookie}x` })).code).toBe("not_found");
    // Another browser has another cookie.
    const other = await mint(origin, { code: await codeOf(daemon) });
    expect(proofIn(other)).not.toBe(cookie);
  });

  test("is not opened with an invalid code", async () => {
    const daemon = await testDaemon(options);
    const origin = await originOf(daemon);
    await codeOf(daemon);
    for (const code of ["", "x", "a".repeat(43), TOKEN])
      expect((await mint(origin, { code })).code).toBe("not_found");
    expect((await mint(origin, { code: "a".repeat(200) })).code).toBe("validation");
    const { session, ...page } = (await openOwnPage(daemon)).headers;
    expect([session, (await mint(origin, {}, { cookie: page["cookie"] })).code]).toEqual([
      undefined,
      "not_found",
    ]);
  });

  test("is opened with a code through a tunnel that runs as the daemon's user", async () => {
    const daemon = await testDaemon(options);
    const origin = await originOf(daemon);
    const through = await forwarderTo(origin);
    const sent = { host: new URL(origin).host, origin };
    expect((await mint(through, { code: await codeOf(daemon) }, sent)).status).toBe(200);
  });
});

test("a daemon without a token opens a session on its listener for pages without a code, and also with an invalid one", async () => {
  const daemon = await testDaemon(WITH_PAGES);
  const origin = await originOf(daemon);
  expect(proofIn(await mint(origin))).toBeUndefined();
  // An address that was kept has a code that has ended.
  expect((await mint(origin, { code: "ended" })).status).toBe(200);
});

test("a forwarded request opens no session, even with a valid code, and does not use up the code", async () => {
  const daemon = await testDaemon({ ...WITH_PAGES, ...STATIC });
  const origin = await originOf(daemon);
  const code = await codeOf(daemon);
  const forwarded = { "x-forwarded-for": "192.0.2.7" };
  expect((await mint(origin, { code }, forwarded)).code).toBe("not_found");
  expect((await mint(origin, { code })).status).toBe(200);
});

test("a sign-in code expires after a minute, and the oldest code expires when there are too many", async () => {
  const clock = new FakeClock();
  const daemon = await testDaemon({ ...WITH_PAGES, ...STATIC, clock });
  const origin = await originOf(daemon);
  const [late, inTime] = [await codeOf(daemon), await codeOf(daemon)];
  clock.advance(MINUTE_MS - 1);
  expect((await mint(origin, { code: inTime })).status).toBe(200);
  clock.advance(1);
  expect((await mint(origin, { code: late })).code).toBe("not_found");

  const [first, second] = [await codeOf(daemon), await codeOf(daemon)];
  for (let made = 2; made <= MAX_WEB_CODES; made++) await codeOf(daemon);
  expect((await mint(origin, { code: first })).code).toBe("not_found");
  expect((await mint(origin, { code: second })).status).toBe(200);
});

test("a login with a token does not prove that the user owns the machine, and a logout ends an earlier proof", async () => {
  const daemon = await testDaemon({ ...WITH_PAGES, ...STATIC });
  const origin = await originOf(daemon);
  const typed = await openPage(origin, "login", { token: TOKEN });
  expect(proofIn(typed.opened)).toBeUndefined();
  const own = await openOwnPage(daemon);
  const cookie = proofIn(own.opened) ?? "";
  const all = { cookie: `${own.headers["cookie"]}; ${cookie}` };
  const gone = await own.ask("DELETE", "/ui/session", all);
  expect(gone.headers["set-cookie"]).toEqual([
    expect.stringMatching(/^svc_session_.*Max-Age=0$/),
    expect.stringMatching(/^svc_proof_.*Max-Age=0$/),
  ]);
  expect((await mint(origin, {}, { cookie })).code).toBe("not_found");
});

test("after a restart of the daemon no earlier code or cookie proves who owns the machine", async () => {
  const first = await testDaemon({ ...WITH_PAGES, ...STATIC });
  const { opened } = await openOwnPage(first);
  const code = await codeOf(first);
  await first.stop();
  const second = await testDaemon({ ...WITH_PAGES, ...STATIC, folder: first.folder });
  const origin = await originOf(second);
  for (const [body, sent] of [
    [{ code }, {}],
    [{}, { cookie: proofIn(opened) }],
  ] as const)
    expect((await mint(origin, body, sent)).code).toBe("not_found");
});

describe("the route for sign-in codes", () => {
  const ask = async (origin: string, sent: Sent = {}, body: object = {}) =>
    await browse(origin, "POST", "/ui/session/code", { origin: undefined, ...sent }, body);

  test("returns a code on the daemon's own socket, without a token, and says where it is valid", async () => {
    const daemon = await testDaemon({ ...WITH_PAGES, ...STATIC });
    const answer = await call(daemon.endpoint, "POST", "/ui/session/code", { body: {} });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        code: expect.stringMatching(/^[\w-]{43}$/),
        expires_at: expect.any(String),
        origin: await originOf(daemon),
      },
    ]);
    for (const headers of [{ origin: "http://evil.example" }, { "x-forwarded-for": "192.0.2.7" }]) {
      const { status } = await call(daemon.endpoint, "POST", "/ui/session/code", {
        ...{ headers, body: {} },
      });
      expect(status).toBeGreaterThan(400);
    }
  });

  test("does not exist on TCP listeners and on sockets for a proxy", async () => {
    const path = join((await testDaemon()).folder, "proxy.sock");
    const trusted = { header: "x-user", listeners: [`unix://${path}`] };
    const daemon = await testDaemon({
      ...STATIC,
      listen: [ANY_PORT, { path }],
      rules: { allowedHosts: [], trusted },
    });
    const bearer = { authorization: `Bearer ${TOKEN}` };
    for (const sent of [{}, bearer])
      expect((await ask(`http://${daemon.endpoint.address}`, sent)).code).toBe("not_found");
    const proxy = { network: "unix", address: path } as const;
    const headers = { ...bearer, "x-user": "ann" };
    const answer = await call(proxy, "POST", "/ui/session/code", { headers, body: {} });
    expect(answer.status).toBe(404);
  });

  test.each<readonly [string, TestDaemonOptions]>([
    [
      "each person has a token",
      { ...WITH_PAGES, authentication: { mode: "identity", token: TOKEN } },
    ],
    ["no pages are served", {}],
    [
      "the pages have a public origin",
      { ...WITH_PAGES, rules: { publicOrigin: "https://tracker.example.com", allowedHosts: [] } },
    ],
  ])("returns no code if %s", async (_where, options) => {
    const { endpoint } = await testDaemon(options);
    const { status } = await call(endpoint, "POST", "/ui/session/code", { body: {} });
    expect(status).toBe(404);
  });

  test("exists on a socket beside a loopback listener, while commands still use the loopback listener", async () => {
    const daemon = await testDaemon({ listen: ANY_PORT });
    expect(daemon.endpoints.map(({ network }) => network)).toEqual(["tcp"]);
    expect(statSync(daemon.settings.socketPath).mode & 0o777).toBe(0o600);
    await codeOf(daemon);
    await daemon.stop();
    expect(existsSync(daemon.settings.socketPath)).toBe(false);
  });

  test("accepts the secret from the daemon's file if the system has no Unix sockets", async () => {
    const daemon = await testDaemon({ listen: ANY_PORT, ...STATIC, ownerProof: "file" });
    const origin = `http://${daemon.endpoint.address}`;
    expect(existsSync(daemon.settings.socketPath)).toBe(false);
    const file = join(daemon.settings.runtimeDir, "owner-proof");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const proof = readFileSync(file, "utf8").trim();
    expect((await ask(origin, {}, { proof: "x" })).code).toBe("not_found");
    expect((await ask(origin, {}, {})).code).toBe("not_found");
    const { body } = await ask(origin, {}, { proof });
    expect((await mint(origin, { code: body["code"] })).status).toBe(200);
    await daemon.stop();
    expect(existsSync(file)).toBe(false);
  });
});

describe.each([
  ["without a token", { listen: ANY_PORT }],
  ["with a token", { listen: ANY_PORT, authentication: { mode: "static", token: TOKEN } as const }],
])("on a daemon for programs on loopback %s", (_where, options) => {
  test("an issue can be closed without evidence through the daemon's own socket, but not over TCP, directly or forwarded", async () => {
    const daemon = await testDaemon(options);
    const { port } = new URL(`http://${daemon.endpoint.address}`);
    const through = new URL(await forwarderTo(`http://${daemon.endpoint.address}`));
    const headers = { authorization: `Bearer ${TOKEN}` };
    const tcp = { network: "tcp", address: `127.0.0.1:${port}` } as const;
    const forwarded = { network: "tcp", address: through.host } as const;
    const socket = { network: "unix", address: daemon.settings.socketPath } as const;
    const actor = "ann";
    await call(socket, "POST", "/projects", { headers, body: { name: "p", actor } });
    for (const [to, proven] of [
      [tcp, false],
      [forwarded, false],
      [socket, true],
    ] as const) {
      const made = await call(socket, "POST", "/projects/1/issues", {
        headers,
        body: { title: "x", actor, force_new: true },
      });
      const { uid } = made.body["issue"] as { readonly uid: string };
      const host = { host: `127.0.0.1:${port}` };
      const sent = { headers: { ...headers, ...host }, body: { actor, source: "tui" } };
      const closed = await call(to, "POST", `/projects/1/issues/${uid}/actions/close`, sent);
      expect([to, closed.status]).toEqual([to, proven ? 200 : 400]);
      const { body } = await call(to, "GET", "/instance", { headers: { ...headers, ...host } });
      expect(body["auth"]).toMatchObject({ close_requires_evidence: !proven });
    }
  });
});

test("a daemon with a token shows full paths in GET /health only through its own socket", async () => {
  const daemon = await testDaemon({
    listen: ANY_PORT,
    authentication: { mode: "static", token: TOKEN },
  });
  const socket = { network: "unix", address: daemon.settings.socketPath } as const;
  const path = async (to: typeof socket | typeof daemon.endpoint) =>
    (await call(to, "GET", "/health")).body["db_path"];
  expect(await path(socket)).toBe(daemon.settings.dsn.display);
  expect(await path(daemon.endpoint)).toBe("svc.db");
});
