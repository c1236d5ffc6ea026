import { expect, test } from "vitest";
import { Wake } from "../../src/engines/wake.ts";

test("a wake ends the current wait, or the next wait if nobody is waiting", () => {
  const wake = new Wake();
  let ended = 0;
  const forget = wake.whileAsleep(() => (ended += 1));
  wake.wake();
  expect(ended).toBe(1);
  forget();
  wake.wake();
  expect(ended).toBe(1);
  expect(wake.isSet).toBe(true);
  wake.whileAsleep(() => (ended += 1));
  expect(ended).toBe(2);
});

test("a wake before the beginning of a sweep does not end the wait after this sweep", () => {
  const wake = new Wake();
  wake.wake();
  wake.taken();
  expect(wake.isSet).toBe(false);
  let ended = 0;
  wake.whileAsleep(() => (ended += 1));
  expect(ended).toBe(0);
});
