import { expect, test } from "vitest";
import { MAX_WEB_SESSIONS } from "../../../src/contract/limits.ts";
import { FakeClock } from "../../support/clock.ts";
import { call, testDaemon } from "../../support/daemon.ts";
import {
  ANY_PORT,
  browse,
  openOwnPage,
  openPage,
  originOf,
  WITH_PAGES,
} from "../../support/page.ts";

const TOKEN = "token-of-the-sessions-0123456789";
const STATIC = { authentication: { mode: "static", token: TOKEN } } as const;
const IDENTITY = { authentication: { mode: "identity", token: TOKEN } } as const;
const PROJECT = { name: "web", actor: "ann" };
const BEARER = { authorization: `Bearer ${TOKEN}` };
const DAY_MS = 86_400_000;

test("a session without a token reads and writes as the actor that each request names", async () => {
  const daemon = await testDaemon({ ...WITH_PAGES, suggestedActor: "ann" });
  const page = await openPage(await originOf(daemon), "local", { return_path: "/svc?view=today" });
  expect(page.opened.body).toEqual({
    session: expect.stringMatching(/^[\w-]{43}$/),
    csrf: expect.stringMatching(/^[\w-]{43}$/),
    return_path: "/svc?view=today",
    ...{ writable: true, updates: "sse", actor_policy: "request", suggested_actor: "ann" },
    expires_at: expect.any(String),
  });
  expect(page.opened.headers["set-cookie"]).toEqual([
    expect.stringMatching(
      /^svc_session_[A-Za-z0-9]{16}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    ),
  ]);
  const made = await page.ask("POST", "/projects", {}, { ...PROJECT, actor: "bea" });
  expect(made.body).toMatchObject({ created: true });
  const { body } = await call(daemon.endpoint, "GET", "/events");
  expect(body["events"]).toMatchObject([{ actor: "bea" }]);
});

test("the proven owner can close without evidence on a page, as in the terminal, but not through a proxy", async () => {
  const daemon = await testDaemon(WITH_PAGES);
  const page = await openOwnPage(daemon);
  const policy = async (headers: Record<string, string>) =>
    (await page.ask("GET", "/instance", headers)).body;
  expect(await policy({})).toMatchObject({ auth: { close_requires_evidence: false } });
  const forwarded = await policy({ "x-forwarded-for": "192.0.2.7" });
  expect(forwarded).toMatchObject({ auth: { close_requires_evidence: true } });
  const unproven = await openPage(await originOf(daemon), "local");
  const { body } = await unproven.ask("GET", "/instance");
  expect(body).toMatchObject({ auth: { close_requires_evidence: true } });
});

test("a session needs its own cookie, session header and CSRF header", async () => {
  const daemon = await testDaemon(WITH_PAGES);
  const origin = await originOf(daemon);
  const [one, two] = [await openPage(origin), await openPage(origin)];
  const code = async (sent: Readonly<Record<string, string | undefined>>, method = "GET") =>
    (await one.ask(method, "/projects", sent, method === "GET" ? undefined : PROJECT)).code;
  expect(one.headers["cookie"]).toBe(two.headers["cookie"]);
  expect(await code({})).toBeUndefined();
  for (const wrong of [
    { "x-svc-web-session": undefined },
    { cookie: undefined },
    { cookie: `${one.headers["cookie"]}x` },
    { cookie: `${one.headers["cookie"]}; ${one.headers["cookie"]}` },
    { "x-svc-web-session": `${one.headers["x-svc-web-session"]}x` },
    { "x-svc-web-session": one.headers["x-svc-csrf"] },
  ])
    expect(await code(wrong)).toBe("web_session_required");
  expect(await code({ cookie: `other=1; ${one.headers["cookie"]}; last=2` })).toBeUndefined();
  expect(await code({ "x-svc-csrf": undefined }, "POST")).toBe("csrf_invalid");
  expect(await code({ "x-svc-csrf": two.headers["x-svc-csrf"] }, "POST")).toBe("csrf_invalid");
  expect(await code({ origin: undefined }, "POST")).toBe("origin_forbidden");
  expect(await code({}, "POST")).toBeUndefined();
});

test("a session is valid on the listener where it was opened, and on no other", async () => {
  const daemon = await testDaemon({ ...WITH_PAGES, listen: [ANY_PORT] });
  const page = await openPage(await originOf(daemon));
  const shared = `http://${daemon.endpoint.address}`;
  expect((await browse(shared, "GET", "/projects", page.headers)).code).toBe(
    "web_session_required",
  );
});

test.each([
  ["//evil.example"],
  ["/\\evil.example"],
  ["https://evil.example/"],
  ["svc"],
  [""],
  ["/a\nb"],
])("the return path %j is refused", async (return_path) => {
  const origin = await originOf(await testDaemon(WITH_PAGES));
  const answer = await browse(origin, "POST", "/ui/session/local", {}, { return_path });
  expect([answer.code, answer.body["error"]]).toMatchObject([
    "validation",
    { data: { field: "return_path" } },
  ]);
  expect(answer.headers["set-cookie"]).toBeUndefined();
});

