import fc from "fast-check";
import { expect, test } from "vitest";
import { RandomRun } from "../support/random-run.ts";
import { step } from "../support/random-steps.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

/** More runs find more: `SVC_REFOLD_RUNS=200 npx vitest run test/store/refold.test.ts`. A failure prints its seed. */
const RUNS = { sqlite: Number(process.env["SVC_REFOLD_RUNS"] ?? 25), postgres: 6 };
const SEEDS = [1, 2, 3] as const;

describeStore("after any history of changes", (open) => {
  test("refolding any issue, or all of them, changes nothing", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 90 }), async (steps) => {
        const w = await world({ store: open });
        await (await RandomRun.begin(w)).steps(steps);
        expect(await changedByRefold(w)).toEqual({ each: [], all: 0 });
      }),
      { numRuns: RUNS[open.dialect] },
    );
  });

  test.each(SEEDS)(
    "with 250 steps of seed %i, refolding any issue changes nothing",
    { timeout: 120_000 },
    async (seed) => {
      const w = await world({ store: open });
      await (await RandomRun.begin(w)).steps(fc.sample(step, { seed, numRuns: 250 }));
      expect(await changedByRefold(w)).toEqual({ each: [], all: 0 });
    },
  );
});

/** Refolds each issue of the log alone and then all together; returns the issues and numbers of rows that changed. */
async function changedByRefold(w: World) {
  const events = await w.events();
  const uids = [...new Set(events.flatMap(({ issue_uid }) => issue_uid ?? []))];
  return await w.store.write(async (tx) => {
    const each: [string, number][] = [];
    for (const uid of uids) each.push([uid, await tx.refold([uid])]);
    return { each: each.filter(([, rows]) => rows > 0), all: await tx.refold(uids) };
  });
}
