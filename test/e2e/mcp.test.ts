import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Box, box } from "./box.ts";

/** Makes a workspace with a project of one issue. Returns what an agent host needs to start the server in it. */
async function workspace() {
  const place = box();
  expect(await place.svc("init", "--project", "web")).toMatchObject({ code: 0 });
  expect(await place.svc("create", "First issue")).toMatchObject({ code: 0 });
  return { place, started: (...words: string[]) => parametersOf(place, words) };
}

function parametersOf({ env, launcher, work }: Box, words: readonly string[]) {
  const known = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return {
    command: process.execPath,
    args: [launcher, "mcp", "serve", ...words],
    env: Object.fromEntries(known) as Record<string, string>,
    cwd: work,
  };
}

const INFO = { name: "test", version: "1" };

describe("svc mcp serve with the clients that agent hosts use", () => {
  test("works with the client library that opens sessions", async () => {
    const { started } = await workspace();
    const client = new OlderClient(INFO);
    let notices = 0;
    client.fallbackNotificationHandler = async () => void notices++;
    await client.connect(new OlderTransport(started()));
    onTestFinished(async () => await client.close());
    expect(client.getInstructions()).toContain('project "web"');
    expect((await client.listTools()).tools.every(({ name }) => name.startsWith("svc.load_"))).toBe(
      true,
    );
    await client.callTool({ name: "svc.load_issue_discovery" });
    const { structuredContent } = await client.callTool({ name: "svc.list" });
    expect(structuredContent).toMatchObject({ issues: [{ title: "First issue" }] });
    expect(notices).toBe(1);
  }, 60_000);

  test("works with the client library that names the protocol version in each request", async () => {
    const { started } = await workspace();
    const client = new Client(INFO);
    await client.connect(new StdioClientTransport(started("--as", "bea")));
    onTestFinished(async () => await client.close());
    await client.callTool({ name: "svc.load_issue_discovery" });
    const { structuredContent } = await client.callTool({ name: "svc.next" });
    expect(structuredContent).toMatchObject({ issue: { title: "First issue" } });
  }, 60_000);

  test("ends when its input ends, and refuses projects that do not exist", async () => {
    const { place } = await workspace();
    expect(await place.svc("mcp", "serve")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await place.svc("mcp", "serve", "--projects", "web,nowhere")).toMatchObject({
      stdout: "",
      stderr: expect.stringContaining('there is no active project "nowhere"'),
    });
    for (const words of [
      ["--projects", "web,web"],
      ["--projects", "web,,"],
      ["--projects", "web", "--all-projects"],
    ])
      expect(await place.svc("mcp", "serve", ...words)).toMatchObject({ code: 2, stdout: "" });
  }, 60_000);
});
