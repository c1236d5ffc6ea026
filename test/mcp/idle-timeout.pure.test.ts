import { expect, test } from "vitest";
import { idleTimeout } from "../../src/mcp/idle-timeout.ts";
import { FakeClock } from "../support/clock.ts";

/** Lets all promises that are ready run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

test("a daemon that is too busy to report its idle timeout is asked again", async () => {
  const clock = new FakeClock();
  let asked = 0;
  const ask = async () => {
    if (++asked < 3) throw new Error("408");
    return { idle_shutdown: { timeout: "60s", state: "armed" as const } };
  };
  const timeout = idleTimeout(ask, clock, new AbortController().signal);
  for (let second = 0; second < 3; second++) {
    await settle();
    clock.advance(1000);
  }
  expect(await timeout).toBe(60_000);
  expect(asked).toBe(3);
});

test("an MCP server that ends stops asking the daemon for its idle timeout", async () => {
  const stop = new AbortController();
  const ask = async (): Promise<never> => {
    stop.abort();
    throw new Error("gone");
  };
  expect(await idleTimeout(ask, new FakeClock(), stop.signal)).toBeUndefined();
});
