import { describe, expect, test } from "vitest";
import { call } from "../../src/client/call.ts";
import { health } from "../../src/contract/health.ts";
import { availableSections } from "../../src/mcp/available.ts";
import { SECTION_NAMES } from "../../src/mcp/sections.ts";
import { ToolWorld } from "./tools.ts";

const WHOLE = {
  reach: { kind: "all" },
  hasTokenAdmin: true,
  hasStorage: true,
  health: { federation: {}, sync: {}, connectors: {} },
} as const;

describe("the sections that can be loaded", () => {
  test("are all listed if the daemon has every system and every flag is given", () => {
    expect([...availableSections(WHOLE)]).toEqual(SECTION_NAMES);
  });

  test.each([
    ["tokens without the flag", { hasTokenAdmin: false }, ["tokens"]],
    [
      "tokens for less than all projects",
      { reach: { kind: "allowlist", uids: new Set<string>() } },
      ["tokens"],
    ],
    ["storage without a root", { hasStorage: false }, ["storage"]],
    ["a daemon without federation", { health: { sync: {}, connectors: {} } }, ["federation"]],
    [
      "a daemon without any further system",
      { health: {} },
      ["federation", "sync", "external_roots"],
    ],
  ] as const)("leave out %s", (_what, conditions, missing) => {
    const left = availableSections({ ...WHOLE, ...conditions });
    expect(SECTION_NAMES.filter((section) => !left.has(section))).toEqual(missing);
  });

  test("are reported as not available if the daemon has no connectors", async () => {
    const world = await ToolWorld.open();
    await world.project("web");
    const available = [
      ...availableSections({ ...WHOLE, health: await call(world.client, health, {}) }),
    ];
    const client = await world.serve("all", { load: [], available });
    expect(available).toEqual(expect.arrayContaining(["sync", "federation"]));
    expect((await client.call("svc.load_external_roots")).answer).toMatchObject({
      section: "external_roots",
      available: false,
      loaded: false,
    });
    expect(await client.names()).toHaveLength(14);
  });
});
