import { expect, test } from "vitest";
import { describeStore } from "../support/store.ts";
import { ADMISSIONS } from "./nodes/admissions.ts";
import type { Net } from "./nodes/net.ts";
import { faultOfSeed, limitOf, seedsOf, sizeOf } from "./nodes/seeds.ts";
import { expectAgreement, failureOf, type Story, settledNet, storyOf } from "./nodes/story.ts";

const SEEDS = { sqlite: 20, postgres: 3 } as const;

/** The log of each fourth hub is admitted to empty databases too; with `all`, as in the bench, that of each. */
const ADMITTED = process.env["SVC_FEDERATION_ADMITTED"];

async function expectAdmitted(net: Net, { seed }: Story): Promise<void> {
  for (const [how, check] of Object.entries(ADMISSIONS)) {
    const failure = await failureOf(async () => await check(net, seed));
    if (failure === undefined) continue;
    throw Object.assign(failure, { message: `admitted ${how}: ${failure.message}` });
  }
}

describeStore("a hub and its replicas", (open) => {
  const size = sizeOf({ seeds: SEEDS[open.dialect], length: 80 });
  const tell = async (story: Story): Promise<number> => {
    const net = await settledNet(open, story);
    try {
      await expectAgreement(net);
      if (ADMITTED === "all" || story.seed % 4 === 1) await expectAdmitted(net, story);
      return await net.hub.store.read(async ({ events }) => await events.lastId());
    } finally {
      await net.close();
    }
  };

  test.each(seedsOf(size))(
    "show the same data once all have read the hub, whenever they joined and however events arrived (seed %i)",
    async (seed) => expect(await faultOfSeed(seed, size, storyOf, tell)).toBe(""),
    limitOf(size),
  );
});
