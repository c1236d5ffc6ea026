import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { instantToMs } from "../../src/base/clock.ts";
import { type PollPage, poll } from "../support/federated.ts";
import { answer, type Joined, joined } from "../support/replica.ts";
import { describeStore } from "../support/store.ts";

const MIB = 1024 * 1024;

/** What the copy holds of its hub, which a refused answer must not change. */
async function contentOf({ spoke, project }: Joined) {
  const project_uid = project.uid;
  return await spoke.store.read(async ({ events, unfolded }) => {
    const binding = await unfolded.find("federation_binding", { project_uid });
    return { head: (await events.head()).last_event_id, binding };
  });
}

/** A hub with two unread issues, and the page with which it would answer. */
async function unread(open: Parameters<typeof joined>[0]): Promise<Joined & { page: PollPage }> {
  const all = await joined(open);
  const { hub, project, enrollment } = all;
  await all.pull();
  for (const title of ["one", "two"]) await hub.given.issue({ project, title });
  const after_id = (await contentOf(all)).binding?.pull_cursor_event_id ?? 0;
  const { token, spoke_instance_uid } = enrollment;
  const headers = { "x-svc-instance": spoke_instance_uid };
  const { body } = await poll(hub, project.id, { token, after_id, headers });
  expect(body.events).toHaveLength(2);
  // The stamp of this poll ends that of the copy.
  await hub.store.write(async (tx) => {
    const key = { enrollment_id: enrollment.id, project_uid: project.uid };
    await tx.unfolded.remove("federation_replica", key);
  });
  return { ...all, page: body };
}

type Send = (response: ServerResponse, page: PollPage) => void;

const json =
  (change: (page: PollPage) => object): Send =>
  (response, page) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(change(page)));
  };

const withEvent = (page: PollPage, at: number, change: object) => ({
  ...page,
  events: page.events.map((event, n) => (n === at ? { ...event, ...change } : event)),
});

