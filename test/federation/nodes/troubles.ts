import fc from "fast-check";
import { type Step, step } from "../../support/random-steps.ts";
import { PURGES } from "./alone.ts";
import { type Happening, happenings, LONG, oftenOr, stepsOf, timesUsual } from "./happenings.ts";

const OFTEN = ["pass", "pass", "pass", "pass", "kill", "kill", "work alone"] as const;
const RARELY = [
  ...([
    "clock of a spoke",
    "back up",
    "restore",
    "copy",
    "revoke",
    "leave",
    "join",
    "join",
  ] as const),
] as const;

/**
 * What happens to the daemons of a simulation; the numbers choose among what there is.
 * - `pass`: a spoke reads its hub, in some weather.
 * - `kill`: a spoke is killed during a pass, a join or a leave, or the hub while it is read; then it is started again.
 * - `work alone`: somebody changes a copy. This is refused unless the project has left its hub.
 * - `clock of a spoke`: it is set wrong, by up to 25 hours ahead or a year back.
 * - `back up`, `restore`: of the hub or of a spoke; after a restore all that came later is lost.
 * - `copy`: a spoke's machine is copied while it runs, and both go on.
 * - `revoke`: the enrollment of a spoke ends.
 * - `leave`, `join`: a project of a spoke leaves its hub, and joins it again.
 */
export interface Trouble {
  readonly trouble: (typeof OFTEN)[number] | (typeof RARELY)[number];
  readonly at: number;
  readonly value: number;
}

export type Event = Step | Happening | Trouble;

export interface TroubledStory {
  readonly seed: number;
  /** What is done on the hub before its projects are federated. */
  readonly before: readonly Step[];
  readonly all: readonly Event[];
}

const BEFORE = 40;

/** The story of a seed, with so many events. */
export function troubledStory(seed: number, length: number): TroubledStory {
  const times = timesUsual(length);
  const rest = fc.oneof<fc.Arbitrary<Event>[]>(happenings(times), troubles(times));
  const [steps, others] = times === 1 ? [1, 2] : [LONG.steps, LONG.others];
  const event = fc.oneof<fc.WeightedArbitrary<Event>[]>(
    { weight: steps, arbitrary: stepsOf(times) },
    { weight: others, arbitrary: rest },
  );
  return {
    seed,
    before: fc.sample(step, { seed, numRuns: BEFORE }),
    all: fc.sample(event, { seed, numRuns: length }),
  };
}

const troubles = (times: number): fc.Arbitrary<Trouble> =>
  fc
    .record({
      trouble: oftenOr<Trouble["trouble"]>(OFTEN, RARELY, times),
      at: fc.nat(10_000),
      value: fc.nat(5),
    })
    .map((one) =>
      isPurge(one) && one.at % times > 0 ? { ...one, value: one.value % PURGES } : one,
    );

/** A purge rewrites the whole database, so a long story has no more of them than a usual one. */
function isPurge({ trouble, value }: Trouble): boolean {
  return trouble === "work alone" && value >= PURGES;
}
