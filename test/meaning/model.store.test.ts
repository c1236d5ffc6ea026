import fc from "fast-check";
import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { describeStore } from "../support/store.ts";
import { act, Model, POISON } from "./model.ts";
import { meaningWorld } from "./world.ts";

const numberOf = (variable: string): number | undefined =>
  process.env[variable] === undefined ? undefined : Number(process.env[variable]);

/** For longer runs by hand, on both databases (CONTRIBUTING.md, Search by meaning). */
const RUNS = numberOf("SVC_TEST_RUNS");
const STEPS = numberOf("SVC_TEST_STEPS") ?? (RUNS === undefined ? undefined : 300);
const FIRST_SEED = numberOf("SVC_TEST_SEED") ?? 1;
const SIZES = { sqlite: { runs: 5, steps: 60 }, postgres: { runs: 2, steps: 25 } } as const;
/** The limit of one step. Most take some milliseconds, but on a busy machine a thousand times as long. */
const MOST_MS_OF_STEP = 600_000;

describeStore("the index of meanings", (open) => {
  const { runs, steps } = SIZES[open.dialect];
  const seeds = Array.from({ length: RUNS ?? runs }, (_, at) => FIRST_SEED + at);
  const acts = STEPS ?? steps;
  test.each(seeds)(
    "equals the tables after random writes, faults of the provider and kills, and its health is true (seed %i)",
    { timeout: 60_000 + acts * 2000 },
    async (seed) => {
      const world = await meaningWorld(open);
      world.state.poison(POISON);
      const model = await Model.begin(world);
      for (const [at, one] of fc.sample(act, { seed, numRuns: acts }).entries()) {
        await inTime(`step ${at}, ${one.kind}`, model[one.kind](one));
        expect(model.differences, `after step ${at}, ${one.kind}`).toEqual([]);
      }
      await model.end();
      expect(model.differences).toEqual([]);
    },
  );
});

/** Fails if the work does not end in time, so that a step that hangs is named at once. */
async function inTime(what: string, work: Promise<void>): Promise<void> {
  const done = new AbortController();
  const late = systemClock.sleep(MOST_MS_OF_STEP, done.signal).then(() => {
    if (!done.signal.aborted) throw new Error(`${what} has not ended after ${MOST_MS_OF_STEP} ms`);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}
