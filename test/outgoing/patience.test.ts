import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import type { OutgoingRequest } from "../../src/outgoing/far-side.ts";
import { OutgoingFault } from "../../src/outgoing/fault.ts";
import { type Pause, sendPatiently, usualPause } from "../../src/outgoing/patience.ts";
import { Waits } from "../../src/outgoing/waits.ts";
import { watched } from "../support/clock.ts";
import { clientOf, farServer, faultOf, GET } from "./far-server.ts";

type Step = (response: ServerResponse) => void;

const status =
  (code: number, headers = {}): Step =>
  (response) =>
    response.writeHead(code, headers).end(String(code));
const broken: Step = (response) => response.destroy();

/** Asks a server that answers by these steps; a wait ends at once and is noted. */
async function asking(
  steps: readonly Step[],
  request: Partial<OutgoingRequest> = {},
  pause?: Pause,
) {
  const server = await farServer((_request, response) => {
    const step = steps[Math.min(server.asked.length, steps.length) - 1];
    step?.(response);
  });
  const { farSide, clock } = clientOf(server.origin);
  const waitClock = watched(clock);
  const waits = new Waits({ clock: waitClock.clock }, { oneMs: 30_000, allMs: 60_000 });
  const sending = sendPatiently(
    farSide,
    { ...GET, ...request },
    { waits, ...(pause === undefined ? {} : { pause }) },
  );
  const outcome = sending.catch((error: unknown) => error);
  const slept: number[] = [];
  let isDone = false;
  void outcome.then(() => (isDone = true));
  for (;;) {
    const ms = await Promise.race([waitClock.next(), outcome.then(() => undefined)]);
    if (ms === undefined || isDone) break;
    slept.push(ms);
    clock.advance(ms);
  }
  return { outcome: await outcome, slept, asked: server.asked.length };
}

test.each<[string, readonly Step[], number, readonly number[]]>([
  ["429 that names seconds", [status(429, { "retry-after": "5" }), status(200)], 200, [5000]],
  [
    "429 that names a date",
    [status(429, { "retry-after": "Thu, 01 Jan 2026 00:00:20 GMT" }), status(200)],
    200,
    [20_000],
  ],
  ["429 with a negative number", [status(429, { "retry-after": "-5" }), status(200)], 200, [1000]],
  ["errors of the remote server", [status(500), status(503), status(200)], 200, [1000, 2000]],
  ["a connection that was lost", [broken, status(200)], 200, [1000]],
  ["errors that do not end", [status(502)], 502, [1000, 2000]],
])("a request is repeated after %s", async (_what, steps, code, slept) => {
  const found = await asking(steps);
  expect(found).toMatchObject({ outcome: { status: code }, slept });
  expect(found.asked).toBe(slept.length + 1);
});

test.each([400, 401, 403, 404, 409, 422])(
  "a request that is answered %i is not repeated",
  async (code) => {
    expect(await asking([status(code)])).toMatchObject({
      outcome: { status: code },
      slept: [],
      asked: 1,
    });
  },
);

test("a server that requires a wait of two minutes ends the work without a wait", async () => {
  const found = await asking([status(429, { "retry-after": "120" })]);
  expect(found).toMatchObject({ outcome: { kind: "wait_too_long" }, slept: [], asked: 1 });
});

test.each<[string, Step, object, number]>([
  ["after an error", status(500), {}, 1],
  ["after a lost connection", broken, {}, 1],
  ["after 429, which says that it was not carried out", status(429), {}, 3],
  ["after 503, which says that it was not carried out either", status(503), {}, 3],
  ["after an error, if it may be carried out twice", status(500), { repeatable: true }, 3],
])("a POST is repeated only if that is safe: %s", async (_what, step, more, times) => {
  const found = await asking([step], { method: "POST", body: "{}", ...more });
  expect(found.asked).toBe(times);
});

test("a POST that cannot have reached the server is repeated", async () => {
  const { farSide, clock } = clientOf("http://127.0.0.1:1");
  const waitClock = watched(clock);
  const waits = new Waits({ clock: waitClock.clock }, { oneMs: 30_000, allMs: 60_000 });
  const sending = faultOf(sendPatiently(farSide, { ...GET, method: "POST" }, { waits }));
  for (const ms of [1000, 2000]) {
    expect(await waitClock.next()).toBe(ms);
    clock.advance(ms);
  }
  expect((await sending).kind).toBe("unsent");
});

test("all requests of one piece of work share one limit for the sum of their waits", async () => {
  const server = await farServer((_request, response) =>
    status(429, { "retry-after": "25" })(response),
  );
  const { farSide, clock } = clientOf(server.origin);
  const waitClock = watched(clock);
  const waits = new Waits({ clock: waitClock.clock }, { oneMs: 30_000, allMs: 60_000 });
  const first = sendPatiently(farSide, GET, { waits });
  for (let n = 0; n < 2; n++) clock.advance(await waitClock.next());
  expect((await first).status).toBe(429);
  const fault = await faultOf(sendPatiently(farSide, GET, { waits }));
  expect(fault.kind).toBe("wait_too_long");
});

test("a caller may allow repeats after more kinds of answers than usual", async () => {
  const limited: Pause = (outcome, attempt, nowMs) =>
    !(outcome instanceof OutgoingFault) && outcome.headers["x-ratelimit-remaining"] === "0"
      ? 7000
      : usualPause(outcome, attempt, nowMs);
  const steps = [status(403, { "x-ratelimit-remaining": "0" }), status(403)];
  expect(await asking(steps, {}, limited)).toMatchObject({
    outcome: { status: 403 },
    slept: [7000],
    asked: 2,
  });
});
