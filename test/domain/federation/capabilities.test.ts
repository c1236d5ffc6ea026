import { expect, test } from "vitest";
import { canonicalCapabilities } from "../../../src/domain/federation/capabilities.ts";

test.each([
  ["pull", ["pull"]],
  [
    ["push", "pull"],
    ["pull", "push"],
  ],
  [" push , lease,pull", ["claim", "pull", "push"]],
  [["lease", "claim", " claim "], ["claim"]],
])("the capabilities %j are stored as %j", (given, stored) => {
  expect(canonicalCapabilities(given)).toEqual(stored);
});

test.each([
  ["", []],
  ["pull,", ["pull", ""]],
  ["admin", ["Pull"]],
  [" ", ["pull,push"]],
])("the capabilities are refused as the text %j and as the list %j", (text, list) => {
  for (const given of [text, list])
    expect(() => canonicalCapabilities(given)).toThrow(/capabilities/);
});
