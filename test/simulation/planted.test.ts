import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Sent } from "./send.ts";
import { PLANTS, type PlantName } from "./world/plant.ts";
import { dropTemplate } from "./world/postgres-place.ts";
import { type Simulated, type Stage, simulate, type Telling } from "./world/simulate.ts";
import { storiesOfLeases } from "./world/story.ts";

const server = inject("postgres");
afterAll(async () => await dropTemplate(server));

const SQLITE: Stage = { dialect: "sqlite" };
/** Only on PostgreSQL do several daemons share a database, and so the terms of its engines. */
const POSTGRES: Stage = { dialect: "postgres", server };

// The first story of a process runs in another order than later ones, because it loads modules. All others repeat
// exactly on SQLite.
beforeAll(async () => void (await simulate(SQLITE, 1)));

test.each<readonly [PlantName, number, Stage, Telling]>([
  ["a failure said for a commit that was made", 12, SQLITE, {}],
  ["a cursor without identity", 12, SQLITE, {}],
  ["a fence that is not looked at", 12, SQLITE, {}],
  ["an idempotency key that is forgotten on a crash", 12, SQLITE, {}],
  ["an engine that goes on after its term", 12, POSTGRES, { stories: storiesOfLeases }],
])(
  "the simulator finds a planted fault (%s) within %i seeds, and no fault without it",
  async (name, seeds, stage, telling) => {
    const plant = PLANTS[name];
    const planted = async (seed: number) => await simulate(stage, seed, { ...telling, plant });
    const found = await firstFailure(seeds, planted);
    expect(found, "the seed that finds it").toBeDefined();
    const until = found?.seed ?? 0;
    const whole = async (seed: number) => await simulate(stage, seed, telling);
    expect(await firstFailure(until, whole)).toBeUndefined();
  },
  900_000,
);

test("the simulator shortens a story that fails on SQLite", async () => {
  const plant = PLANTS["an idempotency key that is forgotten on a crash"];
  // A story of one step cannot be shortened.
  const isLong = (told: Simulated): boolean => stepsOf(told) > 2;
  const whole = await firstFailure(
    12,
    async (seed) => await simulate(SQLITE, seed, { plant }),
    isLong,
  );
  expect(whole, "a story of several steps that fails").toBeDefined();
  if (whole === undefined) return;
  const shortEnough = stepsOf(whole) - 1;
  const { seed } = whole;
  const shortened = await simulate(SQLITE, seed, { plant, shortenMs: 110_000, shortEnough });
  expect(stepsOf(shortened)).toBeLessThan(stepsOf(whole));
}, 180_000);

test("a simulated story that does not end fails, with a report of what happened", async () => {
  // At the end of a story, the world asks for the log until a daemon answers. At a wrong path, that never happens.
  const request = (sent: Sent): Sent =>
    sent.path.startsWith("/events?") ? { ...sent, path: "/nowhere" } : sent;
  const told = await simulate(SQLITE, 1, { plant: { request }, mostMoments: 3000 });
  expect(told.failure).toContain("the story has not ended after 3001 moments");
  expect(told.failure).toContain("readers that catch up");
  expect(told.failure).toContain("d0 wakes up");
}, 180_000);

function stepsOf({ failure = "" }: Simulated): number {
  const [steps = ""] = failure.split("\n\n");
  return steps.split("\n").length;
}

/** Simulates the seeds from 1 to `seeds`. Returns the first one that fails in a way that `fitting` accepts. */
async function firstFailure(
  seeds: number,
  tell: (seed: number) => Promise<Simulated>,
  fitting: (told: Simulated) => boolean = () => true,
): Promise<Simulated | undefined> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const told = await tell(seed);
    if (told.failure !== undefined && fitting(told)) return told;
  }
  return undefined;
}