test("a body that is no JSON, too large, or has unknown fields opens no session", async () => {
  const origin = await originOf(await testDaemon(WITH_PAGES));
  const codes = [];
  for (const body of ["{", JSON.stringify({ x: 1 }), JSON.stringify({ token: "x".repeat(16_384) })])
    codes.push((await browse(origin, "POST", "/ui/session/login", {}, body)).code);
  expect(codes).toEqual(["validation", "validation", "payload_too_large"]);
});

test("a logout ends the session and its streams, and the page can read nothing more", async () => {
  const daemon = await testDaemon(WITH_PAGES);
  const origin = await originOf(daemon);
  const [page, other] = [await openPage(origin), await openPage(origin)];
  const stream = await page.stream();
  expect(stream.status).toBe(200);
  expect((await page.ask("DELETE", "/ui/session", { "x-svc-csrf": "x" })).code).toBe(
    "csrf_invalid",
  );
  const gone = await page.ask("DELETE", "/ui/session");
  expect(gone.status).toBe(204);
  expect(gone.headers["set-cookie"]).toEqual([expect.stringMatching(/=; .*Max-Age=0$/)]);
  await stream.ended;
  expect((await page.ask("GET", "/projects")).code).toBe("web_session_required");
  expect((await other.ask("GET", "/projects")).status).toBe(200);
});

test("a session ends after 24 hours, together with its stream", async () => {
  const clock = new FakeClock();
  const daemon = await testDaemon({ ...WITH_PAGES, clock });
  const page = await openPage(await originOf(daemon));
  const stream = await page.stream();
  clock.advance(DAY_MS - 1);
  expect((await page.ask("GET", "/projects")).status).toBe(200);
  clock.advance(1);
  await stream.ended;
  expect((await page.ask("GET", "/projects")).code).toBe("web_session_required");
});

test("when there are too many sessions, the one that was unused longest ends", async () => {
  const origin = await originOf(await testDaemon(WITH_PAGES));
  const [oldest, used] = [await openPage(origin), await openPage(origin)];
  for (let count = 2; count < MAX_WEB_SESSIONS; count++) await openPage(origin);
  expect((await oldest.ask("GET", "/ping")).status).toBe(200);
  expect((await used.ask("GET", "/projects")).status).toBe(200);
  await openPage(origin);
  expect((await oldest.ask("GET", "/projects")).code).toBe("web_session_required");
  expect((await used.ask("GET", "/projects")).status).toBe(200);
}, 60_000);

test("a login accepts the daemon's token, and refuses any other", async () => {
  const origin = await originOf(await testDaemon({ ...WITH_PAGES, ...STATIC }));
  const wrong = await browse(origin, "POST", "/ui/session/login", {}, { token: `${TOKEN}x` });
  expect([wrong.status, wrong.code]).toEqual([401, "login_invalid"]);
  expect(wrong.headers["set-cookie"]).toBeUndefined();
  expect(wrong.text).not.toContain(TOKEN);
  const page = await openPage(origin, "login", { token: TOKEN });
  expect(page.opened.body).toMatchObject({ writable: true, actor_policy: "request" });
  expect((await page.ask("POST", "/projects", {}, PROJECT)).status).toBe(200);
  expect((await page.ask("GET", "/tokens")).code).toBe("token_admin_forbidden");
  expect((await page.ask("GET", "/debug/pprof/heap")).code).toBe("origin_forbidden");
});

test("no token signs in to a daemon that has no token", async () => {
  const origin = await originOf(await testDaemon(WITH_PAGES));
  const answer = await browse(origin, "POST", "/ui/session/login", {}, { token: TOKEN });
  expect(answer.code).toBe("login_invalid");
});

test("a wrong token at login is delayed longer each time, as in an Authorization header", async () => {
  const clock = new FakeClock();
  const origin = await originOf(await testDaemon({ ...WITH_PAGES, ...STATIC, clock }));
  let answered = false;
  const asked = browse(origin, "POST", "/ui/session/login", {}, { token: "x" });
  void asked.then(() => {
    answered = true;
  });
  await browse(origin, "GET", "/ping");
  expect(answered).toBe(false);
  const page = await openPage(origin, "login", { token: TOKEN });
  expect(page.opened.status).toBe(200);
  const step = async (): Promise<void> => {
    while (!answered) {
      clock.advance(100);
      await browse(origin, "GET", "/ping");
    }
  };
  await step();
  expect((await asked).code).toBe("login_invalid");
});

