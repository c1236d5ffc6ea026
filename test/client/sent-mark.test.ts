import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { call } from "../../src/client/call.ts";
import type { Client } from "../../src/client/client.ts";
import { followEvents } from "../../src/client/events.ts";
import { transportOf } from "../../src/client/transport.ts";
import { instance } from "../../src/contract/health.ts";
import { createIssue } from "../../src/contract/issues.ts";
import { initProject } from "../../src/contract/projects.ts";
import { ChangedIssues } from "../../src/screen/effects/changed-issues.ts";
import { follow } from "../../src/screen/effects/live.ts";
import { streamOf } from "../../tui/event-stream.ts";
import { runCommand } from "../cli/harness.ts";
import { ToolWorld } from "../mcp/tools.ts";
import { tempFolder } from "../support/daemon.ts";
import { type RecordingRelay, recordingRelay } from "../support/recording-relay.ts";
import { Local } from "./local.ts";

/** The log has these events before anybody reads: a project and two issues. */
const WRITTEN = 3;

interface Site {
  readonly relay: RecordingRelay;
  readonly local: Local;
  /** A client that reaches the daemon through the relay. */
  readonly client: Client;
  /** An issue that nobody changes. */
  readonly issue: string;
  /** The last event, as the daemon names it. */
  readonly end: { readonly after: string; readonly log: string };
  /** Aborted at the end of the test, by `finish`. */
  readonly over: AbortSignal;
  finish(): void;
}

async function site(): Promise<Site> {
  const local = new Local(tempFolder());
  const relay = await recordingRelay(await local.daemon());
  const direct = await local.client();
  const { project } = await call(direct, initProject, { body: { name: "web", actor: "ann" } });
  const made = async (title: string) => {
    const body = { title, actor: "ann", force_new: true };
    return (await call(direct, createIssue, { params: { project_id: project.id }, body })).issue;
  };
  const { qualified_id: issue } = await made("one");
  await made("two");
  const { last_event_id, epoch, chain } = await call(direct, instance, {});
  expect(last_event_id).toBe(WRITTEN);
  const over = new AbortController();
  return {
    ...{ relay, local, issue, over: over.signal, finish: () => over.abort() },
    client: await local.client(local.home, { SVC_SERVER: relay.origin }),
    end: { after: String(last_event_id), log: `${epoch}/${chain}` },
  };
}

/** Resolves when a reader has ended, after the end of the test is announced. */
type Ending = () => Promise<void>;

/** A clock whose waits end at once, after other work had its turn. */
const hasty = {
  ...systemClock,
  sleep: async (): Promise<void> => await new Promise((resolve) => void setImmediate(resolve)),
};

/** Runs a command through the relay. `onLine` is called for each line that it writes. */
function running(
  { local, relay, over }: Site,
  words: readonly string[],
  onLine: () => void = () => undefined,
): Ending {
  const closing: (() => void)[] = [];
  over.addEventListener("abort", () => {
    for (const listener of closing) listener();
  });
  const stdout = {
    write: (text: string | Buffer) => {
      for (const _line of String(text).matchAll(/\n/g)) onLine();
    },
    isTerminal: false,
    columns: undefined,
    onClosed: (listener: () => void) => void closing.push(listener),
  };
  const env = { ...local.env, SVC_SERVER: relay.origin, USER: "ann" };
  const done = runCommand(words, { cwd: local.home, env, stdout });
  return async () => void (await done);
}

/** Calls `work` once the count has come to the number of written events. */
function afterAllWritten(work: () => void): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count === WRITTEN) work();
  };
}

/** Follows the log as the terminal screen does, from its beginning. */
function screenOn({ client, over: signal }: Site, onEvent: () => void): Ending {
  const known = { clock: hasty, signal, dispatch: () => undefined };
  const pause = { sleep: hasty.sleep, cut: () => undefined, untilCut: hasty.sleep };
  const changed = new ChangedIssues({
    ...{ ...known, pause, seen: () => new Set() },
    read: async () => ({ type: "live", live: "live" }),
  });
  const onEach = changed.onEvent.bind(changed);
  changed.onEvent = (event) => {
    onEach(event);
    onEvent();
  };
  const from = { daemon: transportOf(client), stream: streamOf(client, hasty) };
  const reload = () => undefined;
  const done = follow({ ...known, ...from, pause, changed, reload, after: { cursor: 0 } });
  return async () => await done;
}

/** Each of these reads to the end of the log and goes on from there. */
const READERS: Readonly<Record<string, (site: Site) => Promise<Ending | void> | Ending>> = {
  "the client's stream that is opened again": ({ client, relay, over: signal }) => {
    const onEvent = afterAllWritten(relay.cut);
    const done = (async () => {
      for await (const _item of followEvents(client, { after: 0, signal, clock: hasty })) onEvent();
    })();
    return async () => await done;
  },
  "svc events --tail that connects again": (site) =>
    running(site, ["events", "--tail", "--all-projects"], afterAllWritten(site.relay.cut)),
  "svc events --tail --new": (site) =>
    running(site, ["events", "--tail", "--new", "--all-projects"]),
  "svc events --after --log": (site) => {
    const { after, log } = site.end;
    return running(site, ["events", "--after", after, "--log", log, "--all-projects"]);
  },
  "svc wait": (site) => {
    const ended = running(site, ["wait", site.issue, "--until", "label=seen"]);
    return async () => {
      const words = ["label", "add", site.issue, "seen", "-q"];
      await runCommand(words, { cwd: site.local.home, env: { ...site.local.env, USER: "ann" } });
      await ended();
    };
  },
  "the screen's stream that is opened again": (site) =>
    screenOn(site, afterAllWritten(site.relay.cut)),
  "the screen that gets no stream and reads pages of the log": (site) => {
    site.relay.refuseStreams();
    return screenOn(site, () => undefined);
  },
  "the tool svc.events that is given the log of its last answer": async ({ local, client }) => {
    const tools = await new ToolWorld(local, client).serve("all");
    const { answer } = await tools.call("svc.events", { limit: 100 });
    const { next_after_id: after, log } = answer;
    await tools.call("svc.events", { after, log });
  },
  "the stream that wakes svc.events while it waits": async ({ local, client, end }) => {
    const tools = await new ToolWorld(local, client).serve("all");
    void tools.call("svc.events", { mode: "wait", after: Number(end.after) });
  },
};

test.each(Object.entries(READERS))(
  "%s sends the identity of the log, including the chain value of its last event, along with its cursor",
  async (_name, read) => {
    const w = await site();
    const ending = await read(w);
    onTestFinished(async () => await ending?.());
    onTestFinished(w.finish);
    await expect.poll(() => w.relay.asked).toContainEqual(w.end);
  },
);
