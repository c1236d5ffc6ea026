import fc from "fast-check";
import { expect, test } from "vitest";
import { ListCutter } from "../../tui/reads/list-cutter.ts";

function cut(text: string, size: number): readonly unknown[] {
  const bytes = Buffer.from(text);
  const cutter = new ListCutter();
  const found: unknown[] = [];
  for (let at = 0; at < bytes.length; at += size)
    found.push(...cutter.push(bytes.subarray(at, at + size)).map((one) => JSON.parse(one)));
  return found;
}

test("whatever a list holds and wherever its pieces end, its objects are those of the whole text", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const objects = fc.array(fc.dictionary(fc.string({ unit: "binary" }), value));
  fc.assert(
    fc.property(objects, fc.integer({ min: 1, max: 40 }), fc.boolean(), (issues, size, spaced) => {
      const text = JSON.stringify({ as_of: { at: "now" }, issues, more: [1, [{}]] }, null, +spaced);
      expect(cut(text, size)).toEqual(JSON.parse(text).issues);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['{"issues":[]}', []],
  [
    '{"as_of":{"a":{"b":1}},"issues":[{"a":"}]\\\\"},{"b":"\\\\\\""}]}',
    [{ a: "}]\\" }, { b: '\\"' }],
  ],
])("of %s the objects are %j", (text, objects) => {
  expect(cut(text, 1)).toEqual(objects);
  expect(cut(text, text.length)).toEqual(objects);
});
