import { expect, test } from "vitest";
import { systemIds } from "../../../src/base/ids.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { Row } from "../../../src/domain/tables/tables.ts";
import { IssueSync } from "../../../src/sync/issue-sync.ts";
import { hosted, REPO, TOKEN, trustHost } from "./support.ts";

trustHost();

/** Longer than the clock of these tests lets a request take. */
const LONG = 30_000;
const SHORT = 3000;

async function testable(options: Parameters<typeof hosted>[0] = {}) {
  const all = await hosted(options);
  const { clock, provider, bound } = all;
  const { host, owner, repo, repo_id, remote_id } = bound;
  const sync = new IssueSync({
    ...{ clock, log: silentLog, ids: systemIds(), repositories: [], wake: () => undefined },
    store: undefined as never,
    write: async () => await Promise.reject(new Error("a test writes nothing")),
    provider: async () => provider,
  });
  const binding: Row<"issue_sync_binding"> = {
    ...{ project_uid: "01", provider: "github", source_key: `github:${remote_id}`, remote_id },
    ...{ display_name: REPO, config: { host, owner, repo, repo_id, title_prefix: true } },
    ...{ enabled: 1, interval_seconds: 300, last_cursor_at: null },
    ...{ created_at: clock.now(), updated_at: clock.now() },
  };
  return { ...all, test: async (ms = LONG) => await sync.test(binding, ms) };
}

test("the test of a binding requests only the repository", async () => {
  const t = await testable();
  t.state.addIssue(REPO);
  expect(await t.test()).toEqual({ result: "ok" });
  expect(t.state.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `GET /api/v3/repos/${REPO}`,
  ]);
});

test("a renamed repository passes the test, since a run follows the new name", async () => {
  const t = await testable();
  t.state.rename(REPO, "ann/renamed");
  expect(await t.test()).toEqual({ result: "ok" });
});

test("a refused credential fails the test, and the message does not show it", async () => {
  const t = await testable();
  const body = JSON.stringify({ message: `no such token: ${TOKEN}` });
  t.state.script({ match: "/repos/", status: 401, body });
  const found = await t.test();
  expect(found).toMatchObject({ result: "failed", category: "credentials" });
  expect(found).toHaveProperty("message", expect.stringContaining("the host answered 401"));
  expect(found).toHaveProperty("hint", expect.stringContaining("renew the credential"));
  expect(JSON.stringify(found)).not.toContain(TOKEN);
});

test("a daemon without a credential for the host fails the test before any request", async () => {
  const t = await testable({ env: { SVC_PROVIDER_TOKEN: "", PATH: "/nowhere" } });
  expect(await t.test()).toMatchObject({ result: "failed", category: "credentials" });
  expect(t.state.asked).toEqual([]);
});

test("a host that is not allowed any more fails the test before any request", async () => {
  const t = await testable({ settings: () => ({ allowedHosts: [] }) });
  expect(await t.test()).toMatchObject({ result: "failed", category: "repository_unavailable" });
  expect(t.state.asked).toEqual([]);
});

test("a repository that was deleted and a new one with the same name fail the test", async () => {
  const t = await testable();
  t.state.removeRepository(REPO);
  expect(await t.test()).toMatchObject({ result: "failed", category: "repository_unavailable" });
  t.state.addRepository("ann", "tracker");
  expect(await t.test()).toMatchObject({ result: "failed", category: "repository_mismatch" });
});

test("a host that never answers fails the test at the end of the time limit", async () => {
  const t = await testable();
  t.state.script({ match: "/repos/", hang: true });
  expect(await t.test(SHORT)).toEqual({
    result: "failed",
    category: "provider_http",
    message: "no answer within 3 s",
    hint: "a run waits longer: svc sync github once, in the project, says how it goes",
  });
});

test("a host that cannot be reached fails the test", async () => {
  const t = await testable();
  await t.close();
  expect(await t.test()).toMatchObject({ result: "failed", category: "provider_http" });
});