const CASES: readonly (readonly [string, string, Send])[] = [
  ["HTML", "hub_validation", (response) => void response.end("<html>welcome</html>")],
  ["JSON of something else", "hub_validation", json(() => ({ ok: true }))],
  [
    "more than 64 MiB",
    "hub_validation",
    (response) => {
      const part = Buffer.alloc(MIB, " ");
      response.on("error", () => undefined);
      for (let n = 0; n <= 64; n += 1) response.write(part);
      response.end();
    },
  ],
  [
    "a length of 65 MiB",
    "hub_validation",
    (response) => void response.writeHead(200, { "content-length": 65 * MIB }).write("{"),
  ],
  [
    "a short answer that is more than 64 MiB after decompression",
    "hub_validation",
    (response) =>
      void response
        .writeHead(200, { "content-encoding": "gzip" })
        .end(gzipSync(Buffer.alloc(65 * MIB, " "))),
  ],
  [
    "an answer that is not compressed as it says",
    "hub_validation",
    (response) => void response.writeHead(200, { "content-encoding": "gzip" }).end("{}"),
  ],
  [
    "a redirect to another origin",
    "hub_validation",
    (response) => void response.writeHead(302, { location: "http://127.0.0.2:1/" }).end(),
  ],
  [
    "an answer that ends in the middle",
    "hub_unavailable",
    (response, page) => {
      const text = JSON.stringify(page);
      response.writeHead(200, { "content-length": text.length });
      response.write(text.slice(0, 200), () => response.destroy());
    },
  ],
  [
    "half of the JSON",
    "hub_validation",
    (response, page) => void response.end(JSON.stringify(page).slice(0, 200)),
  ],
  [
    "an event of another project",
    "hub_validation",
    json((page) => withEvent(page, 1, { project_uid: "01J00000000000000000000XYZ" })),
  ],
  [
    "an event that was changed",
    "hub_validation",
    json((page) => withEvent(page, 1, { actor: "mallory" })),
  ],
  [
    "an event of a kind that is not sent",
    "hub_validation",
    json((page) => withEvent(page, 1, { type: "claim.acquired" })),
  ],
  [
    "events whose ids do not rise",
    "hub_validation",
    json((page) => ({ ...page, events: [...page.events].reverse() })),
  ],
  [
    "an event twice",
    "hub_validation",
    json((page) => ({ ...page, events: page.events.flatMap((event) => [event, event]) })),
  ],
  [
    "events from before the cursor",
    "hub_validation",
    json((page) => withEvent(page, 0, { event_id: 1 })),
  ],
  [
    "a next cursor before its last event",
    "hub_validation",
    json((page) => ({ ...page, next_after_id: page.next_after_id - 1 })),
  ],
  [
    "more than a thousand events",
    "hub_validation",
    json((page) => {
      const [first] = page.events;
      const events = Array.from({ length: 1001 }, (_, n) => ({
        ...first,
        event_id: page.next_after_id + n,
      }));
      return { ...page, events, next_after_id: page.next_after_id + 1001 };
    }),
  ],
  [
    "events that need a feature of a newer version",
    "unsupported_event_features",
    json((page) => ({ ...page, required_event_features: ["cron_v9"] })),
  ],
  [
    "an event of a kind of a newer version",
    "unsupported_event_features",
    json((page) => withEvent(page, 1, { type: "issue.voted" })),
  ],
  ...["", "a\r\nX-Svc-Stamp: b", "x".repeat(201)].flatMap((mark) =>
    ["chain", "replica_stamp"].map(
      (field) =>
        [
          `${JSON.stringify(mark.slice(0, 20))} as its ${field}`,
          "hub_validation",
          json((page) => ({ ...page, [field]: mark })),
        ] as const,
    ),
  ),
  [
    "a payload that is nested 20,000 levels deep",
    "hub_validation",
    (response, page) => {
      const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(page).replace('"payload":{', `"payload":{"x":${deep},`));
    },
  ],
  ["401", "auth_required", refusal(401, "auth_required")],
  ["403 with a text", "hub_authentication", (response) => void response.writeHead(403).end("no")],
  ["404", "project_not_found", refusal(404, "project_not_found")],
  ["408", "hub_unavailable", (response) => void response.writeHead(408).end()],
  ["429", "hub_unavailable", (response) => void response.writeHead(429).end()],
  ["500 with an unknown code", "hub_unavailable", refusal(500, "<script>")],
];

function refusal(status: number, code: string): Send {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ status, error: { code, message: "a text of the hub" } }));
  };
}

describeStore("an answer to a poll that a copy cannot use", (open) => {
  test.each(CASES)("%s changes nothing, and the error %s is stored", async (_what, code, send) => {
    const all = await unread(open);
    const { server, spoke, project, page } = all;
    const before = await contentOf(all);
    server.intercept((_request, response) => send(response, page));
    expect(await all.pull()).toMatchObject({ outcome: "failed", code });
    expect(await contentOf(all)).toEqual(before);
    const status = await spoke.store.read(
      async ({ unfolded }) =>
        await unfolded.find("federation_sync_status", { project_uid: project.uid }),
    );
    expect(status).toMatchObject({ last_error: code });
    server.intercept(undefined);
    expect(await all.pull()).toMatchObject({ outcome: "current", events: 2 });
  });

  test("an answer of one byte a second is given up after a minute", async () => {
    const all = await unread(open);
    const { server, hub } = all;
    const before = await contentOf(all);
    const began = instantToMs(hub.clock.now());
    server.intercept((_request, response) => {
      response.on("error", () => undefined);
      const drip = (): void => {
        if (response.destroyed) return;
        response.write(" ");
        hub.clock.advance(1000);
        setImmediate(drip);
      };
      drip();
    });
    expect(await all.pull()).toMatchObject({ outcome: "failed", code: "hub_unavailable" });
    expect(instantToMs(hub.clock.now()) - began).toBeGreaterThanOrEqual(60_000);
    expect(await contentOf(all)).toEqual(before);
  });
});

