import { once } from "node:events";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { SvcError } from "../../src/contract/errors.ts";
import { Catalog } from "../../src/mcp/catalog.ts";
import { DRAIN_MS } from "../../src/mcp/drain.ts";
import { serveLines } from "../../src/mcp/protocol/stdio.ts";
import { SECTION_NAMES } from "../../src/mcp/sections.ts";
import { ToolServer } from "../../src/mcp/tool-server.ts";
import { FakeClock, watched } from "../support/clock.ts";
import { ToolClient } from "./tools.ts";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A server over pipes with a call that runs until the test answers it or the server aborts it. */
async function running(_meta: { readonly _meta?: typeof META } = {}) {
  const { fake, clock, next } = clocks();
  const begun = Promise.withResolvers<AbortSignal>();
  const answered = Promise.withResolvers<never>();
  const faults: unknown[] = [];
  const tools = new ToolServer({
    catalog: new Catalog(new Set(SECTION_NAMES)),
    reach: { kind: "all" },
    actor: "bea",
    hasToken: false,
    daemonFor: (signal) => ({
      news: async () => undefined,
      call: async () => {
        begun.resolve(signal);
        return await answered.promise;
      },
    }),
    clock,
    failed: (error) => faults.push(error),
  });
  const client = new ToolClient(tools, "", clock);
  const send = async (name: string) => {
    const { result } = await client.request("tools/call", { name, arguments: {}, ..._meta });
    return JSON.stringify(result);
  };
  await send("svc.load_system");
  const called = send("svc.system");
  const signal = await begun.promise;
  return { fake, next, client, called, signal, faults, answer: answered.reject };
}

function clocks() {
  const fake = new FakeClock();
  return { fake, ...watched(fake) };
}

/** A server over pipes whose client reads nothing of 100 answers. */
async function unread() {
  const { fake, clock, next } = clocks();
  const tools = new ToolServer({
    catalog: new Catalog(new Set()),
    reach: { kind: "all" },
    actor: "bea",
    hasToken: false,
    daemonFor: () => ({ news: async () => undefined, call: async () => await never }),
    clock,
  });
  const input = new PassThrough();
  const output = new PassThrough({ highWaterMark: 16 });
  const stop = new AbortController();
  const text = { version: "1", instructions: "" };
  const ended = serveLines(tools, text, input, output, { signal: stop.signal, clock });
  for (let id = 0; id < 100; id++)
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`);
  await once(output, "readable");
  return { fake, next, output, stop, ended };
}

const never = new Promise<never>(() => undefined);

describe("a server over pipes that is stopped by a signal", () => {
  test("answers running calls, and ends", async () => {
    const { client, called, answer } = await running();
    const stopped = client.stop();
    answer(new SvcError("internal"));
    expect(await called).toContain("internal");
    await stopped;
  });

  test("aborts calls that still run after ten more seconds", async () => {
    const { fake, next, client, signal, answer } = await running();
    const stopped = client.stop();
    while ((await next()) !== DRAIN_MS);
    expect(signal.aborted).toBe(false);
    fake.advance(DRAIN_MS);
    await stopped;
    expect(signal.aborted).toBe(true);
    answer(new SvcError("internal"));
  });

  test("does not wait for cancelled calls, or for clients that only listen", async () => {
    const { client, signal } = await running();
    client.notify("notifications/cancelled", { requestId: client.lastId });
    void client.request("subscriptions/listen", {
      _meta: META,
      notifications: { toolsListChanged: true },
    });
    await client.request("ping");
    await client.stop();
    expect(signal.aborted).toBe(true);
  });

  test("ends after ten seconds with a client that reads nothing", async () => {
    const { fake, next, output, stop, ended } = await unread();
    expect(output.writableNeedDrain).toBe(true);
    stop.abort();
    while ((await next()) !== DRAIN_MS);
    fake.advance(DRAIN_MS);
    expect(await ended).toBeUndefined();
  });

  test("ends as soon as the client has read the answers", async () => {
    const { next, output, stop, ended } = await unread();
    stop.abort();
    while ((await next()) !== DRAIN_MS);
    output.resume();
    await ended;
    expect(output.writableLength).toBe(0);
  });
});

describe("a cancellation", () => {
  test("a cancellation without a protocol version cancels a call that names a version, and starts no session", async () => {
    const { client, signal } = await running({ _meta: META });
    client.notify("notifications/cancelled", { requestId: client.lastId });
    await client.request("server/discover");
    expect(signal.aborted).toBe(true);
    await client.request("tools/call", { name: "svc.load_projects", _meta: META });
    expect(client.messages.filter(({ method }) => method !== undefined)).toEqual([]);
  });

  test("a cancellation that names another request, or none, does nothing", async () => {
    const { client, signal } = await running();
    client.notify("notifications/cancelled", { requestId: "other" });
    client.notify("notifications/cancelled");
    await client.request("ping");
    expect(signal.aborted).toBe(false);
  });
});

describe("a call that fails", () => {
  test("a call that fails for an unknown reason hides the reason from its client, and logs it in full", async () => {
    const { called, faults, answer } = await running();
    const fault = new Error("ENOENT: no such file, open '/home/ann/secret'");
    answer(fault as never);
    const result = JSON.parse(await called) as { readonly isError: boolean };
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain("/home");
    expect(faults).toEqual([fault]);
  });

  test("gets at most 1 KB of text, however long the names of its arguments are", async () => {
    const { client } = await running();
    for (const name of ["svc.load_system", "svc.system"]) {
      const { failure } = await client.call(name, { ["x".repeat(200_000)]: 1 });
      expect(failure).toMatch(/^invalid arguments: x+/);
      expect(Buffer.byteLength(failure ?? "")).toBeLessThanOrEqual(1024);
    }
  });
});
