import fc from "fast-check";
import { expect, test } from "vitest";
import { membersOf } from "../../src/base/json-members.ts";

test.each([
  ['{"a":1,"a":2}', "a"],
  ['{"a":{"b":1,"b":2}}', "a.b"],
  ['{"a":[0,{"b":1,"\\u0062":2}]}', "a[1].b"],
  ['{"a":[[{"b":1}],[{"b":1,"b":1}]]}', "a[1][0].b"],
  ['[{"a":1},{"a":1}]', undefined],
  ['{"a":{"a":{"a":1}},"b":{"a":1}}', undefined],
  ['{"a":"a\\"a:{,}","b":[]}', undefined],
  ["1", undefined],
])("the member of %s that occurs twice is %s", (text, twice) => {
  expect(membersOf(text).twice).toBe(twice);
});

test("a member's text is unchanged, without the white space around it", () => {
  const text = '{ "a" : { "x" : 1.0 } ,"b":[1, 2],"c":"}" }';
  expect(Object.fromEntries(membersOf(text).texts)).toEqual({
    a: '{ "x" : 1.0 }',
    b: "[1, 2]",
    c: '"}"',
  });
});

test("no text of JSON.stringify has a member twice, and all its members are found", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (value, spaces) => {
      const { twice, texts } = membersOf(JSON.stringify(value, null, spaces));
      expect(twice).toBeUndefined();
      const read = [...texts].map(([name, text]) => [name, JSON.parse(text)] as const);
      expect(Object.fromEntries(read)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
