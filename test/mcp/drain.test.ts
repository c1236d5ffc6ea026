import { describe, expect, test } from "vitest";
import { SvcError } from "../../src/contract/errors.ts";
import { Catalog } from "../../src/mcp/catalog.ts";
import { DRAIN_MS } from "../../src/mcp/drain.ts";
import { SECTION_NAMES } from "../../src/mcp/sections.ts";
import { ToolServer } from "../../src/mcp/tool-server.ts";
import { FakeClock, watched } from "../support/clock.ts";
import { ToolClient } from "./tools.ts";

/** A server over pipes with a call that runs until the test answers it or the server aborts it. */
async function running() {
  const fake = new FakeClock();
  const { clock, next } = watched(fake);
  const begun = Promise.withResolvers<AbortSignal>();
  const answered = Promise.withResolvers<never>();
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
  });
  const client = new ToolClient(tools, "", clock);
  await client.call("svc.load_system");
  const called = client.call("svc.system");
  const signal = await begun.promise;
  return { fake, next, client, called, signal, answer: answered.reject };
}

describe("a server over pipes that is stopped by a signal", () => {
  test("answers the calls that run, and ends", async () => {
    const { client, called, answer } = await running();
    const stopped = client.stop();
    answer(new SvcError("internal"));
    expect((await called).failure).toContain("internal");
    await stopped;
  });

  test("aborts calls that run for ten more seconds", async () => {
    const { fake, next, client, signal, answer } = await running();
    const stopped = client.stop();
    while ((await next()) !== DRAIN_MS);
    expect(signal.aborted).toBe(false);
    fake.advance(DRAIN_MS);
    await stopped;
    expect(signal.aborted).toBe(true);
    answer(new SvcError("internal"));
  });

  test("does not wait for calls that were cancelled, or for who listens", async () => {
    const { client, signal } = await running();
    client.notify("notifications/cancelled", { requestId: client.lastId });
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    void client.request("subscriptions/listen", {
      _meta,
      notifications: { toolsListChanged: true },
    });
    await client.request("ping");
    await client.stop();
    expect(signal.aborted).toBe(true);
  });
});
