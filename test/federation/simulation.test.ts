import { expect, test } from "vitest";
import { describeStore } from "../support/store.ts";
import { faultOfSeed, limitOf, seedsOf, sizeOf, spokesOr } from "./nodes/seeds.ts";
import { Simulation } from "./nodes/simulation.ts";
import { type TroubledStory, troubledStory } from "./nodes/troubles.ts";

const SEEDS = { sqlite: 20, postgres: 3 } as const;

describeStore("a hub and its spokes", (open) => {
  const size = sizeOf({ seeds: SEEDS[open.dialect], length: 60 });

  async function tell(story: TroubledStory): Promise<number> {
    const simulation = await Simulation.begin(open, spokesOr(2), story);
    try {
      await simulation.go(story.all);
      await simulation.settle();
      return await simulation.expectAgreement();
    } finally {
      await simulation.close();
    }
  }

  test.each(seedsOf(size))(
    "show the same data in the end, whatever happens to network, clocks, processes and databases (seed %i)",
    async (seed) => expect(await faultOfSeed(seed, size, troubledStory, tell)).toBe(""),
    limitOf(size),
  );
});
