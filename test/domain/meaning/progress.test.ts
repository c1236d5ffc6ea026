import { describe, expect, test } from "vitest";
import {
  type ProgressSample,
  progressOf,
  withSample,
} from "../../../src/domain/meaning/progress.ts";

describe("the rate of a backfill", () => {
  const sampled = (...samples: readonly (readonly [number, number])[]): readonly ProgressSample[] =>
    samples.reduce<readonly ProgressSample[]>(
      (known, [seconds, done]) => withSample(known, { at: seconds * 1000, done }),
      [],
    );

  /** The progress right after the last sample, or so many seconds later. */
  const progress = (
    samples: readonly (readonly [number, number])[],
    backlog: number,
    later = 0,
  ): ReturnType<typeof progressOf> =>
    progressOf(sampled(...samples), backlog, ((samples.at(-1)?.[0] ?? 0) + later) * 1000);

  test.each([
    ["no sample", []],
    ["one sample", [[0, 5]]],
    [
      "two samples at one time",
      [
        [3, 5],
        [3, 9],
      ],
    ],
  ] as const)("is unknown with %s", (_what, samples) => {
    expect(progress(samples, 10)).toEqual({});
  });

  test("is what got done between the first sample and the last", () => {
    expect(
      progress(
        [
          [0, 0],
          [5, 20],
          [10, 40],
        ],
        81,
      ),
    ).toEqual({
      rate_per_second: 4,
      eta_seconds: 21,
    });
  });

  test("gives no time that is left while nothing gets done", () => {
    expect(
      progress(
        [
          [0, 7],
          [5, 7],
        ],
        81,
      ),
    ).toEqual({ rate_per_second: 0 });
  });

  test("gives no time that is left, and no rate under 0, when issues were removed", () => {
    expect(
      progress(
        [
          [0, 7],
          [5, 3],
        ],
        81,
      ),
    ).toEqual({ rate_per_second: 0 });
  });

  test("is that of the last minute", () => {
    expect(
      progress(
        [
          [0, 0],
          [40, 4000],
          [100, 4060],
        ],
        0,
      ),
    ).toEqual({
      rate_per_second: 1,
      eta_seconds: 0,
    });
  });

  test("is known though a batch takes longer than a minute", () => {
    expect(
      progress(
        [
          [0, 0],
          [90, 9],
          [180, 27],
        ],
        2,
      ),
    ).toEqual({
      rate_per_second: 0.2,
      eta_seconds: 10,
    });
  });

  test("is 0 when nothing has got done for more than a minute", () => {
    const samples = [
      [0, 0],
      [10, 40],
    ] as const;
    expect(progress(samples, 81, 60)).toEqual({ rate_per_second: 4, eta_seconds: 21 });
    expect(progress(samples, 81, 61)).toEqual({ rate_per_second: 0 });
  });

  test("is 0 only after twice the time of a batch that takes longer than a minute", () => {
    const samples = [
      [0, 0],
      [90, 9],
    ] as const;
    expect(progress(samples, 2, 90)).toEqual({ rate_per_second: 0.1, eta_seconds: 20 });
    expect(progress(samples, 2, 91)).toEqual({ rate_per_second: 0 });
  });
});
