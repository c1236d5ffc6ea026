import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { call } from "../../src/client/call.ts";
import type { Client } from "../../src/client/client.ts";
import { followEvents } from "../../src/client/events.ts";
import { createIssue } from "../../src/contract/issues.ts";
import { initProject } from "../../src/contract/projects.ts";
import type { FollowItem } from "../../src/shared/follow-state.ts";
import { folderWith } from "../config/folder.ts";
import { Local } from "./local.ts";
import { json, PONG, standIn } from "./stand-in.ts";

const OPEN = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: connected\n\n";
const event = (id: number): string =>
  `id: ${id}\nevent: issue.created\ndata: {"event_id":${id}}\n\n`;

/** A clock whose waits end at once, after other work had its turn. */
const hasty = {
  ...systemClock,
  sleep: async (): Promise<void> => await new Promise((resolve) => void setImmediate(resolve)),
};

function follow(client: Client, options: Partial<Parameters<typeof followEvents>[1]> = {}) {
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const items = followEvents(client, { after: 0, signal: ended.signal, ...options });
  return { items, end: () => ended.abort() };
}

async function take(
  items: AsyncIterator<FollowItem>,
  count: number,
): Promise<readonly FollowItem[]> {
  const taken: FollowItem[] = [];
  while (taken.length < count) {
    const { value, done } = await items.next();
    if (done === true) throw new Error("the stream ended");
    taken.push(value);
  }
  return taken;
}

const ids = (items: readonly FollowItem[]): readonly (number | string)[] =>
  items.map((item) => (item.kind === "event" ? item.id : `reset ${item.after}`));

/** A stream that answers each connection with the next of these texts. */
async function streams(...answers: readonly (string | undefined)[]) {
  const cursors: string[] = [];
  const server = await standIn((request, socket) => {
    if (request.startsWith("GET /api/v1/ping ")) return json(200, PONG);
    const answer = answers[cursors.push(/last-event-id: (\d+)/i.exec(request)?.[1] ?? "none") - 1];
    if (answer === undefined) socket.destroy();
    else socket.end(answer);
    return undefined;
  }, "tcp");
  return { server, cursors };
}

describe("events are followed", () => {
  test("events of the real daemon are followed as they are written, and across its restart", async () => {
    const local = new Local(folderWith());
    const first = await local.daemon();
    const client = await local.client();
    const { project } = await call(client, initProject, { body: { name: "tools", actor: "ann" } });
    const create = async (title: string): Promise<void> => {
      await call(client, createIssue, {
        params: { project_id: project.id },
        body: { title, actor: "ann" },
      });
    };
    await create("one");
    const { items } = follow(await local.client(), {
      filter: { project_id: [project.id] },
      clock: hasty,
    });
    const kinds = async (count: number): Promise<readonly string[]> =>
      (await take(items, count)).map((item) => (item.kind === "event" ? item.event : item.kind));
    expect(await kinds(2)).toEqual(["project.created", "issue.created"]);
    const waiting = kinds(1);
    await create("two");
    expect(await waiting).toEqual(["issue.created"]);
    const later = kinds(1);
    await first.stop();
    await local.daemon();
    await create("three");
    expect(await later).toEqual(["issue.created"]);
  });

  test("events are followed after the last event of the previous connection", async () => {
    const { server, cursors } = await streams(
      OPEN + event(4) + event(5),
      `${OPEN}: keepalive\n\n`,
      OPEN + event(9),
    );
    const client = await new Local(folderWith()).remoteClient(server);
    const waits: number[] = [];
    const { items } = follow(client, {
      after: 3,
      clock: hasty,
      onRetry: (ms) => waits.push(ms),
    });
    expect(ids(await take(items, 3))).toEqual([4, 5, 9]);
    expect(cursors).toEqual(["3", "5", "5"]);
    expect(waits).toEqual([1000, 1000]);
  });

  test("events are followed again after waits that double while nobody answers", async () => {
    const { server } = await streams(
      OPEN + event(1),
      undefined,
      undefined,
      undefined,
      OPEN + event(2),
    );
    const client = await new Local(folderWith()).remoteClient(server);
    const waits: number[] = [];
    const { items } = follow(client, { clock: hasty, onRetry: (ms) => waits.push(ms) });
    expect(ids(await take(items, 2))).toEqual([1, 2]);
    expect(waits).toEqual([1000, 2000, 4000, 8000]);
  });

  test("events are followed at once from the position that a reset names", async () => {
    const reset =
      'id: 50\nevent: sync.reset_required\ndata: {"event_id":50,"reset_after_id":50}\n\n';
    const { server, cursors } = await streams(OPEN + event(4) + reset, OPEN + event(51));
    const client = await new Local(folderWith()).remoteClient(server);
    const waits: number[] = [];
    const { items } = follow(client, { clock: hasty, onRetry: (ms) => waits.push(ms) });
    expect(ids(await take(items, 3))).toEqual([4, "reset 50", 51]);
    expect(cursors).toEqual(["0", "50"]);
    expect(waits).toEqual([]);
  });
});

describe("following events ends", () => {
  test("following events ends with an error if the daemon refuses the request", async () => {
    const { server } = await streams(
      json(404, { status: 404, error: { code: "project_not_found", message: "gone" } }),
    );
    const { items } = follow(await new Local(folderWith()).remoteClient(server), {
      filter: { project_id: [7] },
    });
    await expect(items.next()).rejects.toMatchObject({
      code: "project_not_found",
      message: "gone",
    });
  });

  test("following events ends if there is no daemon at the start", async () => {
    const { items } = follow(await new Local(folderWith()).client());
    await expect(items.next()).rejects.toMatchObject({ code: "daemon_unavailable" });
  });

  test("following events ends on the abort signal, while it waits for an event and while it waits to connect", async () => {
    const server = await standIn(
      (request) => (request.includes("/ping ") ? json(200, PONG) : OPEN),
      "tcp",
    );
    const open = follow(await new Local(folderWith()).remoteClient(server));
    const next = open.items.next();
    await expect.poll(() => server.requests.length).toBe(2);
    open.end();
    expect(await next).toEqual({ done: true, value: undefined });

    const closing = await streams(OPEN + event(1));
    const waiting = follow(await new Local(folderWith()).remoteClient(closing.server), {
      onRetry: () => waiting.end(),
    });
    expect(ids(await take(waiting.items, 1))).toEqual([1]);
    expect(await waiting.items.next()).toEqual({ done: true, value: undefined });
  });
});
