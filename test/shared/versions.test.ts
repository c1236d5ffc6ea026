import { expect, test } from "vitest";
import { compareVersions } from "../../src/shared/versions.ts";

test.each([
  ["1.2.3", "1.2.3", 0],
  ["1.2.3", "1.2.10", -1],
  ["2.0.0", "1.99.99", 1],
  ["1.0.0-beta", "1.0.0", -1],
  ["1.0.0-beta.10", "1.0.0-beta.9", 1],
  ["1.0.0+a", "1.0.0+b", 0],
])("%s compared with %s is %d", (a, b, order) => {
  expect(Math.sign(compareVersions(a, b))).toBe(order);
});
