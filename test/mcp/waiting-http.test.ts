import { describe, expect, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { call } from "../../src/client/call.ts";
import { closeIssue } from "../../src/contract/actions.ts";
import { MAX_RUNNING } from "../../src/mcp/admission.ts";
import { daemonOf } from "../../src/mcp/daemon.ts";
import { eventsOf } from "../../src/mcp/event-source.ts";
import type { EventSource } from "../../src/mcp/news.ts";
import { SECTION_NAMES } from "../../src/mcp/sections.ts";
import { HttpSite, type Json, META, USUAL } from "./http-site.ts";
import { ToolWorld } from "./tools.ts";

const LONG = 300;

interface CallParts {
  readonly headers: Readonly<Record<string, string>>;
  readonly params: Json;
}

/** The ways in which a client calls a tool over HTTP. Each call of a session way is one of a client of its own. */
const WAYS: readonly (readonly [string, (site: HttpSite, tool: string) => Promise<CallParts>])[] = [
  [
    "each in its own session",
    async (site) => ({ headers: { "mcp-session-id": await site.begin() }, params: {} }),
  ],
  ["without a session", async () => ({ headers: {}, params: {} })],
  [
    "that name their version",
    async (_site, tool) => ({
      headers: {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": tool,
      },
      params: { _meta: META },
    }),
  ],
];

/** A server over HTTP with a real daemon. `streams` has one signal for each stream that it opened there. */
async function open() {
  const world = await ToolWorld.open();
  const web = await world.project("web");
  const issue = await world.issue(web.id, "an issue");
  const real = eventsOf(world.client, systemClock, { kind: "all" });
  if (real === undefined) throw new Error("a server of all projects follows the log");
  const streams: AbortSignal[] = [];
  const events: EventSource = {
    end: async () => await real.end(),
    follow: (after, signal) => {
      streams.push(signal);
      return real.follow(after, signal);
    },
  };
  const site = await HttpSite.open({
    clock: systemClock,
    daemonFor: (signal) => daemonOf(world.client, signal),
    events,
  });
  for (const section of SECTION_NAMES) await site.tools.catalog.load(section);
  const close = async () => {
    const body = { source: "tui" as const, actor: "ann" };
    await call(world.client, closeIssue, { params: { project_id: web.id, ref: issue.uid }, body });
  };
  return { site, streams, close, ref: issue.qualified_id };
}

describe.each(WAYS)("waiting calls over HTTP, %s,", (_what, of) => {
  async function start(site: HttpSite, name: string, args: Json) {
    const { headers, params } = await of(site, name);
    const body = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args, ...params },
    };
    return { headers, body };
  }

  async function answer(site: HttpSite, name: string, args: Json): Promise<Json> {
    const { messages } = await site.send(await start(site, name, args));
    const result = messages.find((message) => "result" in message)?.["result"] as {
      readonly content: readonly { readonly text: string }[];
    };
    return JSON.parse(result.content[0]?.text ?? "") as Json;
  }

  test("do not block other calls, and are answered when something has changed", async () => {
    const { site, streams, close, ref } = await open();
    const { next_after_id: after } = await answer(site, "svc.events", { limit: 100 });
    const waits = Array.from({ length: MAX_RUNNING + 4 }, async (_, at) =>
      at % 2 === 0
        ? await answer(site, "svc.wait", { refs: [ref], timeout_seconds: LONG })
        : await answer(site, "svc.events", { mode: "wait", after, wait_seconds: LONG }),
    );
    await vi.waitFor(() => expect(streams).toHaveLength(1), 20_000);
    for (let at = 0; at < 3; at++)
      expect(await answer(site, "svc.list", {})).toMatchObject({ truncated: false });
    await close();
    for (const [at, found] of (await Promise.all(waits)).entries())
      if (at % 2 === 0) expect(found).toMatchObject({ reason: "matched" });
      else expect(found).toMatchObject({ events: [{ type: "issue.closed" }] });
    expect(streams).toHaveLength(1);
    expect(site.faults).toEqual([]);
  });

  test("end their shared stream of events when the last client has dropped its request", async () => {
    const { site, streams, ref } = await open();
    const calls = [];
    for (let at = 0; at < MAX_RUNNING; at++) {
      const sent = await start(site, "svc.wait", { refs: [ref], timeout_seconds: LONG });
      const dropped = new AbortController();
      const body = JSON.stringify(sent.body);
      const headers = { ...USUAL, ...sent.headers };
      const asked = fetch(site.url, { method: "POST", headers, body, signal: dropped.signal });
      calls.push({ dropped, ended: asked.then(async (got) => await got.text()).catch(() => "") });
    }
    await vi.waitFor(() => expect(streams).toHaveLength(1), 20_000);
    for (const { dropped } of calls) dropped.abort();
    await Promise.all(calls.map(async ({ ended }) => await ended));
    await vi.waitFor(() => expect(streams.map(({ aborted }) => aborted)).toEqual([true]), 20_000);
    expect(await answer(site, "svc.list", {})).toMatchObject({ truncated: false });
    expect(site.faults).toEqual([]);
  });
});
