import { expect, test } from "vitest";
import { describeStore } from "../support/store.ts";
import { faultOfSeed, limitOf, seedsOf, sizeOf, spokesOr } from "./nodes/seeds.ts";
import { Writers, type WritersStory, writersStory } from "./nodes/writers.ts";

const SEEDS = { sqlite: 20, postgres: 2 } as const;

describeStore("a hub and spokes that write", (open) => {
  const size = sizeOf({ seeds: SEEDS[open.dialect], length: 60 });

  async function tell(story: WritersStory): Promise<number> {
    const writers = await Writers.begin(open, spokesOr(3), story);
    try {
      await writers.go(story.all);
      await writers.settle();
      return await writers.expectAgreement();
    } finally {
      await writers.close();
    }
  }

  test.each(seedsOf(size))(
    "show the same data in the end, and no event is lost (seed %i)",
    async (seed) => expect(await faultOfSeed(seed, size, writersStory, tell)).toBe(""),
    limitOf(size),
  );
});
