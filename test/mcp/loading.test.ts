import { describe, expect, test } from "vitest";
import { SECTION_NAMES, type Section, toolNames } from "../../src/mcp/sections.ts";
import { TOOLS } from "../../src/mcp/tools/index.ts";
import { type ToolClient, ToolWorld } from "./tools.ts";

const WORKING: readonly Section[] = ["issue_discovery", "issue_mutation", "issue_lifecycle"];

async function serve(options: Parameters<ToolWorld["serve"]>[1] = {}) {
  const world = await ToolWorld.open();
  await world.project("web");
  return await world.serve("all", { load: [], ...options });
}

function noticesOf({ messages }: ToolClient): number {
  return messages.filter(({ method }) => method === "notifications/tools/list_changed").length;
}

describe("sections that are loaded from the start", () => {
  test("are in the first list with their tools and without their loaders", async () => {
    const client = await serve({ atStart: WORKING });
    const names = await client.names();
    expect(names).toHaveLength(11 + 24);
    expect(names.slice(11)).toEqual(WORKING.flatMap(toolNames));
    for (const section of WORKING) expect(names).not.toContain(`svc.load_${section}`);
    expect((await client.call("svc.next")).failure).toBe(undefined);
    expect(noticesOf(client)).toBe(0);
  });

  test("may be all sections, and then nothing else is listed", async () => {
    const client = await serve({ atStart: SECTION_NAMES });
    expect(await client.names()).toEqual(SECTION_NAMES.flatMap(toolNames));
  });

  test("do not include a section that is not available, and its loader says so", async () => {
    const available = SECTION_NAMES.filter((section) => section !== "storage");
    const client = await serve({ atStart: SECTION_NAMES, available });
    const names = await client.names();
    expect(names.filter((name) => /storage/.test(name))).toEqual(["svc.load_storage"]);
    expect((await client.call("svc.load_storage")).answer).toMatchObject({ available: false });
  });

  test("may be loaded again by their loaders, which changes no list", async () => {
    const client = await serve({ atStart: WORKING });
    const { answer } = await client.call("svc.load_issue_discovery");
    expect(answer).toMatchObject({ available: true, loaded: true });
    expect(noticesOf(client)).toBe(0);
  });

  test("make the instructions omit the advice to call a loader first", async () => {
    const client = await serve({ atStart: WORKING });
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: INFO };
    const { result } = await client.request("initialize", params);
    const { instructions } = result as { readonly instructions: string };
    expect(instructions).not.toContain("Call a loader first");
    expect(instructions).toContain("svc.load_… add further tools");
  });
});

const INFO = { name: "test", version: "1" };

describe("a call of a tool whose section is not loaded", () => {
  test("works by the tool's exact name, and loads the section once", async () => {
    const client = await serve();
    await client.request("initialize", {
      protocolVersion: "2025-06-18",
      clientInfo: INFO,
      capabilities: {},
    });
    expect((await client.call("svc.list")).answer).toMatchObject({ issues: [] });
    expect((await client.call("svc.ready")).answer).toMatchObject({ issues: [] });
    expect(await client.names()).toEqual(expect.arrayContaining(["svc.list", "svc.next"]));
    expect(noticesOf(client)).toBe(1);
  });

  test("a call of a destructive tool is refused with the name of its loader, and loads nothing", async () => {
    const client = await serve();
    for (const section of SECTION_NAMES)
      for (const { name, annotations } of await TOOLS[section]()) {
        if (!annotations.destructiveHint) continue;
        const { failure } = await client.call(name, {});
        expect(failure, name).toContain(`call svc.load_${section} first`);
      }
    expect(await client.names()).toHaveLength(14);
  });

  test("is unknown if the section is not available", async () => {
    const client = await serve({ available: WORKING });
    for (const name of ["svc.storage_export", "svc.tokens"])
      expect(await client.request("tools/call", { name })).toMatchObject({
        error: { code: -32602 },
      });
  });
});
