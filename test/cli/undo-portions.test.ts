import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { projectWorld } from "./harness.ts";

const BEGIN = "2025-01-01T00:00:00.000Z";

/** A proxy for the daemon. It refuses the first plans of an undo as too large, and suggests these instants. */
async function busyActor(socketPath: string, instants: readonly string[]) {
  const left = [...instants];
  const spans: unknown[] = [];
  const pass = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const { method = "GET", url: path = "/", headers } = asked;
    const body = await buffer(asked);
    if (path.endsWith("/undo")) {
      const { since, until, undone_until, dry_run } = JSON.parse(body.toString());
      spans.push([dry_run, since, until, undone_until]);
      const instant = left.shift();
      if (instant !== undefined) {
        const error = { code: "undo_too_large", message: "too many", data: { since: instant } };
        answer.writeHead(400, { "content-type": "application/json" });
        return void answer.end(JSON.stringify({ error }));
      }
    }
    const answered = await new Promise<IncomingMessage>((resolve, reject) =>
      request({ socketPath, method, path, headers }, resolve).on("error", reject).end(body),
    );
    const text = await buffer(answered);
    answer.writeHead(answered.statusCode ?? 500, answered.headers).end(text);
  };
  const server = createServer((asked, answer) => void pass(asked, answer));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { spans, env: { SVC_SERVER: `http://127.0.0.1:${port}` } };
}

test("an undo computes its portion again if the actor makes further changes meanwhile", async () => {
  const w = await projectWorld();
  await w.ok(["create", "t0", "-q", "--as", "cyd"]);
  const until = w.clock.now();
  const [first, second] = ["2025-03-01T00:00:00.000Z", "2025-06-01T00:00:00.000Z"];
  const { env, spans } = await busyActor(w.daemon.endpoint.address, [first, second]);
  const words = ["undo", "--actor", "cyd", "--since", BEGIN, "--all-projects", "--yes", "--json"];
  const parts = (await w.ok(words, { env })).trim().split("\n");
  expect(parts.map((part) => JSON.parse(part))).toMatchObject([
    { since: second, changed: true },
    { since: BEGIN, until: "2025-05-31T23:59:59.999Z", event_count: 0 },
  ]);
  expect(spans).toEqual([
    [true, BEGIN, undefined, undefined],
    [true, first, undefined, undefined],
    [true, second, undefined, undefined],
    [false, second, until, undefined],
    [true, BEGIN, "2025-05-31T23:59:59.999Z", until],
  ]);
});

test("svc undo --dry-run shows the first portion that has something to undo", async () => {
  const w = await projectWorld();
  await w.ok(["create", "t0", "-q", "--as", "cyd"]);
  // There is nothing to undo from this time on.
  const since = "2025-06-01T00:00:00.000Z";
  const words = ["undo", "--actor", "cyd", "--since", BEGIN, "--all-projects", "--json"];
  await w.ok([...words, "--yes"]);
  const { env } = await busyActor(w.daemon.endpoint.address, [since]);
  const shown = await w.run([...words, "--dry-run"], { env });
  const parts = shown.out.trim().split("\n");
  expect(parts.map((part) => JSON.parse(part))).toMatchObject([
    { since, undone_before: 1, reverts: [] },
    { since: BEGIN, until: "2025-05-31T23:59:59.999Z" },
  ]);
  expect(shown.err).toBe("");
});
