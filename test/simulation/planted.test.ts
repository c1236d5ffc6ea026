import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { PLANTS, type PlantName } from "./world/plant.ts";
import { dropTemplate } from "./world/postgres-place.ts";
import { type Simulated, type Stage, simulate } from "./world/simulate.ts";

const server = inject("postgres");
afterAll(async () => await dropTemplate(server));

const SQLITE: Stage = { dialect: "sqlite" };
/** Only on PostgreSQL several daemons share a database, and so the terms of its engines. */
const POSTGRES: Stage = { dialect: "postgres", server };

// The first story of a process takes other turns, because it loads modules. The others repeat exactly on SQLite.
beforeAll(async () => void (await simulate(SQLITE, 1)));

test.each<readonly [PlantName, number, Stage]>([
  ["a failure said for a commit that was made", 100, SQLITE],
  ["a cursor without identity", 100, SQLITE],
  ["a fence that is not looked at", 20, SQLITE],
  ["an idempotency key that is forgotten on a crash", 20, SQLITE],
  ["an engine that goes on after its term", 40, POSTGRES],
])(
  "the simulator finds %s within %i seeds, and nothing where it was not planted",
  async (name, seeds, stage) => {
    const plant = PLANTS[name];
    const found = await firstFailure(seeds, async (seed) => await simulate(stage, seed, { plant }));
    expect(found, "the seed that finds it").toBeDefined();
    const until = found?.seed ?? 0;
    expect(await firstFailure(until, async (seed) => await simulate(stage, seed))).toBeUndefined();
  },
  300_000,
);

test("a story that fails on SQLite is shortened", async () => {
  const plant = PLANTS["an idempotency key that is forgotten on a crash"];
  const whole = await simulate(SQLITE, 6, { plant });
  const shortEnough = stepsOf(whole) - 1;
  const shortened = await simulate(SQLITE, 6, { plant, shortenMs: 110_000, shortEnough });
  expect(stepsOf(shortened)).toBeLessThan(stepsOf(whole));
}, 180_000);

function stepsOf({ failure = "" }: Simulated): number {
  const [steps = ""] = failure.split("\n\n");
  return steps.split("\n").length;
}

/** Tells the stories of the seeds from 1 to `seeds`, until one fails. */
async function firstFailure(
  seeds: number,
  tell: (seed: number) => Promise<Simulated>,
): Promise<Simulated | undefined> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const told = await tell(seed);
    if (told.failure !== undefined) return told;
  }
  return undefined;
}
