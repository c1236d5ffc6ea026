import { expect, test } from "vitest";
import { API_SCHEMA_VERSION } from "../../src/contract/version.ts";
import { declineText, OLDEST_API_SCHEMA, supportsApiSchema } from "../../web/embed/version.ts";

test.each<readonly [string | null | undefined, boolean]>([
  [undefined, false],
  [null, false],
  ["", false],
  ["0", false],
  ["0.5", false],
  ["newest", false],
  ["9x.0.0", false],
  ["0.4.99", false],
  ["0.5.0-rc.1", false],
  ["0.5.0", true],
  ["0.5.0+build.1", true],
  ["0.5.1", true],
  ["0.10.0", true],
  [API_SCHEMA_VERSION, true],
  ["1.0.0", true],
  ["12.0.0", true],
])("a daemon whose API version is %j is supported: %j", (version, isSupported) => {
  expect(supportsApiSchema(version)).toBe(isSupported);
});

test("the oldest supported version is 0.5.0, the first in which all issues have metadata", () => {
  expect(OLDEST_API_SCHEMA).toBe("0.5.0");
});

test.each([
  [undefined, "the daemon does not say the version of its API"],
  ["", "the daemon does not say the version of its API"],
  ["0.4.0", "the version of the daemon's API is 0.4.0"],
])("the line in place of an issue tells of the version %j", (version, part) => {
  expect(declineText(version)).toBe(
    `This issue is not shown: ${part}, and 0.5.0 or later is needed.`,
  );
});
