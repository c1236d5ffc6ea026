import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { parseExact } from "../../src/base/json.ts";
import { call } from "../../src/client/call.ts";
import { pollEvents } from "../../src/contract/activity.ts";
import { daemonOf } from "../../src/mcp/daemon.ts";
import { SECTION_NAMES } from "../../src/mcp/sections.ts";
import { TOOLS } from "../../src/mcp/tools/index.ts";
import { faultsOf, type JsonObject, type Schema, valuesOf } from "./arguments.ts";
import { HttpSite } from "./http-site.ts";
import { type ToolClient, ToolWorld } from "./tools.ts";

/** Another seed each time, unless SVC_TOOLS_SEED gives one. */
const SEED = Number(process.env["SVC_TOOLS_SEED"] ?? fc.sample(fc.nat(), 1)[0]);

/** For each tool, this many valid arguments are made invalid, in each place and in each way. */
const VALUES = 2;

/** A command of svc, or a flag. Agents have tools only; a server's own flag is named where it is what is missing. */
const COMMAND = /\bsvc | --/;

/** Over HTTP, this many faults of each tool are sent, since a request takes several times as long. */
const FAULTS_OVER_HTTP = 10;

/** Time runs 1000 times as fast, so that the limit of 20 calls a second does not slow the test. */
const FAST = {
  ...systemClock,
  nowMs: () => performance.now() * 1000,
  sleep: async (ms: number, signal?: AbortSignal) => await systemClock.sleep(ms / 1000, signal),
};

interface Listed {
  readonly name: string;
  readonly inputSchema: Schema;
}

async function listed(client: ToolClient): Promise<readonly Listed[]> {
  const { result } = await client.request("tools/list");
  return (result as { readonly tools: readonly Listed[] }).tools;
}

/** Serves with two issues in a project, so that there is something to change. */
async function serve() {
  const world = await ToolWorld.open();
  const web = await world.project("web");
  const first = await world.issue(web.id, "an issue");
  const second = await world.issue(web.id, "another issue");
  const refs = [first.qualified_id, second.qualified_id];
  return { world, refs, client: await world.serve("all", { clock: FAST }) };
}

async function lastEventId({ client }: ToolWorld): Promise<number> {
  return (await call(client, pollEvents, { query: { after_id: 0 } })).next_after_id;
}

const sections = await Promise.all(SECTION_NAMES.map(async (section) => await TOOLS[section]()));

describe(`arguments generated from the schemas, with seed ${SEED}`, () => {
  test("are answered as the tool's output schema says if they are valid, or else refused with a message", async () => {
    const { refs, client } = await serve();
    const schemas = new Map((await listed(client)).map((tool) => [tool.name, tool.inputSchema]));
    const known = { ref: refs[0], project: "web", refs, timeout_seconds: 1, wait_seconds: 1 };
    for (const { name, input, output } of sections.flat()) {
      const schema = schemas.get(name) ?? {};
      const named = Object.entries(known).filter(([member]) => schema.properties?.[member]);
      for (const value of fc.sample(valuesOf(schema), { numRuns: 5, seed: SEED })) {
        const args = { ...(value as JsonObject), ...Object.fromEntries(named) };
        const what = `${name} with ${JSON.stringify(args)}`;
        expect(input.safeParse(args).error, what).toBe(undefined);
        const { answer, failure } = await client.call(name, args);
        if (failure === undefined) expect(output.safeParse(answer).error, what).toBe(undefined);
        else expect(failure.replace("requires --all-projects", ""), what).not.toMatch(COMMAND);
      }
    }
  });

  test("are refused by every tool with the path of the one fault, and change nothing", async () => {
    const { world, client } = await serve();
    const before = await lastEventId(world);
    const tools = await listed(client);
    expect(tools).toHaveLength(14 + 67);
    for (const { name, inputSchema } of tools) {
      const values = fc.sample(valuesOf(inputSchema), { numRuns: VALUES, seed: SEED });
      for (const { path, how, value } of values.flatMap((whole) => faultsOf(inputSchema, whole))) {
        const { failure = "" } = await client.call(name, value as JsonObject);
        const what = `${name} with ${path} ${how}: ${JSON.stringify(value).slice(0, 300)}: ${failure}`;
        expect(failure.startsWith(`invalid arguments: ${path}: `), what).toBe(true);
      }
    }
    expect(await lastEventId(world)).toBe(before);
    expect(await client.request("ping")).toMatchObject({ result: {} });
  });

  test("are refused over HTTP too, in a session that continues", async () => {
    const { world } = await serve();
    const before = await lastEventId(world);
    const daemonFor = (signal: AbortSignal) => daemonOf(world.client, signal);
    const site = await HttpSite.open({ clock: FAST, daemonFor });
    for (const section of SECTION_NAMES) await site.tools.catalog.load(section);
    const headers = { "mcp-session-id": await site.begin() };
    const [list = {}] = (await site.request("tools/list", {}, headers)).messages;
    const { tools } = list["result"] as { readonly tools: readonly Listed[] };
    expect(tools).toHaveLength(14 + 67);
    for (const { name, inputSchema } of tools) {
      const [whole = {}] = fc.sample(valuesOf(inputSchema), { numRuns: 1, seed: SEED });
      const faults = fc.constantFrom(...faultsOf(inputSchema, whole));
      const some = fc.sample(faults, { numRuns: FAULTS_OVER_HTTP, seed: SEED });
      for (const { path, how, value } of some) {
        const params = { name, arguments: value };
        const { messages } = await site.request("tools/call", params, headers);
        const what = `${name} with ${path} ${how}: ${JSON.stringify(value).slice(0, 300)}`;
        expect(messages, what).toMatchObject([{ result: { isError: true } }]);
        expect(JSON.stringify(messages), what).toContain(`invalid arguments: ${quoted(path)}: `);
      }
    }
    expect(await lastEventId(world)).toBe(before);
    expect((await site.request("ping", {}, headers)).messages).toMatchObject([{ result: {} }]);
  });
});

test("arguments that are nested too deep are refused, and the next call is answered", async () => {
  const { world, refs, client } = await serve();
  const before = await lastEventId(world);
  const deep = `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`;
  for (const patch of [deep, `{"a":${deep}}`]) {
    const args = `{"ref":"${refs[0]}","patch":${patch}}`;
    client.write(
      `{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{"name":"svc.set_metadata","arguments":${args}}}`,
    );
    expect(await client.request("ping")).toMatchObject({ result: {} });
  }
  expect((await client.call("svc.list")).failure).toBeUndefined();
  const text = "invalid arguments: they are nested too deeply";
  const answer = { id: "deep", result: { isError: true, content: [{ type: "text", text }] } };
  expect(client.messages.filter(({ id }) => id === "deep")).toMatchObject([answer, answer]);
  expect(await lastEventId(world)).toBe(before);
});

test("integers beyond 2^53 in metadata keep every digit, in and out", async () => {
  const { refs, client } = await serve();
  const [ref = ""] = refs;
  const patch = parseExact('{"chat":1234567890123456789,"n":1.0}');
  expect((await client.call("svc.set_metadata", { ref, patch })).failure).toBeUndefined();
  const { result } = await client.request("tools/call", { name: "svc.show", arguments: { ref } });
  const { content, structuredContent } = result as Readonly<Record<string, unknown>>;
  const metadata = '"metadata":{"chat":1234567890123456789,"n":1}';
  expect(JSON.stringify(structuredContent)).toContain(metadata);
  expect(JSON.stringify(content)).toContain(quoted(metadata));
});

/** The text as it stands within JSON. */
function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
