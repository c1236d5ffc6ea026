import { enableIssueSync, runIssueSyncOnce } from "../../../src/contract/issue-sync.ts";
import { listIssues, showIssue } from "../../../src/contract/issues.ts";
import type { Input } from "../../../src/contract/route.ts";
import { type OpenStore, type WorldOptions, world } from "../../support/world.ts";
import { Host } from "./host.ts";

type Body = Input<typeof enableIssueSync>["body"];

/** A world with a project and a host whose repository the project can be bound to. */
export async function syncWorld(store: OpenStore, more: Partial<WorldOptions> = {}) {
  const host = new Host();
  const issueSync = { repositories: ["ann/web"], provider: async () => host };
  const w = await world({ store, issueSync, ...more });
  const project = await w.given.project("board");
  const params = { project_id: project.id, provider: "github" };
  const config = { owner: "ann", repo: "web" };
  return {
    w,
    host,
    project,
    params,
    enable: async (body: Partial<Body> = {}) =>
      await w.call(enableIssueSync, { params, body: { config, ...body } }),
    once: async (body: { parents?: boolean } = {}) =>
      await w.call(runIssueSyncOnce, { params, body }),
    /** The issue with this number on the host. */
    show: async (number: number) =>
      await w.call(showIssue, { params: { project_id: project.id, ref: `#${number}` } }),
    list: async () =>
      (await w.call(listIssues, { params: { project_id: project.id }, query: { status: "" } }))
        .issues,
  };
}
