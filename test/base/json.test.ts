import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, parseExact, parseJson, sameJson } from "../../src/base/json.ts";

/** Numbers that JavaScript writes as they were, and numbers that it writes differently. */
const NUMBERS = [
  ...["0", "-1", "12.5", "999999999999999", "9007199254740991"],
  ...["1.0", "-0.0", "1.50", "1e400", "-2E+5", "1e-7", "9007199254740993", "-12345678901234567890"],
];

const TEXTS = ["", "a", "2026-01-01T00:00:00.000Z", "1.0", ":1.0", ",1e5", "[1.0]", '":1.0', "😀"];

/** JSON text as a client may write it, and the same text without white space. */
interface Written {
  readonly spaced: string;
  readonly plain: string;
}

const space = fc.constantFrom("", " ", "\n\t", "\r\n  ");

const scalar: fc.Arbitrary<Written> = fc
  .oneof(
    fc.constantFrom(...NUMBERS, "true", "null"),
    fc.constantFrom(...TEXTS).map((text) => JSON.stringify(text)),
  )
  .map((text) => ({ spaced: text, plain: text }));

const { value } = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.tuple(fc.array(fc.tuple(tie("value"), space), { maxLength: 4 })).map(([items]) => ({
      spaced: `[${items.map(([item, gap]) => gap + item.spaced + gap).join(",")}]`,
      plain: `[${items.map(([item]) => item.plain).join(",")}]`,
    })),
    fc
      .array(fc.tuple(fc.constantFrom(...TEXTS), tie("value"), space), { maxLength: 4 })
      .map((fields) => [...new Map(fields.map((field) => [field[0], field])).values()])
      .map((fields) => {
        const written = fields.map(
          ([name, item, gap]) => [JSON.stringify(name), item, gap] as const,
        );
        return {
          spaced: `{${written.map(([name, item, gap]) => `${gap}${name}${gap}:${gap}${item.spaced}${gap}`).join(",")}}`,
          plain: `{${written.map(([name, item]) => `${name}:${item.plain}`).join(",")}}`,
        };
      }),
  ),
}));

test("numbers keep their spelling at any place in a document", () => {
  fc.assert(
    fc.property(value, space, ({ spaced, plain }, gap) => {
      expect(JSON.stringify(parseJson(gap + spaced + gap))).toBe(plain);
    }),
    { numRuns: 2000 },
  );
});

test.each(NUMBERS)("%s keeps its spelling alone, in a list and in an object", (number) => {
  for (const text of [number, `[${number}]`, `[0,${number}]`, `{"a":${number}}`])
    expect(JSON.stringify(parseJson(text))).toBe(text);
});

test("the canonical form sorts the keys of every object and keeps a key named __proto__", () => {
  const written = '{"b":[{"d":1.0,"c":2}],"__proto__":{"z":1,"y":2},"a":null}';
  expect(canonicalJson(parseJson(written))).toBe(
    '{"__proto__":{"y":2,"z":1},"a":null,"b":[{"c":2,"d":1.0}]}',
  );
});

test.each([
  [undefined, undefined, true],
  [undefined, null, false],
  [null, undefined, false],
  [null, null, true],
  ["", null, false],
  [1, "1", false],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [{ a: 1, b: { c: [] } }, { b: { c: [] }, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: null }, false],
])("%j and %j are the same value: %j", (left, right, isSame) => {
  expect(sameJson(left, right)).toBe(isSame);
});

test.each([
  ...["9007199254740993", "-12345678901234567890", "1e400", "-1E+400", "1e-400"],
  "0.1234567890123456789",
])("%s, which JavaScript cannot represent, keeps its digits in an exact parse", (number) => {
  for (const text of [number, `[1,${number}]`, `{"a":{"b": ${number}}}`])
    expect(JSON.stringify(parseExact(text))).toBe(text.replace(" ", ""));
});

test.each([
  ...["0", "-1", "12.5", "9007199254740991", "9007199254740992", "1.0", "1.50", "-2E+5", "1e-7"],
  ...["0.30000000000000004", "100000000000000000000", "1e23", "0.1", "5e-324"],
])("%s, which JavaScript represents, is a plain number in an exact parse", (number) => {
  expect(parseExact(number)).toBe(Number(number));
  expect(parseExact(`{"a":[${number},"12345678901234567890"]}`)).toEqual({
    a: [Number(number), "12345678901234567890"],
  });
});
