import { describe, expect, test } from "vitest";
import { SECTION_NAMES, type Section, toolNames } from "../../src/mcp/sections.ts";
import { ToolWorld, VERSIONS } from "./tools.ts";

const WORKING: readonly Section[] = ["issue_discovery", "issue_mutation", "issue_lifecycle"];
const COMPACT = { names: "underscore", isCompact: true } as const;

type Options = Parameters<ToolWorld["serve"]>[1];

interface Listed {
  readonly name: string;
}

/** Returns the whole message with the list of tools, in bytes, and the bytes of each definition. */
async function sizes(version: string, options: Options) {
  const world = await ToolWorld.open();
  await world.project("web");
  const client = await world.serve("all", options);
  const params = await client.begin(version);
  const message = await client.request("tools/list", params);
  const { tools } = message["result"] as { readonly tools: readonly Listed[] };
  const each = new Map(tools.map((tool) => [tool.name, bytesOf(tool)]));
  return { whole: bytesOf(message), each };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

describe.each(VERSIONS)("the list of tools as a message of version %s", (version) => {
  test("the first list of tools is at most 8 KB", async () => {
    const { whole, each } = await sizes(version, { load: [] });
    expect(each.size).toBe(14);
    expect(whole).toBeLessThanOrEqual(8_000);
  });

  test("the list with every loader and every tool is at most 110 KB", async () => {
    const { whole, each } = await sizes(version, { load: SECTION_NAMES });
    expect(each.size).toBe(14 + 67);
    expect(whole).toBeLessThanOrEqual(110_000);
  });

  test("the 24 tools of the working set take at most 18 KB in the compact list", async () => {
    const { each } = await sizes(version, { load: [], atStart: WORKING, style: COMPACT });
    const working = WORKING.flatMap(toolNames).map(
      (name) => each.get(name.replace(".", "_")) ?? NaN,
    );
    expect(working).toHaveLength(24);
    expect(working.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(18_000);
  });
});
