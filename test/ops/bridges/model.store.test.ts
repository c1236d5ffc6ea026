import fc from "fast-check";
import { expect, test } from "vitest";
import { expectFolded } from "../../store/fold.ts";
import { describeStore } from "../../support/store.ts";
import { act } from "./model/acts.ts";
import { Model } from "./model/model.ts";

const numberOf = (variable: string): number | undefined =>
  process.env[variable] === undefined ? undefined : Number(process.env[variable]);

/** For longer runs by hand, on both databases (CONTRIBUTING.md, Connectors and bridges). */
const RUNS = numberOf("SVC_TEST_RUNS");
const STEPS = numberOf("SVC_TEST_STEPS") ?? (RUNS === undefined ? undefined : 1000);
const FIRST_SEED = numberOf("SVC_TEST_SEED") ?? 1;
const SIZES = { sqlite: { runs: 3, steps: 120 }, postgres: { runs: 2, steps: 60 } } as const;
/** Both sides come to rest and are compared after this many steps, and a new issue begins after that many. */
const REST = 30;
const CHAPTER = 300;

describeStore("an issue and its root", (open) => {
  const { runs, steps } = SIZES[open.dialect];
  const seeds = Array.from({ length: RUNS ?? runs }, (_, at) => FIRST_SEED + at);
  const acts = STEPS ?? steps;
  test.each(seeds)(
    "are equal after random changes on both sides, faults and kills, and nothing is lost or doubled (seed %i)",
    { timeout: 60_000 + acts * 1000 },
    async (seed) => {
      const story = fc.sample(act, { seed, numRuns: acts });
      let model = await Model.begin(open);
      for (const [at, one] of story.entries()) {
        const where = `seed ${seed}, step ${at}, ${JSON.stringify(one)}`;
        await model.act(one);
        expect(model.differences, where).toEqual([]);
        const isLast = at === story.length - 1;
        if (at % REST === REST - 1 || isLast) await model.quiet();
        expect(model.differences, `at rest after ${where}`).toEqual([]);
        if (at % CHAPTER !== CHAPTER - 1 && !isLast) continue;
        await expectFolded(model.b.store);
        if (!isLast) model = await Model.begin(open);
      }
    },
  );
});