describeStore("a pass of a copy", (open) => {
  test("sends its token only to the origin and the path of the hub's project", async () => {
    const all = await unread(open);
    const { server, project, enrollment } = all;
    await all.pull();
    const paths = new Set(server.asked.map(({ url }) => url?.split("?", 1)[0]));
    expect([...paths]).toEqual([`/api/v1/projects/${project.id}/federation/events`]);
    for (const { headers, url } of server.asked) {
      expect(headers.authorization).toBe(`Bearer ${enrollment.token}`);
      expect(headers["x-svc-event-features"]).toBe(
        "cron_notify_children_v1, cron_v1, external_roots_v1",
      );
      expect(url).not.toContain(enrollment.token);
    }
    expect(server.asked.at(-1)?.headers["x-svc-log"]).toMatch(/^[0-9A-Z]{26}\/[0-9a-f]{32}$/);
  });
});

describeStore("a hub that tells a copy at every poll to start over", (open) => {
  test("makes the copy start over only once in a pass, which then fails with an error of the hub", async () => {
    const all = await unread(open);
    const { server, page } = all;

    server.intercept((request, response) => {
      if (request.url?.includes("/metadata") === true) void answer(all.hub, request, response);
      else json(() => ({ ...page, reset_required: true, events: [] }))(response, page);
    });
    const failed = { outcome: "failed", code: "hub_validation", retryAfterMs: 600_000 };
    expect(await all.pull()).toMatchObject(failed);
    expect(server.asked.filter(({ url }) => url?.includes("/metadata"))).toHaveLength(1);
  });

  test("is left alone for ten minutes if the copy refuses the first page after it started over", async () => {
    const all = await unread(open);
    const { server, page, hub } = all;
    let pages = 0;
    server.intercept((request, response) => {
      if (request.url?.includes("/metadata") === true) return void answer(hub, request, response);
      pages += 1;
      const reset = { ...page, reset_required: true, events: [] };
      json(() => (pages === 1 ? reset : withEvent(page, 1, { actor: "mallory" })))(response, page);
    });
    const failed = { outcome: "failed", code: "hub_validation" };
    expect(await all.pull()).toMatchObject({ ...failed, retryAfterMs: 600_000 });
    expect(await all.pull()).toMatchObject({ ...failed, retryAfterMs: undefined });
  });

  const at = (horizon: number, through: number, last: number) => ({
    replay_horizon_event_id: horizon,
    baseline_through_event_id: through,
    last_event_id: last,
  });
  test.each([
    ["for a project with another uid", { project_uid: "01J00000000000000000000XYZ" }],
    ["before its log", at(0, 1, 99)],
    ["with a baseline that ends before it begins", at(3, 2, 99)],
    ["with a baseline that ends after its log", at(1, 100, 99)],
    ["with an epoch that no header can carry", { epoch: "a\r\nb" }],
    ["with an endless epoch", { epoch: "x".repeat(201) }],
    ["with a chain that no header can carry", { chain: "a b" }],
  ])("cannot make a copy start over %s", async (_, change) => {
    const all = await unread(open);
    const { server, page, hub } = all;
    const before = await contentOf(all);
    server.intercept((request, response) => {
      if (request.url?.includes("/metadata") === true)
        void answer(hub, request, response, (text) =>
          JSON.stringify({ ...JSON.parse(text), ...change }),
        );
      else json(() => ({ ...page, reset_required: true, events: [] }))(response, page);
    });
    expect(await all.pull()).toMatchObject({ outcome: "failed", code: "hub_validation" });
    expect(await contentOf(all)).toEqual(before);
    server.intercept(undefined);
    expect(await all.pull()).toMatchObject({ outcome: "current", events: 2 });
  });
});
