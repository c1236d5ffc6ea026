import { expect, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { call } from "../../src/client/call.ts";
import { health } from "../../src/contract/health.ts";
import {
  enableIssueSync,
  getIssueSyncStatus,
  runIssueSyncOnce,
} from "../../src/contract/issue-sync.ts";
import { listIssues } from "../../src/contract/issues.ts";
import { initProject } from "../../src/contract/projects.ts";
import { Local } from "../client/local.ts";
import { comment, Host } from "../ops/issue-sync/host.ts";
import { tempFolder } from "../support/daemon.ts";

test("a daemon reads the issues of a repository by itself, and writes large parts of them in its write worker", async () => {
  const host = new Host();
  for (let number = 1; number <= 60; number += 1) host.put(number, { comments: [comment(number)] });
  const long = Array.from({ length: 300 }, (_, at) => comment(1000 + at));
  host.put(60, { comments: long });
  const local = new Local(tempFolder());
  await local.daemon({ issueSync: { repositories: [], provider: async () => host } });
  const client = await local.client();
  const { project } = await call(client, initProject, { body: { name: "web", actor: "ann" } });
  const params = { project_id: project.id, provider: "github" };
  const config = { owner: "ann", repo: "web" };
  await call(client, enableIssueSync, { params, body: { config } });
  await vi.waitFor(async () => {
    const { status } = await call(client, getIssueSyncStatus, { params });
    expect(status).toMatchObject({ last_created: 60, last_comments: 359 });
  }, 40_000);
  const { issues } = await call(client, listIssues, { params, query: { limit: 100 } });
  expect(issues).toHaveLength(60);
  expect(await call(client, health, {})).toMatchObject({ sync: { enabled: 1, running: false } });
  const now = systemClock.now();
  for (let number = 1; number <= 60; number += 1) host.put(number, { title: "t", updated_at: now });
  const again = await call(client, runIssueSyncOnce, { params, body: {} });
  expect(again.import).toMatchObject({ created: 0, updated: 60, comments: 0 });
});
