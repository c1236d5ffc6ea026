import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { searchIssues } from "../../src/contract/search.ts";
import { Catalog } from "../../src/mcp/catalog.ts";
import { daemonOf } from "../../src/mcp/daemon.ts";
import { ToolServer } from "../../src/mcp/tool-server.ts";
import { ToolWorld } from "./tools.ts";

test("a search that used different modes in two projects reports the mode mixed", async () => {
  const world = await ToolWorld.open();
  const web = await world.project("web");
  const api = await world.project("api");
  for (const { id } of [web, api])
    for (let at = 0; at < 2; at++) await world.issue(id, `parser crash ${at}`);
  const tools = new ToolServer({
    catalog: new Catalog(new Set(["issue_discovery"])),
    reach: { kind: "all" },
    actor: "bea",
    hasToken: false,
    // The daemon of this test has no embedding provider, so it searches every project in the same mode. Change the
    // answer of one project to say that it was searched in another mode.
    daemonFor: (signal) => {
      const daemon = daemonOf(world.client, signal);
      return {
        ...daemon,
        call: async (route, input) => {
          const answer = await daemon.call(route, input);
          const { project_id } = (input as { params?: { project_id?: number } }).params ?? {};
          const isOther = route.id === searchIssues.id && project_id === web.id;
          if (isOther) Object.assign(answer as object, { mode: "hybrid" });
          return answer;
        },
      };
    },
    clock: systemClock,
  });
  const { signal } = new AbortController();
  await tools.call("svc.load_issue_discovery", {}, signal);
  const outcome = await tools.call("svc.search", { query: "crash" }, signal);
  const project = (name: string) => ({
    issue: { qualified_ref: expect.stringMatching(`^${name}#`) },
  });
  expect(outcome).toMatchObject({
    structured: {
      mode: "mixed",
      projects: [{ name: "api" }, { name: "web" }],
      results: [project("api"), project("web"), project("api"), project("web")],
    },
  });
  expect(outcome).not.toHaveProperty("structured.project");
});
