import fc from "fast-check";
import { expect, test } from "vitest";
import { describeStore } from "../support/store.ts";
import { act, Model, POISON } from "./model.ts";
import { meaningWorld } from "./world.ts";

/** With a number of runs each has many more steps. */
const WANTED = process.env["SVC_TEST_RUNS"];
const STEPS = WANTED === undefined ? { sqlite: 60, postgres: 25 } : { sqlite: 300, postgres: 300 };
const RUNS = { sqlite: Number(WANTED ?? 5), postgres: Number(WANTED ?? 2) } as const;
const MS_PER_STEP = 2000;

describeStore("the index of meanings", (open) => {
  test.each(Array.from({ length: RUNS[open.dialect] }, (_, at) => at + 1))(
    "equals the tables after random writes, faults of the provider and kills, and its health is true (seed %i)",
    { timeout: 60_000 + STEPS[open.dialect] * MS_PER_STEP },
    async (seed) => {
      const world = await meaningWorld(open);
      world.state.poison(POISON);
      const model = await Model.begin(world);
      for (const one of fc.sample(act, { seed, numRuns: STEPS[open.dialect] })) {
        await model[one.kind](one);
        expect(model.differences).toEqual([]);
      }
      await model.end();
      expect(model.differences).toEqual([]);
    },
  );
});
