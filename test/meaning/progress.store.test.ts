import { expect, test } from "vitest";
import { msToInstant } from "../../src/base/clock.ts";
import { describeStore } from "../support/store.ts";
import { meaningWorld } from "./world.ts";

describeStore("the health of the index of meanings", (open) => {
  test("tells how fast the index is filled and how long that will take", async () => {
    const { w, state, start } = await meaningWorld(open);
    for (const title of ["one", "two", "three", "four"]) await w.given.issue({ title });
    const { sweep, health } = start({ batchSize: 1 });
    const begun = w.clock.now();
    state.hold();
    const sweeping = sweep();
    for (const calls of [1, 2, 3]) {
      await state.hasBeenCalled(calls);
      w.clock.advance(4000);
      state.release();
      state.hold();
    }
    await sweeping;
    expect(health()).toMatchObject({
      embedded: 3,
      backlog: 1,
      started_at: begun,
      last_progress_at: w.clock.now(),
      rate_per_second: 0.25,
      eta_seconds: 4,
    });
  });

  test("tells no rate and no time that is left when the provider has failed for more than a minute", async () => {
    const { w, state, start } = await meaningWorld(open);
    for (const title of ["one", "two", "three"]) await w.given.issue({ title });
    const { sweep, look, health } = start({ batchSize: 1 });
    state.hold();
    const sweeping = sweep();
    await state.hasBeenCalled(1);
    w.clock.advance(4000);
    state.always({ status: 401 });
    state.release();
    await sweeping;
    expect(health()).toMatchObject({ embedded: 1, backlog: 2, rate_per_second: 0.25 });
    w.clock.advance(61_000);
    await look();
    expect(health()).toMatchObject({ embedded: 1, backlog: 2, rate_per_second: 0 });
    expect(health()).not.toHaveProperty("eta_seconds");
  });

  test("begins its progress anew when a daemon starts, so that the time before counts for nothing", async () => {
    const { w, state, start } = await meaningWorld(open);
    for (const title of ["one", "two", "three"]) await w.given.issue({ title });
    const first = start({ batchSize: 1 });
    state.hold();
    const sweeping = first.sweep();
    await state.hasBeenCalled(1);
    w.clock.advance(4000);
    state.always({ status: 503 });
    state.release();
    await sweeping;
    expect(first.health()).toHaveProperty("eta_seconds");
    await first.stop();
    w.clock.advance(3_600_000);
    const second = start({ batchSize: 1 });
    await second.sweep();
    expect(second.health()).toEqual({
      ...{ configured: true, embedded: 1, skipped: 0, backlog: 2 },
      ...{ error_present: true, last_error_status: 503, started_at: w.clock.now() },
      last_success_at: msToInstant(w.clock.nowMs() - 3_600_000),
    });
  });
});
