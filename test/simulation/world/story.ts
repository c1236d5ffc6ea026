import fc from "fast-check";
import { OPERATIONS } from "../worker.ts";
import { FATES, type Place } from "./place.ts";
import { NETWORKS, type World } from "./world.ts";

/** Which steps a world can go, so that a story of SQLite has none of PostgreSQL. */
export type Ways = Pick<Place, "dialect">;

type Step = fc.AsyncCommand<Ways, World>;

/** One step of a story. `text` tells it. */
function step(
  text: string,
  run: (world: World) => void | Promise<void>,
  only?: Place["dialect"],
): Step {
  return {
    check: ({ dialect }) => only === undefined || only === dialect,
    run: async (_ways, world) => {
      await run(world);
      await world.pause();
    },
    toString: () => text,
  };
}

const asks = fc
  .record({
    who: fc.nat(5),
    on: fc.nat(1),
    operation: fc.constantFrom(...OPERATIONS),
    network: fc.oneof(
      { weight: 3, arbitrary: fc.constant("whole" as const) },
      { weight: 1, arbitrary: fc.constantFrom(...NETWORKS) },
    ),
  })
  .map(({ who, on, operation, network }) =>
    step(`w${who} on issue ${on}: ${operation} (${network})`, (world) =>
      world.act(who, on, operation, network),
    ),
  );

const passes = fc
  .constantFrom(1, 4, 16, 31, 61)
  .map((seconds) => step(`${seconds} s pass`, async (world) => await world.pass(seconds)));

const dooms = fc
  .record({ at: fc.nat(1), fate: fc.constantFrom(...FATES) })
  .map(({ at, fate }) =>
    step(`the next commit of d${at}: ${fate}`, (world) => world.daemon(at).doom(fate)),
  );

const kills = fc.nat(1).map((at) => step(`d${at} is killed`, (world) => world.daemon(at).kill()));

const copies = fc.constant(step("the files are copied", (world) => world.keepCopy(), "sqlite"));

const putsBack = fc.constant(step("the copy is put back", (world) => world.putBack(), "sqlite"));

const deposes = fc
  .record({ engine: fc.constantFrom("leases", "cron"), by: fc.nat(1) })
  .map(({ engine, by }) =>
    step(
      `all terms end and d${by} is elected for ${engine}`,
      async (world) => await world.depose(engine, by),
      "postgres",
    ),
  );

const endsSessions = fc.constant(
  step("the server ends all sessions", async (world) => await world.endSessions(), "postgres"),
);

const rests = fc.constant(step("a rest", async (world) => await world.rest()));

const LONGEST = 80;

/** Stories that can be told, of any length. */
export const stories = fc.commands<Ways, World, false>(
  [
    fc.oneof(
      { weight: 24, arbitrary: asks },
      { weight: 5, arbitrary: passes },
      { weight: 3, arbitrary: dooms },
      { weight: 1, arbitrary: kills },
      { weight: 1, arbitrary: copies },
      { weight: 1, arbitrary: putsBack },
      { weight: 3, arbitrary: deposes },
      { weight: 1, arbitrary: endsSessions },
      { weight: 3, arbitrary: rests },
    ),
  ],
  { maxCommands: LONGEST, size: "max", disableReplayLog: true },
);
