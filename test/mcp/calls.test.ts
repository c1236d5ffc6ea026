import { describe, expect, test } from "vitest";
import { MAX_RUNNING, STARTS_PER_SECOND } from "../../src/mcp/admission.ts";
import { Catalog } from "../../src/mcp/catalog.ts";
import { daemonOf } from "../../src/mcp/daemon.ts";
import { ToolServer } from "../../src/mcp/tool-server.ts";
import { FakeClock } from "../support/clock.ts";
import { ToolWorld } from "./tools.ts";

describe("thirty calls at once", () => {
  test("run at most eight at a time, and only twenty of them start in the first second", async () => {
    const world = await ToolWorld.open();
    await world.project("web");
    const clock = new FakeClock();
    let running = 0;
    let most = 0;
    let started = 0;
    const tools = new ToolServer({
      catalog: new Catalog(new Set(["issue_discovery"])),
      reach: { kind: "all" },
      actor: "bea",
      hasToken: false,
      storage: undefined,
      daemonFor: (signal) => {
        const daemon = daemonOf(world.client, signal);
        started++;
        return {
          ...daemon,
          call: async (route, input) => {
            most = Math.max(most, ++running);
            return await daemon.call(route, input).finally(() => running--);
          },
        };
      },
      clock,
    });
    const { signal } = new AbortController();
    await tools.call("svc.load_issue_discovery", {}, signal);
    const calls = Array.from({ length: 30 }, async () => await tools.call("svc.list", {}, signal));
    // The call of the loader was the first of the twenty that may start in a second.
    await Promise.all(calls.slice(0, STARTS_PER_SECOND - 1));
    expect(started).toBe(STARTS_PER_SECOND - 1);
    clock.advance(1000);
    for (const answer of await Promise.all(calls)) expect(answer).toHaveProperty("structured");
    expect(started).toBe(30);
    expect(most).toBe(MAX_RUNNING);
  });
});

describe("a cancelled call", () => {
  test("gets no answer, and lets the next one run", async () => {
    const world = await ToolWorld.open();
    const { id } = await world.project("web");
    const { short_id } = await world.issue(id, "never closed");
    const client = await world.serve("web");
    const waits = Array.from({ length: MAX_RUNNING }, () => {
      const params = { name: "svc.wait", arguments: { refs: [short_id], timeout_seconds: 300 } };
      void client.request("tools/call", params);
      return client.lastId;
    });
    const listed = client.call("svc.list");
    client.notify("notifications/cancelled", { requestId: 999_999 });
    client.notify("notifications/cancelled", { requestId: waits[3] });
    expect((await listed).answer).toMatchObject({ truncated: false });
    expect(client.messages.filter((message) => waits.includes(message["id"] as number))).toEqual(
      [],
    );
  });
});
