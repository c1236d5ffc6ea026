import { expect, test } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { yieldToLoop } from "../../../src/base/yield-to-loop.ts";
import { SvcError } from "../../../src/contract/errors.ts";
import { watchFiles } from "../../../src/daemon/lifecycle/file-watch.ts";
import { FakeClock } from "../../support/clock.ts";

test.each([
  ["may be temporary does not end the watch", "database_unseen", 3],
  ["is permanent ends the watch", "database_gone", 1],
])("the watch of the database files: a fault that %s", async (_, reason, looks) => {
  const clock = new FakeClock();
  let looked = 0;
  const requireHeld = (): void => {
    looked += 1;
    throw new SvcError("unavailable", { reason });
  };
  const store = { requireHeld, lost: new Promise<never>(() => undefined) };
  const watch = watchFiles({ store, clock, log: silentLog });
  for (let second = 0; second < 3; second += 1) {
    clock.advance(1000);
    await yieldToLoop();
  }
  await watch.stop();
  expect(looked).toBe(looks);
});
