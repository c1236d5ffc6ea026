import fc from "fast-check";
import { LONG_PLAN, SHORT_PLANS } from "../plan-client.ts";
import { OPERATIONS } from "../worker.ts";
import { FATES, type Place } from "./place.ts";
import { NETWORKS, type World } from "./world.ts";

/** The database of a world, which decides which steps are possible: a story on SQLite has no steps of PostgreSQL. */
export type Ways = Pick<Place, "dialect">;

type Step = fc.AsyncCommand<Ways, World>;

/** One step of a story. `text` describes the step. */
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

const networks = fc.oneof(
  { weight: 3, arbitrary: fc.constant("whole" as const) },
  { weight: 1, arbitrary: fc.constantFrom(...NETWORKS) },
);

/** The long plan takes ten times as long as another. `undefined` means to list all plans. */
const plansToApply = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...SHORT_PLANS, undefined) },
  { weight: 1, arbitrary: fc.constant(LONG_PLAN) },
);

const plans = fc
  .record({ who: fc.nat(3), plan: plansToApply, network: networks })
  .map(({ who, plan, network }) =>
    step(
      plan === undefined
        ? `w${who} lists all plans (${network})`
        : `w${who} applies plan ${plan} (${network})`,
      (world) => world.plan(who, plan, network),
    ),
  );

/**
 * Operations whose faults show only in few orders of events are more frequent: writes under fences, leases that end,
 * and repeated keys.
 */
const operations = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...OPERATIONS) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...(["lease for a minute", "go on after the release", "comment", "comment"] as const),
    ),
  },
);

/** Most steps are about one issue, so that they conflict. */
const issues = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(1) },
);

const asks = fc
  .record({ who: fc.nat(3), on: issues, operation: operations, network: networks })
  .map(({ who, on, operation, network }) =>
    step(`w${who} on issue ${on}: ${operation} (${network})`, (world) =>
      world.act(who, on, operation, network),
    ),
  );

const passes = fc
  .constantFrom(1, 16, 61, 61)
  .map((seconds) => step(`${seconds} s pass`, async (world) => await world.pass(seconds)));

/** The fate in which a commit is made, but a failure is reported, is more frequent. */
const fates = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...FATES) },
  { weight: 1, arbitrary: fc.constant("doubted but made" as const) },
);

const dooms = fc
  .record({ at: fc.nat(1), fate: fates })
  .map(({ at, fate }) =>
    step(`the next commit of d${at}: ${fate}`, (world) => world.doom(at, fate)),
  );

const doomsWorkers = fc
  .record({ at: fc.nat(1), end: fc.constantFrom("before", "after" as const) })
  .map(({ at, end }) =>
    step(`the write worker of d${at} ends ${end} its next commit`, (world) =>
      world.doomWorker(at, end),
    ),
  );

const setsClock = fc
  .record({ at: fc.nat(1), seconds: fc.constantFrom(-3600, -61, 61, 3600) })
  .map(({ at, seconds }) =>
    step(
      `the clock of d${at} is set by ${seconds} s`,
      async (world) => await world.setClock(at, seconds),
    ),
  );

const kills = fc
  .nat(1)
  .map((at) => step(`d${at} is killed`, (world) => void world.daemon(at).kill()));

const copies = fc.constant(step("the database is copied", async (world) => await world.keepCopy()));

const putsBack = fc.constant(step("the copy is put back", (world) => world.putBack()));

const deposes = fc
  .record({ engine: fc.constantFrom("leases", "cron"), by: fc.nat(1) })
  .map(({ engine, by }) =>
    step(
      `d${by} loses its next term of ${engine}`,
      async (world) => await world.depose(engine, by),
      "postgres",
    ),
  );

const endsSessions = fc.constant(
  step("the server ends all sessions", async (world) => await world.endSessions(), "postgres"),
);

const endsSession = fc
  .nat(9)
  .map((at) =>
    step(
      `the server ends the session ${at}`,
      async (world) => await world.endSessions(at),
      "postgres",
    ),
  );

const rests = fc.constant(step("a rest", async (world) => await world.rest()));

const LONGEST = 80;
const LONGEST_OF_LEASES = 40;

/** Stories that can be told, of any length. */
export const stories = fc.commands<Ways, World, false>(
  [
    fc.oneof(
      { weight: 30, arbitrary: asks },
      { weight: 3, arbitrary: plans },
      { weight: 1, arbitrary: doomsWorkers },
      { weight: 1, arbitrary: setsClock },
      { weight: 5, arbitrary: passes },
      { weight: 8, arbitrary: dooms },
      { weight: 1, arbitrary: kills },
      { weight: 5, arbitrary: copies },
      { weight: 4, arbitrary: putsBack },
      { weight: 5, arbitrary: deposes },
      { weight: 1, arbitrary: endsSessions },
      { weight: 1, arbitrary: endsSession },
      { weight: 3, arbitrary: rests },
    ),
  ],
  { maxCommands: LONGEST, size: "max", disableReplayLog: true },
);

const leases = fc
  .record({ who: fc.nat(3), on: issues })
  .map(({ who, on }) =>
    step(`w${who} on issue ${on}: lease for a minute (whole)`, (world) =>
      world.act(who, on, "lease for a minute", "whole"),
    ),
  );

const lostLeaseTerms = fc
  .nat(1)
  .map((by) =>
    step(
      `d${by} loses its next term of leases`,
      async (world) => await world.depose("leases", by),
      "postgres",
    ),
  );

const minutes = fc.constant(step("61 s pass", async (world) => await world.pass(61)));

/** Stories in which leases end while the term of the engine that ends them passes to another daemon. */
export const storiesOfLeases = fc.commands<Ways, World, false>(
  [
    fc.oneof(
      { weight: 4, arbitrary: leases },
      { weight: 4, arbitrary: lostLeaseTerms },
      { weight: 4, arbitrary: minutes },
      { weight: 1, arbitrary: rests },
    ),
  ],
  { maxCommands: LONGEST_OF_LEASES, size: "max", disableReplayLog: true },
);
