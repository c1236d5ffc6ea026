import { expect, test } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { CLOSE_MS, closeStore } from "../../../src/daemon/lifecycle/close-store.ts";
import { FakeClock, watched } from "../../support/clock.ts";

/** A store whose close ends when the test says so. */
function slowStore() {
  let end = (): void => undefined;
  const closed = new Promise<void>((resolve) => (end = resolve));
  return { close: async () => await closed, end };
}

test("a database that does not close in time is cut off exactly once", async () => {
  const clock = new FakeClock();
  const { clock: watchedClock, next: asleep } = watched(clock);
  const { close, end } = slowStore();
  let cuts = 0;
  const cut = (): void => {
    cuts += 1;
    end();
  };
  const closing = closeStore({ close, clock: watchedClock, log: silentLog, cut });
  await asleep();
  clock.advance(CLOSE_MS - 1);
  expect(cuts).toBe(0);
  clock.advance(1);
  await closing;
  expect(cuts).toBe(1);
});

test("a database that closes in time, or serves another process, is not cut off", async () => {
  let cuts = 0;
  const cut = (): void => void (cuts += 1);
  const quick = slowStore();
  quick.end();
  await closeStore({ close: quick.close, clock: new FakeClock(), log: silentLog, cut });
  expect(cuts).toBe(0);
  const clock = new FakeClock();
  const { clock: watchedClock, next: asleep } = watched(clock);
  const slow = slowStore();
  const options = { close: slow.close, clock: watchedClock, log: silentLog, cut: undefined };
  const closing = closeStore(options);
  await asleep();
  clock.advance(CLOSE_MS);
  slow.end();
  await closing;
});
