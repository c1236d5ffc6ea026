import fc from "fast-check";
import { systemClock } from "../../../src/base/clock.ts";
import { yieldToLoop } from "../../../src/base/yield-to-loop.ts";
import { chanceOf } from "../../support/fleet/work.ts";
import { Order, type Turns } from "./order.ts";
import type { Place } from "./place.ts";
import type { Plant } from "./plant.ts";
import { PostgresPlace } from "./postgres-place.ts";
import { SqlitePlace } from "./sqlite-place.ts";
import { stories } from "./story.ts";
import { World } from "./world.ts";

/** Where stories are told. `server` is the DSN of the maintenance database of a PostgreSQL server. */
export type Stage =
  | { readonly dialect: "sqlite" }
  | { readonly dialect: "postgres"; readonly server: string };

export interface Simulated {
  readonly seed: number;
  /** What went wrong, and the story in which it went wrong; `undefined` if nothing did. */
  readonly failure: string | undefined;
  /** Everything that happened in the last world with a fault or, without a fault, in the world of the story. */
  readonly history: string;
}

export interface Telling {
  /** Which stories may be told; by default any. */
  readonly stories?: typeof stories;
  readonly plant?: Plant;
  /** How long a story that fails may be shortened, in ms. */
  readonly shortenMs?: number;
  /** A story with at most this many steps is not shortened any further. */
  readonly shortEnough?: number;
  /** A story that has not ended after this many moments is a failure. */
  readonly mostMoments?: number;
}

/** The default of `mostMoments`. Stories have less than a tenth of this number. */
const MOST_MOMENTS = 20_000;

/**
 * Tells the story of a seed, and judges it. On SQLite the seed decides everything, so a story that fails can be
 * shortened as long as it still fails. A PostgreSQL server takes its own time. On PostgreSQL the seed decides only the
 * story, and the history says what happened.
 */
export async function simulate(
  stage: Stage,
  seed: number,
  telling: Telling = {},
): Promise<Simulated> {
  const { stories: among = stories, plant = {}, shortenMs = 0, shortEnough = 0 } = telling;
  const { mostMoments = MOST_MOMENTS } = telling;
  let history = "";
  let told = "";
  let steps = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(
    fc.scheduler(),
    fc.noShrink(fc.nat()),
    fc.noBias(among),
    async (scheduler, pace, story) => {
      if (steps <= shortEnough) return;
      const place = await open(stage);
      const order = new Order(scheduler, chanceOf(pace), TURNS[stage.dialect], mostMoments);
      const world = new World(place, order, plant);
      const tell = async (): Promise<readonly string[]> => {
        await order.until(world.begin());
        const setup = async () => ({ model: { dialect: place.dialect }, real: world });
        await fc.scheduledModelRun(scheduler, setup, story);
        const faults = await order.until(world.end());
        told = [...order.happened, ...world.calls].join("\n");
        await order.until(world.close());
        return faults;
      };
      const faults = await ending(tell(), world, order);
      if (faults.length > 0 || history === "") history = told;
      if (faults.length === 0) return;
      steps = stepsOf(story).length;
      throw new Error(faults.join("\n\n"));
    },
  );
  const shortens = stage.dialect === "sqlite" && shortenMs > 0;
  const details = await fc.check(property, {
    ...{ seed, numRuns: 1, endOnFailure: !shortens },
    ...(shortens ? { interruptAfterTimeLimit: shortenMs } : {}),
  });
  if (!details.failed) return { seed, failure: undefined, history };
  const [, , story] = details.counterexample ?? [];
  const failure = [stepsOf(story).join("\n"), textOf(details.errorInstance)].join("\n\n");
  return { seed, failure, history };
}

/** The steps of a story that were carried out. */
function stepsOf(story: unknown): readonly string[] {
  return String(story).split(",");
}

/**
 * Returns the faults of the telling. If the telling does not end, returns this as a fault, with what happened last and
 * with all calls and answers.
 */
async function ending(
  telling: Promise<readonly string[]>,
  world: World,
  order: Order,
): Promise<readonly string[]> {
  const told = new AbortController();
  const endless = order.tooLong.then(
    () => `the story has not ended after ${order.moments} moments`,
  );
  const still = stillness(order, told.signal).then(() => "the world stands still");
  const ended = await Promise.race([telling, endless, still]).finally(() => told.abort());
  if (typeof ended !== "string") return ended;
  const last = [...world.doing, ...order.happened.slice(-LAST), ...world.calls];
  return [[`${ended}:`, ...last].join("\n")];
}

/** For a story that does not end, the report has this many of the pieces of work that happened last. */
const LAST = 1000;

/** A world in which nothing happens for this many looks is stuck. */
const STILL_LOOKS = 100;
/** Looks are counted, and not the time between them, because a busy machine can delay both the world and the looks. */
const LOOK_MS = 250;

/** Resolves when nothing has happened in the world for `STILL_LOOKS`, or when the signal is aborted. */
async function stillness(order: Order, signal: AbortSignal): Promise<void> {
  for (let [looks, before] = [0, -1]; looks < STILL_LOOKS && !signal.aborted; looks += 1) {
    if (order.moments !== before) [looks, before] = [0, order.moments];
    await systemClock.sleep(LOOK_MS, signal);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function open(stage: Stage): Promise<Place> {
  return stage.dialect === "sqlite"
    ? await SqlitePlace.open()
    : await PostgresPlace.open(stage.server);
}

/** SQLite answers within a turn of the event loop; a server needs time. */
const TURNS: Readonly<Record<Stage["dialect"], Turns>> = {
  sqlite: async (count) => {
    for (let turn = 0; turn < count; turn += 1) await yieldToLoop();
  },
  postgres: async (count) => await systemClock.sleep(count * 3),
};
