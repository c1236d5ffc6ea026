import { expect, test } from "vitest";
import { namesTag } from "../../src/domain/entity-tags.ts";

const TAG = '"abc"';

test.each([
  [undefined, false],
  ["", false],
  ['"abc"', true],
  [' "abc" ', true],
  ["*", true],
  [" * ", true],
  ['"x", "abc"', true],
  ['"x","abc" , "y"', true],
  [', ,"abc"', true],
  ['"x", *', false],
  // A weak tag names no answer, byte for byte.
  ['W/"abc"', false],
  ['W/"abc", "abc"', true],
  ['w/"abc"', false],
  // A comma inside quotes does not separate.
  ['"x,"abc""', false],
  ['"x, abc"', false],
  ["abc", false],
  ['"abc', false],
  ['"ABC"', false],
  ['"abc"x', false],
  ['"x" "abc"', false],
])("If-None-Match: %s matches the tag: %s", (header, names) => {
  expect(namesTag(header, TAG)).toBe(names);
});
