import { describe, expect, test } from "vitest";
import { SECTION_NAMES } from "../../src/mcp/sections.ts";
import { ToolWorld } from "./tools.ts";

const UNDERSCORE = { names: "underscore", isCompact: false } as const;
const COMPACT = { names: "dot", isCompact: true } as const;

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Listed {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly annotations: object;
  readonly inputSchema: Schema;
  readonly outputSchema?: object;
}

async function serve(options: Parameters<ToolWorld["serve"]>[1]) {
  const world = await ToolWorld.open();
  const web = await world.project("web");
  const issue = await world.issue(web.id, "an issue", { owner: "ann" });
  const client = await world.serve("web", options);
  const { result } = await client.request("tools/list");
  return { client, issue, tools: (result as { readonly tools: readonly Listed[] }).tools };
}

/** The name of a tool with a dot. */
const DOTTED = /\bsvc\.[a-z]/;

describe("tool names with an underscore", () => {
  test("have no dot, in the list, in its texts, in the instructions and in answers of loaders", async () => {
    const { client, tools } = await serve({ load: SECTION_NAMES, style: UNDERSCORE });
    for (const { name } of tools) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(JSON.stringify(tools)).not.toMatch(DOTTED);
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const { result } = await client.request("initialize", params);
    const { instructions } = result as { readonly instructions: string };
    expect(instructions).toContain("svc_claim");
    expect(instructions).not.toMatch(DOTTED);
    const { answer } = await client.call("svc_load_issue_discovery");
    expect(answer["tools"]).toEqual(expect.arrayContaining(["svc_search", "svc_graph"]));
  });

  test("are used in refusals too", async () => {
    const { client, issue } = await serve({ load: [], style: UNDERSCORE });
    const failures = [
      (await client.call("svc_close", {})).failure,
      (await client.call("svc_show", { ref: "zzzz" })).failure,
      (await client.call("svc_project_create", { name: "x" })).failure,
      JSON.stringify(await client.request("tools/call", { name: "svc_shw" })),
    ];
    await client.call("svc_load_issue_mutation");
    failures.push((await client.call("svc_claim", { ref: issue.short_id })).failure);
    for (const failure of failures) expect(failure).not.toMatch(DOTTED);
    expect(failures.slice(0, 4).join()).toMatch(
      /svc_load_issue_lifecycle.*svc_search.*svc_project_create.*svc_show/,
    );
  });

  test.each([UNDERSCORE, COMPACT])(
    "names with an underscore and names with a dot are both understood in calls: %j",
    async (style) => {
      const { client } = await serve({ load: [], style });
      for (const name of ["svc.load_issue_discovery", "svc_load_leases", "svc.list", "svc_list"])
        expect((await client.call(name)).failure, name).toBe(undefined);
    },
  );

  test("change no text written by a person, such as a title", async () => {
    const world = await ToolWorld.open();
    const web = await world.project("svc.list");
    await world.issue(web.id, "svc.list is slow");
    const client = await world.serve("svc.list", { style: UNDERSCORE });
    const { text } = await client.call("svc_list");
    expect(text).toContain('"svc.list is slow"');
    expect(text).toContain('"name":"svc.list"');
  });
});

describe("the compact list", () => {
  test("has no schemas of answers, and one sentence for each tool, but annotations and arguments", async () => {
    const { tools: whole } = await serve({ load: SECTION_NAMES });
    const { client, tools } = await serve({ load: SECTION_NAMES, style: COMPACT });
    expect(tools.map(({ name }) => name)).toEqual(whole.map(({ name }) => name));
    for (const [
      at,
      { name, title, description, annotations, inputSchema, outputSchema },
    ] of tools.entries()) {
      expect({ title, outputSchema }, name).toEqual({});
      expect(description.length, name).toBeLessThanOrEqual(225);
      expect(description, name).not.toMatch(/\n|\. /);
      expect(annotations, name).toEqual(whole[at]?.annotations);
      const { properties = {}, required } = whole[at]?.inputSchema ?? {};
      expect(Object.keys(inputSchema.properties ?? {}), name).toEqual(Object.keys(properties));
      expect(inputSchema.required, name).toEqual(required);
    }
    expect((await client.call("svc.list")).answer).toMatchObject({
      issues: [{ title: "an issue" }],
    });
  });

  test("keeps the texts without which a first call would fail", async () => {
    const { tools } = await serve({ load: SECTION_NAMES, style: COMPACT });
    const text = (name: string, property: string): string =>
      tools.find((tool) => tool.name === name)?.inputSchema.properties?.[property]?.description ??
      "";
    expect(text("svc.delete", "confirm")).toContain("DELETE <project>#<short_id>");
    expect(text("svc.create", "scheduled_on")).toContain("YYYY-MM-DD");
    expect(text("svc.list", "metadata")).toContain("key=value");
    expect(text("svc.digest", "since")).toContain("RFC 3339");
    expect(text("svc.lease", "action")).toContain("renew needs ttl_seconds");
  });
});

test("if answers are only text, structured answers and their schemas are left out", async () => {
  const style = { names: "dot", isCompact: false, isText: true } as const;
  const { client, issue, tools } = await serve({ style });
  for (const tool of tools) expect(tool).not.toHaveProperty("outputSchema");
  const params = { name: "svc.show", arguments: { ref: issue.short_id } };
  const { result } = await client.request("tools/call", params);
  expect(Object.keys(result as object)).toEqual(["content"]);
  expect(JSON.stringify(result)).toContain("an issue");
});
