import { expect, test } from "vitest";
import { interleaved } from "../../src/shared/interleaved.ts";

test.each([
  [[], []],
  [[[], []], []],
  [[[1, 2, 3]], [1, 2, 3]],
  [
    [[1, 2, 3], [4], [], [5, 6]],
    [1, 4, 5, 2, 6, 3],
  ],
])("the lists %j are mixed to %j", (lists, mixed) => {
  expect(interleaved<number>(lists)).toEqual(mixed);
});
