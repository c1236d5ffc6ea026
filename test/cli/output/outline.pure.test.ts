import fc from "fast-check";
import { expect, test } from "vitest";
import { outlineOf } from "../../../src/cli/output/outline.ts";

const outlines = (json: string) => [outlineOf(Buffer.from(json)), outlineOf(Buffer.from(json), 0)];

test("the outline of an answer is the same, whether it is parsed as a whole or in parts", () => {
  const value = fc.oneof(fc.jsonValue(), fc.array(fc.record({ truncated: fc.boolean() })));
  const names = fc.constantFrom("issues", "results", "issue", "count", "truncated", "next_after");
  fc.assert(
    fc.property(fc.dictionary(names, value), (answer) => {
      const [whole, inParts] = outlines(JSON.stringify(answer));
      expect(inParts).toEqual(whole);
    }),
  );
});

test("an outline says how many rows there are, where the rest begins, and that an issue is cut", () => {
  const answer = { issues: [{ truncated: true }, {}], truncated: true, next_after: "place" };
  for (const outline of outlines(JSON.stringify(answer)))
    expect(outline).toEqual({ rows: 2, hasCutIssue: true, truncated: true, next_after: "place" });
});

test.each([['{"issues":[1,2'], ["no JSON"]])(
  "the outline of %s, which is no JSON, has no number of rows",
  (json) => {
    for (const outline of outlines(json))
      expect(outline).toEqual({ rows: undefined, hasCutIssue: false });
  },
);
