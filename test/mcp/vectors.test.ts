import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { searchIssues } from "../../src/contract/search.ts";
import { Catalog } from "../../src/mcp/catalog.ts";
import { daemonOf } from "../../src/mcp/daemon.ts";
import { ToolServer } from "../../src/mcp/tool-server.ts";
import { ToolWorld } from "./tools.ts";

/** The test of each vector of facts mcp 11: its file in `test`, and words of its title. */
const TESTS: Readonly<Record<number, readonly [file: string, title: string]>> = {
  1: ["mcp/protocol", "begins with a loader for each section"],
  2: ["mcp/arguments", "are refused by every tool with the path of the one fault"],
  3: ["mcp/protocol", "grows by a section when its loader is called, and is announced once"],
  4: ["mcp/storage", "leave the section out where there is no root"],
  5: ["mcp/administration", "are there only for a server of all projects"],
  6: ["mcp/http-front", "with %s in its body gets 400 and an error without id"],
  7: ["mcp/protocol", "gets an error without id, and the next line is served"],
  8: ["mcp/protocol", "is told of unknown methods"],
  9: ["mcp/protocol", "a line of 8 MiB and a byte"],
  10: ["mcp/protocol", "asks what the server offers, with a hint of five minutes"],
  11: ["mcp/protocol", "is refused a version that is not spoken here"],
  12: ["mcp/protocol", "has the version that the client asks for, and tools only"],
  13: ["mcp/http-front", "with a wrong token"],
  14: ["mcp/http-front", "refuses other methods, and other hosts"],
  15: ["mcp/http-front", "of a foreign page"],
  16: ["mcp/http-front", "answers without token, and is never stored"],
  17: ["e2e/mcp-http", "is refused flags that do not fit together"],
  18: ["e2e/mcp-http", "is refused flags that do not fit together"],
  19: ["mcp/start", "refuses a daemon whose API is older than 0.11.0"],
  20: ["mcp/calls", "run at most eight at a time, and only twenty of them start"],
  21: ["mcp/discovery", "wants the project in each ref"],
  22: ["mcp/discovery", "treats others like projects that do not exist"],
  23: ["mcp/discovery", "follows a project that is renamed, and drops one that is archived"],
  24: ["mcp/discovery", "follows a project that is renamed, and drops one that is archived"],
  25: ["mcp/mutation", "makes one issue under a key, and says so when it is asked again"],
  26: ["mcp/mutation", "makes one issue under a key, and says so when it is asked again"],
  27: ["mcp/lifecycle", "closes with evidence, and an exact retry returns the same event"],
  28: ["mcp/lifecycle", "closes with evidence, and an exact retry returns the same event"],
  29: ["mcp/mutation", "fields and metadata"],
  30: ["mcp/mutation", "a date twice"],
  31: ["mcp/mutation", "are set and taken away"],
  32: ["mcp/mutation", "are set and taken away"],
  33: ["mcp/lifecycle", "want the exact words before they take anything away"],
  34: ["mcp/vectors", "a search whose projects were searched in two ways says mixed"],
  35: ["mcp/discovery", "has twenty rows and a cursor for the rest, in every scope"],
  36: ["mcp/discovery", "has as many rows as one asks for, and refuses 101"],
  37: ["mcp/discovery", "has the newest comments, oldest first"],
  38: ["mcp/lifecycle", "reads on with a cursor, and begins again after a purge"],
  39: ["mcp/lifecycle", "reads on with a cursor, and begins again after a purge"],
  40: ["mcp/activity", "waits for the next event, and no longer than it is told"],
  41: ["mcp/activity", "demand to read everything again after a purge"],
  42: ["mcp/lifecycle", "answers timeout, and every status, when the time is over"],
  43: ["mcp/administration", "%s needs all projects"],
  44: ["mcp/lifecycle", "names no issue of other projects when it is refused"],
  45: ["mcp/administration", "of another are an answer"],
  46: ["mcp/administration", "stay when held already"],
  47: ["mcp/unavailable", "svc.%s refuses what is wrong first"],
  48: ["mcp/administration", "show a secret once"],
  49: ["mcp/storage", "refuses %s, and writes nothing"],
  50: ["mcp/storage", "replaces none without the words"],
  51: ["mcp/storage", "refuses the database that the daemon serves, however it is spelt"],
  52: ["mcp/unavailable", "svc.%s refuses what is wrong first"],
  53: ["mcp/start", "pings it at once, and half its timeout after each answer"],
  54: ["mcp/start", "that never stops sends no ping"],
  55: ["mcp/calls", "gets no answer, and lets the next one run"],
  56: ["mcp/protocol", "with wrong arguments names the first three"],
  57: ["mcp/mutation", "moves between projects of the scope"],
  58: ["mcp/http-sessions", "is announced once to each client"],
  59: ["mcp/protocol", "may ask before it is initialized"],
};

test("each of the 59 vectors has a test", () => {
  expect(Object.keys(TESTS).map(Number)).toEqual(Array.from({ length: 59 }, (_, at) => at + 1));
  const missing = Object.entries(TESTS).filter(([, [file, title]]) => {
    const text = readFileSync(join(import.meta.dirname, "..", `${file}.test.ts`), "utf8");
    return !text.includes(title);
  });
  expect(missing).toEqual([]);
});

test("a search whose projects were searched in two ways says mixed", async () => {
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
    // No daemon searches in another way yet; one project's answer says that it was.
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
