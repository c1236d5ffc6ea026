import fc from "fast-check";
import { type Step, step } from "../../support/random-steps.ts";

/** What is listed again happens more often. */
const OFTEN = [
  ...(["write", "write", "write", "write", "deliver", "deliver", "pull", "pull"] as const),
] as const;
const RARELY = ["refresh", "join", "clock"] as const;

/**
 * What happens around the hub; the numbers choose among what there is.
 * - `pull`: a replica reads a page.
 * - `write`: a daemon that is offline writes an event.
 * - `deliver`: some events of an offline daemon reach the hub, in any order.
 * - `refresh`: the hub is asked for its metadata, so it writes a new baseline if something was purged; sometimes an issue
 *   is purged for this.
 * - `join`: there is one more replica.
 * - `clock`: the clock of the hub jumps, forward or back.
 */
export interface Happening {
  readonly happens: (typeof OFTEN)[number] | (typeof RARELY)[number];
  readonly at: number;
  readonly value: number;
}

/** The length of a story in the suite. */
const USUAL = 80;

/**
 * How many times longer than usual a story is. What makes copies begin anew, or reads or writes a whole project, costs
 * more in a longer story. So a long story has no more of it than a usual one.
 */
export function timesUsual(length: number): number {
  return Math.max(1, Math.round(length / USUAL));
}

/** Chooses what happens often, and sometimes one of the others: the longer the story, the more rarely. */
export function oftenOr<T>(
  often: readonly T[],
  rarely: readonly T[],
  times: number,
): fc.Arbitrary<T> {
  if (times === 1) return fc.constantFrom(...often, ...rarely);
  return fc.oneof(
    { weight: often.length * times, arbitrary: fc.constantFrom(...often) },
    { weight: rarely.length, arbitrary: fc.constantFrom(...rarely) },
  );
}

export function happenings(times: number): fc.Arbitrary<Happening> {
  return fc.record({
    happens: oftenOr<Happening["happens"]>(OFTEN, RARELY, times),
    at: fc.nat(10_000),
    value: fc.nat(5),
  });
}

/** The steps of a story. After each purge, every copy begins anew. */
export function stepsOf(times: number): fc.Arbitrary<Step> {
  if (times === 1) return step;
  return step.map((one) =>
    COSTLY.has(one.act) && one.at % times > 0 ? { ...one, act: "edit" as const } : one,
  );
}

const COSTLY: ReadonlySet<Step["act"]> = new Set(["purge", "purgeProject", "archive"]);

/** How many of ten events of a long story are steps, so that most are operations on the hub. */
export const LONG = { steps: 7, others: 3 } as const;
