import { PassThrough, Writable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { STARTS_PER_SECOND } from "../../src/mcp/admission.ts";
import { Catalog } from "../../src/mcp/catalog.ts";
import type { Daemon } from "../../src/mcp/daemon.ts";
import { serveLines } from "../../src/mcp/protocol/stdio.ts";
import { ToolServer } from "../../src/mcp/tool-server.ts";
import { FakeClock } from "../support/clock.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Memory is compared after this part of the calls and after all: what is made once is there by then. */
const FIRST = 0.1;
/** What may be left of each call after that: less than a pointer and its place in a list. */
const MOST_BYTES = 12;

function heapBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

const INSTANCE = { instance_uid: "u", version: "1", schema_version: 7, auth: {} };

/** A server whose calls are answered at once, by a clock that the test moves by a second for each burst of calls. */
async function server() {
  const clock = new FakeClock();
  const daemon = { call: async () => INSTANCE, news: async () => undefined } as unknown as Daemon;
  const tools = new ToolServer({
    catalog: new Catalog(new Set(["system"])),
    reach: { kind: "all" },
    actor: "bea",
    hasToken: false,
    daemonFor: () => daemon,
    clock,
  });
  await tools.catalog.load("system");
  return { clock, tools };
}

/** The bytes that are left of each call after the first ones. `burst` makes 20 calls. */
async function leftOf(count: number, burst: () => Promise<void>): Promise<number> {
  let before = 0;
  for (let made = 0; made < count; made += STARTS_PER_SECOND) {
    if (made === count * FIRST) before = heapBytes();
    await burst();
  }
  return (heapBytes() - before) / (count * (1 - FIRST));
}

test("200,000 calls leave nothing in memory", async () => {
  const { clock, tools } = await server();
  const { signal } = new AbortController();
  let answered = 0;
  const left = await leftOf(200_000, async () => {
    const calls = Array.from({ length: STARTS_PER_SECOND }, async () => {
      const outcome = await tools.call("svc.system", {}, signal);
      if (outcome !== undefined && "structured" in outcome) answered++;
    });
    await Promise.all(calls);
    clock.advance(1000);
  });
  expect(answered).toBe(200_000);
  expect(left).toBeLessThan(MOST_BYTES);
});

test("20,000 calls line by line leave nothing in memory, even if every fourth call is cancelled", async () => {
  const { clock, tools } = await server();
  const input = new PassThrough();
  let answered = 0;
  let isDone: () => void = () => undefined;
  const output = new Writable({
    write(piece: Buffer, _encoding, done) {
      for (const byte of piece) if (byte === 10) answered++;
      isDone();
      done();
    },
  });
  const stop = new AbortController();
  const text = { version: "1", instructions: "" };
  const ended = serveLines(tools, text, input, output, { signal: stop.signal, clock });
  let id = 0;
  let expected = 0;
  const left = await leftOf(20_000, async () => {
    for (let at = 0; at < STARTS_PER_SECOND; at++) {
      const call = { jsonrpc: "2.0", id: ++id, method: "tools/call", params: CALL };
      const cancel = {
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: id },
      };
      const isCancelled = at % 4 === 3;
      const lines = isCancelled ? [call, cancel] : [call];
      if (!isCancelled) expected++;
      for (const line of lines) input.write(`${JSON.stringify(line)}\n`);
    }
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id: "ping", method: "ping" })}\n`);
    expected++;
    while (answered < expected) await new Promise<void>((resolve) => (isDone = resolve));
    clock.advance(1000);
  });
  expect(answered).toBe(expected);
  // A line takes some objects of the streams, which are collected late.
  expect(left).toBeLessThan(5 * MOST_BYTES);
  input.end();
  await ended;
}, 120_000);

const CALL = { name: "svc.system", arguments: {} };
