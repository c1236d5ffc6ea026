import { type IncomingMessage, request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../../../src/base/log.ts";
import { DelayedRefusals } from "../../../src/daemon/access/delayed-refusals.ts";
import type { ListenerDescriptor } from "../../../src/daemon/listener.ts";
import { accessApp, openDoor } from "../../support/access-app.ts";
import { FakeClock, watched } from "../../support/clock.ts";
import { call, testDaemon } from "../../support/daemon.ts";

const RIGHT = "right-token-0123456789";
const WRONG = "wrong-token-0123456789";

/** A listener with a token. `ask` sends from any loopback address; each address is another peer. */
async function guarded(
  network: "unix" | "tcp" = "tcp",
  changes: Partial<ListenerDescriptor> = {},
  peer = "127.0.0.1",
) {
  const time = new FakeClock();
  const { clock, next } = watched(time);
  const failed = new DelayedRefusals(clock);
  const delayRefusal = failed.delay.bind(failed);
  const app = accessApp({ mode: "static", token: RIGHT }, { delayRefusal });
  const { listener } = await openDoor(app, network, changes);
  const ask = (token: string | undefined, localAddress = peer) =>
    asked(listener, token, network === "tcp" ? localAddress : undefined);
  /** Sends a wrong token, waits for the answer, and returns how long it was delayed. */
  const fail = async (localAddress = peer): Promise<number> => {
    const { answered } = ask(WRONG, localAddress);
    const ms = await next();
    time.advance(ms);
    expect(await answered).toBe(403);
    return ms;
  };
  return { time, next, ask, fail };
}

/** Sends a request on a new connection. */
function asked(
  { kind, address }: Pick<ListenerDescriptor, "kind" | "address">,
  token: string | undefined,
  localAddress?: string,
) {
  const { hostname, port } = kind === "socket" ? { port: "" } : new URL(`http://${address}`);
  const to = kind === "socket" ? { socketPath: address } : { host: hostname, port, localAddress };
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const sent = request({ ...to, path: "/api/v1/read", headers, agent: false });
  onTestFinished(() => void sent.destroy());
  const answered = new Promise<number | undefined>((resolve) => {
    sent.once("response", (response: IncomingMessage) => resolve(response.resume().statusCode));
    sent.once("error", () => resolve(undefined));
  });
  sent.end();
  return { answered, leave: () => void sent.destroy() };
}

test("each further wrong token from the same address delays the answer longer, up to five seconds", async () => {
  const { time, fail } = await guarded();
  const delays: number[] = [];
  for (let count = 0; count < 8; count++) delays.push(await fail());
  expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  time.advance(60_000 - 5000);
  expect(await fail()).toBe(5000);
  time.advance(60_001 - 5000);
  expect(await fail()).toBe(100);
});

test("right tokens, requests without a token and requests from other addresses are not delayed", async () => {
  const { time, ask, fail, next } = await guarded();
  await fail();
  const waiting = ask(WRONG);
  expect(await next()).toBe(200);
  expect(await ask(RIGHT).answered).toBe(200);
  expect(await ask(undefined).answered).toBe(401);
  expect(await fail("127.0.0.2")).toBe(100);
  time.advance(100);
  expect(await waiting.answered).toBe(403);
});

test("wrong tokens are not delayed on a Unix socket or behind a trusted proxy", async () => {
  const socket = await guarded("unix");
  const proxied = await guarded("tcp", { trustedHeader: "x-user" });
  expect(await socket.ask(WRONG).answered).toBe(403);
  expect(await proxied.ask(WRONG).answered).toBe(403);
});

test("at most twenty answers to one address are delayed at a time, and a client that disconnects makes room for another", async () => {
  const { ask, next } = await guarded();
  const waiting: ReturnType<typeof asked>[] = [];
  for (let count = 0; count < 20; count++) {
    waiting.push(ask(WRONG));
    await next();
  }
  expect(await ask(WRONG).answered).toBe(403);
  waiting[0]?.leave();
  let answered: number | undefined | "waits";
  do {
    const one = ask(WRONG);
    answered = await Promise.race([one.answered, next().then(() => "waits" as const)]);
  } while (answered === 403);
  expect(answered).toBe("waits");
});

test("at most 500 answers to all addresses together are delayed at a time", async () => {
  const { ask, next } = await guarded();
  for (let count = 0; count < 500; count++) {
    ask(WRONG, `127.0.1.${1 + Math.floor(count / 20)}`);
    await next();
  }
  expect(await ask(WRONG, "127.0.2.1").answered).toBe(403);
});

test("a thousand addresses with wrong tokens are remembered, and the one that failed longest ago is forgotten first", async () => {
  const { ask, next } = await guarded();
  const fail = async (localAddress: string): Promise<number> => {
    const { leave } = ask(WRONG, localAddress);
    const ms = await next();
    leave();
    return ms;
  };
  await fail("127.0.0.1");
  await fail("127.0.0.2");
  for (let at = 0; at < 998; at++) await fail(`127.1.${1 + (at >> 7)}.${1 + (at & 127)}`);
  expect(await fail("127.0.0.1")).toBe(200);
  await fail("127.2.0.1");
  expect(await fail("127.0.0.2")).toBe(100);
}, 30_000);

test("a daemon that stops sends the delayed answers at once", async () => {
  const refused = Promise.withResolvers<void>();
  const write = (line: string): void => {
    if (line.includes("auth_invalid")) refused.resolve();
  };
  const clock = new FakeClock();
  const { endpoint, stop } = await testDaemon({
    clock,
    log: createLog({ write, reopen() {}, close() {} }, clock),
    listen: { host: "127.0.0.1", port: 0 },
    authentication: { mode: "static", token: RIGHT },
  });
  const answer = call(endpoint, "GET", "/projects", {
    headers: { authorization: `Bearer ${WRONG}` },
  });
  await refused.promise;
  await stop();
  expect((await answer).status).toBe(403);
});