test("a page that logs in with a person's token acts as that person, and with the bootstrap token it only reads", async () => {
  const daemon = await testDaemon({ ...WITH_PAGES, ...IDENTITY });
  const origin = await originOf(daemon);
  const { endpoint } = daemon;
  const made = await call(endpoint, "POST", "/tokens", { headers: BEARER, body: { actor: "ann" } });
  const token = String(made.body["plaintext"]);
  const { id } = made.body["token"] as { readonly id: number };
  expect((await browse(origin, "POST", "/ui/session/local", {}, {})).code).toBe("not_found");

  const ann = await openPage(origin, "login", { token });
  expect(ann.opened.body).toMatchObject({ actor: "ann", actor_policy: "identity", writable: true });
  expect((await ann.ask("POST", "/projects", {}, { ...PROJECT, actor: "bea" })).status).toBe(200);
  const { body } = await call(endpoint, "GET", "/events", { headers: BEARER });
  expect(body["events"]).toMatchObject([{ actor: "ann" }]);
  expect((await ann.ask("GET", "/tokens")).code).toBe("token_admin_forbidden");

  const boss = await openPage(origin, "login", { token: TOKEN });
  expect(boss.opened.body).toMatchObject({ writable: false, updates: "sse" });
  expect((await boss.ask("GET", "/projects")).status).toBe(200);
  expect((await boss.ask("POST", "/projects", {}, PROJECT)).code).toBe("read_only");
  expect((await boss.ask("GET", "/instance")).body).toMatchObject({
    auth: { read_only: expect.stringContaining("only reads") },
  });
  expect((await boss.ask("GET", "/tokens")).code).toBe("token_admin_forbidden");
  expect((await boss.ask("DELETE", "/ui/session")).status).toBe(204);

  const stream = await ann.stream();
  await call(endpoint, "POST", `/tokens/${id}/actions/revoke`, { headers: BEARER, body: {} });
  await stream.ended;
  expect((await ann.ask("GET", "/projects")).code).toBe("web_session_required");
  const again = await browse(origin, "POST", "/ui/session/login", {}, { token });
  expect(again.code).toBe("login_invalid");
});

test("pages of a read-only daemon read without a session and poll for changes, and nobody writes", async () => {
  const origin = await originOf(
    await testDaemon({ ...WITH_PAGES, authentication: { mode: "readonly" } }),
  );
  const ask = async (method: string, path: string, body?: object) => {
    const { code, status } = await browse(origin, method, path, {}, body);
    return code ?? status;
  };
  const stream = { accept: "text/event-stream" };
  expect(await ask("GET", "/projects")).toBe(200);
  expect(await ask("POST", "/projects", PROJECT)).toBe("web_session_required");
  expect(await ask("GET", "/tokens")).toBe("auth_required");
  expect((await browse(origin, "GET", "/events/stream", stream)).code).toBe("web_session_required");
  const page = await openPage(origin);
  expect(page.opened.body).toMatchObject({ writable: false, updates: "poll" });
  expect((await page.ask("GET", "/projects")).status).toBe(200);
  expect((await page.ask("POST", "/projects", {}, PROJECT)).code).toBe("read_only");
  expect((await page.ask("GET", "/events/stream", stream)).code).toBe("auth_required");
});

test("a trusted proxy signs in the person that it names, and no other person can use the page's session", async () => {
  const proxy = { header: "x-user", listeners: ["127.0.0.1:0"] };
  const daemon = await testDaemon({
    listen: ANY_PORT,
    ...STATIC,
    rules: { allowedHosts: [], trusted: proxy },
  });
  const origin = await originOf(daemon);
  const ann = { ...BEARER, "x-user": "ann" };
  const mint = async (sent: Readonly<Record<string, string>>) =>
    (await browse(origin, "POST", "/ui/session/proxy", sent, {})).code;
  expect((await browse(origin, "POST", "/ui/session/local", ann, {})).code).toBe("not_found");
  expect(await mint({ "x-user": "ann" })).toBe("auth_required");
  expect(await mint(BEARER)).toBe("actor_header_required");
  const page = await openPage(origin, "proxy", {}, ann);
  expect(page.opened.body).toMatchObject({ actor: "ann", actor_policy: "identity" });
  const made = await page.ask("POST", "/projects", ann, { ...PROJECT, actor: "bea" });
  expect(made.status).toBe(200);
  const { body } = await browse(origin, "GET", "/events", ann);
  expect(body["events"]).toMatchObject([{ actor: "ann" }]);
  const bea = await page.ask("GET", "/projects", { ...BEARER, "x-user": "bea" });
  expect(bea.code).toBe("web_session_required");
});

test("behind a public https origin the cookie is bound to the host, and no session opens without a login", async () => {
  const publicOrigin = "https://tracker.example.com";
  const rules = { publicOrigin, allowedHosts: [] };
  const daemon = await testDaemon({ listen: ANY_PORT, ...STATIC, rules });
  const at = `http://${daemon.endpoint.address}`;
  const sent = { host: "tracker.example.com", origin: publicOrigin };
  const local = await browse(at, "POST", "/ui/session/local", sent, {});
  expect([local.code, local.headers["x-svc-web-origin"]]).toEqual(["not_found", undefined]);
  const page = await openPage(at, "login", { token: TOKEN }, sent);
  expect(page.opened.headers["set-cookie"]).toEqual([
    expect.stringMatching(
      /^__Host-svc_session_\w+=.*; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    ),
  ]);
  expect((await page.ask("POST", "/projects", sent, PROJECT)).status).toBe(200);
  const refused = await page.ask("POST", "/projects", { ...sent, origin: at }, PROJECT);
  expect(refused.code).toBe("origin_forbidden");
});
