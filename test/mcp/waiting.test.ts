import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { call } from "../../src/client/call.ts";
import { closeIssue } from "../../src/contract/actions.ts";
import { Admission, MAX_RUNNING, STARTS_PER_SECOND } from "../../src/mcp/admission.ts";
import { Catalog } from "../../src/mcp/catalog.ts";
import { daemonOf } from "../../src/mcp/daemon.ts";
import { eventsOf } from "../../src/mcp/event-source.ts";
import type { EventSource } from "../../src/mcp/news.ts";
import { SECTION_NAMES } from "../../src/mcp/sections.ts";
import { ToolServer } from "../../src/mcp/tool-server.ts";
import { FakeClock } from "../support/clock.ts";
import { ToolWorld } from "./tools.ts";

const LONG = 300;
const MESSAGE = "It was decided that nobody will do this, since nothing depends on it any more.";

async function open(names: string | readonly string[], events = true) {
  const world = await ToolWorld.open();
  const web = await world.project("web");
  await world.project("api");
  const issue = await world.issue(web.id, "an issue");
  const client = await world.serve(names, { events });
  const close = async () => {
    const reason = "wontfix" as const;
    const body = { reason, message: MESSAGE, evidence: [], actor: "ann" };
    const params = { project_id: web.id, ref: issue.uid };
    await call(world.client, closeIssue, { params, body });
  };
  return { world, web, issue, client, close };
}

describe.each([
  ["all projects", "all", true],
  ["a project", "web", true],
  ["a list of projects", ["web", "api"], true],
  ["all projects, with a daemon that has no stream", "all", false],
] as const)("waiting calls on a server of %s", (_what, names, events) => {
  test("do not block other calls, and are answered when something has changed", async () => {
    const { issue, client, close } = await open(names, events);
    const ref = names === "web" ? issue.short_id : issue.qualified_id;
    const { next_after_id: after } = (await client.call("svc.events", { limit: 100 })).answer;
    const waits = Array.from({ length: MAX_RUNNING }, async (_, at) =>
      at % 2 === 0
        ? await client.call("svc.wait", { refs: [ref], timeout_seconds: LONG })
        : await client.call("svc.events", { mode: "wait", after, wait_seconds: LONG }),
    );
    for (let at = 0; at < 3; at++)
      expect((await client.call("svc.list")).answer).toMatchObject({ truncated: false });
    await close();
    const answers = await Promise.all(waits);
    for (const [at, { answer }] of answers.entries())
      if (at % 2 === 0) expect(answer).toMatchObject({ reason: "matched" });
      else expect(answer).toMatchObject({ events: [{ type: "issue.closed" }] });
  });
});

test("all waiting calls share one stream of events, which ends with the last of them", async () => {
  const { world, issue, close } = await open("all");
  const real = eventsOf(world.client, systemClock, { kind: "all" });
  if (real === undefined) throw new Error("a server of all projects follows the log");
  const signals: AbortSignal[] = [];
  const events: EventSource = {
    end: async () => await real.end(),
    follow: (after, signal) => {
      signals.push(signal);
      return real.follow(after, signal);
    },
  };
  const tools = new ToolServer({
    catalog: new Catalog(new Set(SECTION_NAMES), SECTION_NAMES),
    reach: { kind: "all" },
    actor: "bea",
    hasToken: false,
    daemonFor: (signal) => daemonOf(world.client, signal),
    events,
    clock: systemClock,
  });
  const { signal } = new AbortController();
  const args = { refs: [issue.qualified_id], timeout_seconds: LONG };
  const waits = Array.from({ length: 12 }, async () => await tools.call("svc.wait", args, signal));
  await expect.poll(() => signals).toHaveLength(1);
  await close();
  for (const outcome of await Promise.all(waits))
    expect(outcome).toMatchObject({ structured: { reason: "matched" } });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

describe("the slots of running calls", () => {
  const { signal: never } = new AbortController();

  test("are free while their call waits for a change, and taken again without counting as a start", async () => {
    const clock = new FakeClock();
    const admission = new Admission(clock);
    const woken = Promise.withResolvers<void>();
    const ended: number[] = [];
    const waits = Array.from({ length: STARTS_PER_SECOND }, async (_, at) => {
      await admission.run(never, async ({ leave }) => await leave(async () => await woken.promise));
      ended.push(at);
    });
    woken.resolve();
    await Promise.all(waits);
    expect(ended).toHaveLength(STARTS_PER_SECOND);
    const late = admission.run(never, async () => "late");
    clock.advance(50);
    expect(await late).toBe("late");
  });

  test("are never more than eight, including those of the stream of events and of calls that continue after a wait", async () => {
    const admission = new Admission(new FakeClock());
    let running = 0;
    let most = 0;
    const busy = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
    };
    const release = await admission.hold(never);
    running++;
    const calls = Array.from({ length: 20 }, async () => {
      await admission.run(never, async ({ leave }) => {
        await busy();
        await leave(async () => await Promise.resolve());
        await busy();
      });
    });
    await Promise.all(calls);
    expect(most).toBe(MAX_RUNNING);
    release();
  });
});
