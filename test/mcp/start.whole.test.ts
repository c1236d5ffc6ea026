import { describe, expect, onTestFinished, test, vi } from "vitest";
import { call } from "../../src/client/call.ts";
import { instance } from "../../src/contract/health.ts";
import { serveMcp } from "../../src/mcp/index.ts";
import { Local, VERSION } from "../client/local.ts";
import { box } from "../e2e/box.ts";
import { FakeClock, watched } from "../support/clock.ts";
import { type TestDaemonOptions, tempFolder, testDaemon } from "../support/daemon.ts";
import { TOKEN } from "./http-site.ts";
import { relayTo } from "./relay.ts";

const HEADER = "x-svc-idle-keepalive";

const PLACE = { host: "127.0.0.1", port: 0 };

describe("an MCP server beside a daemon", () => {
  test("a daemon that stops when idle is pinged at once, and again half its timeout after each answer", async () => {
    const { fake, next, pings } = await serving({ idleTimeoutMs: 60_000 });
    await vi.waitFor(() => expect(pings()).toHaveLength(1), 20_000);
    while ((await next()) !== 30_000);
    fake.advance(29_999);
    expect(pings()).toHaveLength(1);
    fake.advance(1);
    await vi.waitFor(() => expect(pings()).toHaveLength(2), 20_000);
    while ((await next()) !== 30_000);
    fake.advance(30_000);
    await vi.waitFor(() => expect(pings()).toHaveLength(3), 20_000);
  });

  test("a daemon that never stops is sent no ping", async () => {
    const { fake, next, pings, client, passed } = await serving({});
    await vi.waitFor(
      () => expect(passed.map(({ what }) => what)).toContain("GET /api/v1/health"),
      20_000,
    );
    for (let minute = 0; minute < 3; minute++) {
      // It looks for idle sessions once a minute, and sleeps for nothing else.
      expect(await next()).toBe(60_000);
      fake.advance(60_000);
      await call(client, instance, {});
    }
    expect(pings()).toEqual([]);
  });
});

/** Serves over HTTP, in this process and by a clock that only the test moves. Its requests to the daemon are recorded. */
async function serving(options: TestDaemonOptions) {
  const daemon = await testDaemon({ ...options, listen: PLACE });
  const { url, passed } = await relayTo(daemon);
  const client = await new Local(tempFolder(), { SVC_SERVER: url }).client();
  const fake = new FakeClock();
  const { clock, next } = watched(fake);
  const stop = new AbortController();
  const ended = serveMcp({
    client,
    reach: { kind: "all" },
    names: [],
    actor: "bea",
    hasTokenAdmin: false,
    load: [],
    style: { names: "dot", isCompact: false },
    version: VERSION,
    signal: stop.signal,
    clock,
    http: { place: PLACE, authority: "127.0.0.1:1", isLoopback: true, token: TOKEN },
  });
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  // A client pings a daemon once before its first request; that ping has no header.
  const pings = () =>
    passed.filter(({ what, headers }) => what.endsWith("/ping") && headers[HEADER] === "1");
  return { fake, next, pings, client, passed };
}

describe("svc mcp serve", () => {
  test("refuses a daemon whose API is older than 0.11.0", async () => {
    const daemon = await testDaemon({ listen: PLACE });
    const old = box({ SVC_SERVER: (await relayTo(daemon, "0.10.9")).url });
    expect(await old.svc("mcp", "serve", "--all-projects")).toMatchObject({
      code: 7,
      stdout: "",
      stderr: expect.stringContaining("the daemon's API is 0.10.9, and this needs 0.11.0"),
    });
    const known = box({ SVC_SERVER: (await relayTo(daemon, "0.11.0")).url });
    expect(await known.svc("mcp", "serve", "--all-projects")).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
  }, 60_000);
});
