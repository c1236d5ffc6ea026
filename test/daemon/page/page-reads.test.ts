import { expect, test } from "vitest";
import { applyPlan } from "../../../src/contract/plans.ts";
import { call, type TestDaemon, testDaemon } from "../../support/daemon.ts";
import { browse, openPage, originOf, WITH_PAGES } from "../../support/page.ts";

const TOKEN = "token-of-the-page-reads-0123456789";
const SNAPSHOT = "/ui/snapshot?view=all-open";

async function made(daemon: TestDaemon, count: number, headers = {}): Promise<string> {
  const { endpoint } = daemon;
  const body = { name: "web", actor: "ann" };
  const project = await call(endpoint, "POST", "/projects", { body, headers });
  const { id } = project.body["project"] as { id: number };
  const issues = Array.from({ length: count }, (_, at) => ({ name: `n${at}`, title: `n${at}` }));
  const plan = { actor: "ann", issues };
  const path = applyPlan.path.replace("{project_id}", String(id));
  const applied = await call(endpoint, "POST", path, { body: plan, headers });
  const [first] = applied.body["issues"] as readonly { readonly uid: string }[];
  return first?.uid ?? "";
}

test("a page reads a snapshot with its session, and gets 304 without a body while nothing changes", async () => {
  const daemon = await testDaemon(WITH_PAGES);
  const origin = await originOf(daemon);
  await made(daemon, 3);
  const page = await openPage(origin);
  const first = await page.ask("GET", SNAPSHOT);
  expect(first.body).toMatchObject({
    ...{ contract_version: "1", origin, origin_stable: false },
    capabilities: { writable: true, updates: "sse", actor_policy: "request" },
    collection: [{}, {}, {}],
  });
  expect(first.headers).toMatchObject({
    "cache-control": "private, no-store",
    vary: "Cookie, X-Svc-Web-Session",
  });
  const tag = String(first.headers["etag"]);
  const again = async () => await page.ask("GET", SNAPSHOT, { "if-none-match": `"x", ${tag}` });
  const same = await again();
  expect([same.status, same.text, same.headers["etag"]]).toEqual([304, "", tag]);
  expect(same.headers).not.toHaveProperty("content-length");
  expect(same.headers).not.toHaveProperty("content-type");
  await page.ask("POST", "/projects", {}, { name: "other", actor: "ann" });
  expect((await again()).status).toBe(200);
  for (const path of [SNAPSHOT, "/ui/references", "/ui/launch-target?issue_uid=x"])
    expect((await browse(origin, "GET", path)).code).toBe("web_session_required");
});

test("a long snapshot from the read worker has an ETag, and is compressed on request", async () => {
  const daemon = await testDaemon(WITH_PAGES);
  await made(daemon, 600);
  const page = await openPage(await originOf(daemon));
  const path = `${SNAPSHOT}&limit=1000`;
  const long = await page.ask("GET", path);
  expect(long.body["collection"]).toHaveLength(600);
  const tag = String(long.headers["etag"]);
  expect(tag).toMatch(/^"[0-9a-f]{64}"$/);
  expect((await page.ask("GET", path, { "if-none-match": tag })).status).toBe(304);
  const other = { "if-none-match": '"x"', "accept-encoding": "gzip" };
  const zipped = await page.ask("GET", path, other);
  expect(zipped.headers).toMatchObject({ "content-encoding": "gzip", etag: tag });
  expect(zipped.headers["vary"]).toContain("accept-encoding");
});

test("a snapshot from the daemon's own thread has a Content-Length, and the same ETag when it is compressed", async () => {
  const daemon = await testDaemon(WITH_PAGES);
  await made(daemon, 450);
  const page = await openPage(await originOf(daemon));
  const own = await page.ask("GET", SNAPSHOT);
  expect(own.body["collection"]).toHaveLength(450);
  expect(own.body).not.toHaveProperty("collection_truncated");
  expect(own.headers["content-length"]).toBe(String(Buffer.byteLength(own.text)));
  const zipped = await page.ask("GET", SNAPSHOT, { "accept-encoding": "gzip" });
  expect(zipped.headers).toMatchObject({
    "content-encoding": "gzip",
    etag: own.headers["etag"],
  });
  const some = await page.ask("GET", `${SNAPSHOT}&limit=449`);
  expect(some.body["collection"]).toHaveLength(449);
  expect(some.body["collection_truncated"]).toBe(true);
});

test("the ETag of a snapshot does not match in a session that has other rights", async () => {
  const identity = { mode: "identity", token: TOKEN } as const;
  const daemon = await testDaemon({ ...WITH_PAGES, authentication: identity });
  const origin = await originOf(daemon);
  const headers = { authorization: `Bearer ${TOKEN}` };
  const token = async (actor: string) => {
    const made = await call(daemon.endpoint, "POST", "/tokens", { headers, body: { actor } });
    return String(made.body["plaintext"]);
  };
  const look = async (login: string, tag = "") => {
    const page = await openPage(origin, "login", { token: login });
    return await page.ask("GET", SNAPSHOT, { "if-none-match": tag });
  };
  const ann = await token("ann");
  const bootstrap = await look(TOKEN);
  expect(bootstrap.body["capabilities"]).toMatchObject({ writable: false });
  const person = await look(ann, String(bootstrap.headers["etag"]));
  expect(person.body["capabilities"]).toEqual({
    ...{ writable: true, updates: "sse", actor_policy: "identity" },
  });
  expect((await look(ann, String(person.headers["etag"]))).status).toBe(304);
});

test("a read-only daemon tells its pages to poll, and answers a poll by 304 while nothing changes", async () => {
  const daemon = await testDaemon({ ...WITH_PAGES, authentication: { mode: "readonly" } });
  const origin = await originOf(daemon);
  const shown = await browse(origin, "GET", SNAPSHOT);
  expect(shown.body["capabilities"]).toEqual({
    ...{ writable: false, updates: "poll", actor_policy: "request" },
  });
  const tag = { "if-none-match": String(shown.headers["etag"]) };
  expect((await browse(origin, "GET", SNAPSHOT, tag)).status).toBe(304);
});

test("a request on the socket is told the address at which a browser opens an issue, whatever host the request names", async () => {
  const daemon = await testDaemon(WITH_PAGES);
  const uid = await made(daemon, 1);
  const path = `/ui/launch-target?issue_uid=${uid}`;
  const forged = { host: "evil.example", "x-forwarded-host": "evil.example" };
  const told = await call(daemon.endpoint, "GET", path, { headers: forged });
  const url = `${await originOf(daemon)}/svc?issue=${uid}#direct=1`;
  expect(told.body).toEqual({ available: true, url });
});

test("a daemon without pages has no snapshot and no address at which a browser opens an issue", async () => {
  const daemon = await testDaemon();
  const uid = await made(daemon, 1);
  const path = `/ui/launch-target?issue_uid=${uid}`;
  const told = await call(daemon.endpoint, "GET", path);
  expect(told.body).toEqual({ available: false, reason: "browser_origin_unavailable" });
  for (const read of [SNAPSHOT, "/ui/references"]) {
    const { status, body } = await call(daemon.endpoint, "GET", read);
    expect([status, body["error"]]).toMatchObject([503, { code: "ui_unavailable" }]);
  }
});
