import { expect, test } from "vitest";
import { Wake } from "../../src/engines/wake.ts";

test("a wake ends the wait that it finds, or the next one", () => {
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

test("the beginning of a sweep serves everybody who asked before it", () => {
  const wake = new Wake();
  wake.wake();
  wake.taken();
  expect(wake.isSet).toBe(false);
  let ended = 0;
  wake.whileAsleep(() => (ended += 1));
  expect(ended).toBe(0);
});
