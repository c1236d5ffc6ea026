import type { ChildProcess } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { box, type Ended, ended } from "./box.ts";

const INFO = { name: "test", version: "1" };
const TOKEN = "e2e-token-of-the-tools";

async function serving() {
  const place = box({ SVC_MCP_TOKEN: TOKEN });
  expect(await place.svc("init", "--project", "web")).toMatchObject({ code: 0 });
  expect(await place.svc("create", "First issue")).toMatchObject({ code: 0 });
  const authority = `127.0.0.1:${await freePort()}`;
  const words = ["--http", authority, "--http-token-env", "SVC_MCP_TOKEN"];
  const child = place.start("mcp", "serve", ...words);
  onTestFinished(() => void child.kill("SIGKILL"));
  const over = ended(child);
  const url = new URL(`http://${authority}/mcp`);
  await started(child, `listening on ${url}`);
  const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
  return { place, child, over, url, requestInit };
}

/** A client of the older library, and how many notices it got. */
async function session(url: URL, requestInit: RequestInit) {
  const client = new OlderClient(INFO);
  let count = 0;
  client.fallbackNotificationHandler = async () => void count++;
  await client.connect(new OlderTransport(url, { requestInit }) as Transport);
  return { client, notices: () => count };
}

async function started(child: ChildProcess, line: string): Promise<void> {
  let text = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on("data", (piece: string) => {
      text += piece;
      if (text.includes(`${line}\n`)) resolve();
    });
    child.once("close", () => reject(new Error(text)));
  });
}

describe("svc mcp serve --http", () => {
  test("announces the tools of each loaded section once to clients of both libraries, and ends by SIGTERM", async () => {
    const { child, over, url, requestInit } = await serving();
    const older = await session(url, requestInit);
    const other = await session(url, requestInit);
    const newer = new Client(INFO, { versionNegotiation: { mode: "auto" } });
    await newer.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    expect(newer.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    let newerNotices = 0;
    newer.setNotificationHandler("notifications/tools/list_changed", () => void newerNotices++);
    await newer.listen({ toolsListChanged: true });
    const noticed = () => [older.notices(), other.notices(), newerNotices];
    await older.client.callTool({ name: "svc.load_issue_discovery" });
    await vi.waitFor(() => expect(noticed()).toEqual([1, 1, 1]), 20_000);
    const { structuredContent } = await older.client.callTool({ name: "svc.list" });
    expect(structuredContent).toMatchObject({ issues: [{ title: "First issue" }] });
    expect((await newer.callTool({ name: "svc.next" })).structuredContent).toMatchObject({
      issue: { title: "First issue" },
    });
    await newer.callTool({ name: "svc.load_leases" });
    await vi.waitFor(() => expect(noticed()).toEqual([2, 2, 2]), 20_000);
    await other.client.callTool({ name: "svc.load_leases" });
    await other.client.callTool({ name: "svc.load_activity" });
    await vi.waitFor(() => expect(noticed()).toEqual([3, 3, 3]), 20_000);
    const { tools } = await newer.listTools();
    expect(tools).toHaveLength(14 + 7 + 4 + 2);
    child.kill("SIGTERM");
    const { code, stdout, stderr } = await over;
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toBe(`listening on ${url}\n`);
  }, 60_000);

  test("refuses flags that do not fit together, without repeating the token", async () => {
    const place = box({ SVC_MCP_TOKEN: TOKEN, EMPTY: "" });
    const token = ["--http-token-env", "SVC_MCP_TOKEN"];
    const refused: Ended[] = [];
    for (const words of [
      token,
      ["--trust-private-network"],
      ["--http", "127.0.0.1:7800"],
      ["--http", "127.0.0.1:7800", "--http-token-env", "EMPTY"],
      ["--http", "8.8.8.8:80", ...token],
      ["--http", "10.0.0.5:7000", ...token],
    ])
      refused.push(await place.svc("mcp", "serve", ...words));
    expect(refused.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(JSON.stringify(refused)).not.toContain(TOKEN);
  }, 60_000);

  test("reports that the port is taken", async () => {
    const { place, url } = await serving();
    const words = ["--http", url.host, "--http-token-env", "SVC_MCP_TOKEN"];
    const { code, stderr } = await place.svc("mcp", "serve", ...words);
    expect(code).toBe(3);
    expect(stderr).toContain(`cannot listen on ${url.host}`);
  }, 60_000);
});

async function freePort(): Promise<number> {
  return await new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
