import { describe, expect, test } from "vitest";
import { instantToMs } from "../../src/base/clock.ts";
import { httpDateToMs } from "../../src/base/http-date.ts";
import { retryAfterMs, Waits } from "../../src/outgoing/waits.ts";
import { FakeClock } from "../support/clock.ts";

const NOW = instantToMs("2026-11-29T12:00:00.000Z");

describe("Retry-After", () => {
  test.each([
    ["0", 0],
    ["5", 5000],
    [" 120 ", 120_000],
    ["99999999999999999999", 1e23],
    ["Sun, 29 Nov 2026 12:00:30 GMT", 30_000],
    ["Sun, 29 Nov 2026 12:00:00 GMT", 0],
    ["Sun Nov 29 12:01:00 2026", 60_000],
    ["Sun, 29 Nov 2026 11:59:59 GMT", undefined],
    ["-5", undefined],
    ["1.5", undefined],
    ["0x10", undefined],
    ["soon", undefined],
    ["2026-11-29T12:00:30Z", undefined],
    ["Sunday, 29-Nov-26 12:00:30 GMT", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("a Retry-After of %j means a wait in milliseconds of %j", (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });

  test.each([
    "Sun, 31 Feb 2026 12:00:00 GMT",
    "Sun, 99 Nov 2026 12:00:00 GMT",
    "Sun, 29 Nov 2026 25:00:00 GMT",
  ])(
    "a Retry-After with an impossible date, %s, is ignored or leads to a possible wait",
    (text) => {
      const ms = httpDateToMs(text);
      expect(ms === undefined || Number.isSafeInteger(ms)).toBe(true);
    },
  );
});

describe("the waits of one piece of work", () => {
  const limits = { oneMs: 30_000, allMs: 60_000 };

  test("end when the clock has advanced", async () => {
    const clock = new FakeClock();
    const waits = new Waits({ clock }, limits);
    let isOver = false;
    const waiting = waits.wait(5000).then(() => (isOver = true));
    clock.advance(4999);
    await Promise.resolve();
    expect(isOver).toBe(false);
    clock.advance(1);
    await waiting;
  });

  test("fail at once if one wait is too long, or if their sum is", async () => {
    const clock = new FakeClock();
    const waits = new Waits({ clock }, limits);
    await expect(waits.wait(30_001)).rejects.toMatchObject({
      kind: "wait_too_long",
      message: "the retry wait exceeds its limit: 31 s at once, and at most 30 s are allowed",
    });
    for (const ms of [30_000, 29_999]) {
      const waiting = waits.wait(ms);
      clock.advance(ms);
      await waiting;
    }
    await expect(waits.wait(2)).rejects.toMatchObject({
      kind: "wait_too_long",
      message: "the retry wait exceeds its limit: 61 s in all, and at most 60 s are allowed",
    });
    const last = waits.wait(1);
    clock.advance(1);
    await last;
  });

  test("end when the work ends", async () => {
    const stop = new AbortController();
    const waiting = new Waits({ clock: new FakeClock() }, limits).wait(5000, stop.signal);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ kind: "stopped" });
  });
});
