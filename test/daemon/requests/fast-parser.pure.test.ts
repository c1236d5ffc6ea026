import fc from "fast-check";
import { expect, test } from "vitest";
import type { z } from "zod";
import { createIssue, listIssues, showIssue } from "../../../src/contract/issues.ts";
import { resolveProject } from "../../../src/contract/projects.ts";
import { readyIssues, searchIssues } from "../../../src/contract/search.ts";
import type { Shape } from "../../../src/contract/shape.ts";
import { IssueParams, ProjectParams } from "../../../src/contract/values.ts";
import {
  FAST_FIELDS,
  FAST_HEADERS,
  parseFast,
  parseFastTexts,
} from "../../../src/daemon/requests/fast-parser.ts";
import { textReader } from "../../../src/daemon/requests/input.ts";

const BODIES: ReadonlySet<Shape> = new Set<Shape>([resolveProject.body, createIssue.body]);
const TEXT_SHAPES = [...FAST_FIELDS.keys()].filter((shape) => !BODIES.has(shape));

const TEXTS = [
  ...["", " ", "a", "A", " a", "a ", "a b", "0", "1", "4", "5", "00", "01", "-1", "1.0", "1e3"],
  ...["9007199254740993", "999999999999999", "1000000000000000", "true", "false", "TRUE"],
  ...["open", "closed", "Open", "auto", "\u0000", "a\u0000", "ü", "\n", "a\nb", "#", "x#y"],
  ...["x".repeat(64), "x".repeat(65), "x".repeat(200), "x".repeat(257), "x".repeat(1024)],
  ...["x".repeat(1025), "ü".repeat(1024), "😀".repeat(600), "bug", "area:db", "Bug", "__proto__"],
];
const text = fc.constantFrom(...TEXTS);
const value = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.array(text, { maxLength: 3 }),
  fc.constantFrom<unknown>(null, true, false, 0, 1, 4, 5, -1, 1.5, [1], [null], {}, { a: 1 }),
);

function keysOf(shape: Shape): fc.Arbitrary<string> {
  const known = Object.keys((shape() as z.ZodObject).shape);
  return fc.constantFrom(...known, "unknown", "toString");
}

/**
 * `plain` is the result of the fast parser, `full` that of the schema. What the fast parser accepts, the schema must
 * parse to the same value.
 */
function expectSame(plain: unknown, full: z.ZodSafeParseResult<unknown>): void {
  if (plain === undefined) return;
  expect(full.success).toBe(true);
  expect(plain).toEqual(full.data);
}

test.each(
  TEXT_SHAPES.map((shape) => [Object.keys(FAST_FIELDS.get(shape) ?? {}).join(), shape] as const),
)("the fast parser reads a path or query (%s) as its schema does", (_, shape) => {
  const schema = shape() as z.ZodObject;
  const read = textReader(schema, "query");
  const texts = fc.oneof(
    { weight: 4, arbitrary: text.map((one) => [one]) },
    fc.array(text, { minLength: 1, maxLength: 3 }),
  );
  const given = fc.array(fc.tuple(keysOf(shape), texts), { maxLength: 4 });
  fc.assert(
    fc.property(given, (pairs) => {
      const values = new Map(pairs);
      expectSame(
        parseFastTexts(FAST_FIELDS.get(shape) ?? {}, values),
        schema.safeParse(read(values)),
      );
    }),
    { numRuns: 1000 },
  );
});

test.each(
  [...BODIES].map((shape) => [Object.keys(FAST_FIELDS.get(shape) ?? {}).join(), shape] as const),
)("the fast parser reads a body (%s) as its schema does", (_, shape) => {
  const given = fc.oneof(
    { weight: 9, arbitrary: fc.array(fc.tuple(keysOf(shape), value)).map(Object.fromEntries) },
    value,
  );
  fc.assert(
    fc.property(given, (body) => {
      expectSame(parseFast(FAST_FIELDS.get(shape) ?? {}, body), shape().safeParse(body));
    }),
    { numRuns: 1000 },
  );
});

test("each field of a row of the fast parser is a field of its schema, and each required field is in the row", () => {
  for (const [shape, fields] of FAST_FIELDS) {
    const schema = shape() as z.ZodObject;
    for (const [name, field] of Object.entries(fields)) {
      expect(Object.keys(schema.shape)).toContain(name);
      const optional = schema.shape[name]?.safeParse(undefined).success;
      expect([name, field.required === true]).toEqual([name, optional === false]);
    }
    const missed = Object.entries(schema.shape)
      .filter(([name, inner]) => !(name in fields) && !inner.safeParse(undefined).success)
      .map(([name]) => name);
    expect(missed).toEqual([]);
  }
});

test("the fast parser knows every header of a route, and none is required", () => {
  for (const [shape, names] of FAST_HEADERS) {
    expect([...names]).toEqual(Object.keys((shape() as z.ZodObject).shape));
    expect(shape().safeParse({}).success).toBe(true);
  }
});

const texts = (query: string) => {
  const values = new Map<string, string[]>();
  for (const [name, one] of new URLSearchParams(query))
    values.set(name, [...(values.get(name) ?? []), one]);
  return values;
};

test.each<[string, Shape, string, unknown]>([
  ["a project", ProjectParams, "project_id=12", { project_id: 12 }],
  ["an issue", IssueParams, "project_id=1&ref=ab3", { project_id: 1, ref: "ab3" }],
  ["a list", listIssues.query, "status=open&limit=200", { status: "open", limit: 200 }],
  ["a page", listIssues.query, "limit=2&after=", { limit: 2, after: "" }],
  ["labels", listIssues.query, "label=a&label=b&limit=0", { label: ["a", "b"], limit: 0 }],
  ["ready", readyIssues.query, "limit=200&unowned=true", { limit: 200, unowned: true }],
  ["search", searchIssues.query, "q=two words&limit=5", { q: "two words", limit: 5 }],
  ["show", showIssue.query, "", {}],
])("the fast parser accepts the request of a fast command: %s", (_, shape, query, expected) => {
  expect(parseFastTexts(FAST_FIELDS.get(shape) ?? {}, texts(query))).toEqual(expected);
});

test("the fast parser accepts the bodies of fast commands", () => {
  const name = { name: "bench" };
  expect(parseFast(FAST_FIELDS.get(resolveProject.body) ?? {}, name)).toEqual(name);
  const issue = { title: "Übermut", body: "a\nb", actor: "ann", priority: 0, labels: ["bug"] };
  expect(parseFast(FAST_FIELDS.get(createIssue.body) ?? {}, issue)).toEqual(issue);
});

test.each<[string, Shape, string]>([
  ["an unknown parameter", listIssues.query, "colour=red"],
  ["one value twice", listIssues.query, "status=open&status=open"],
  ["a project that is no number", ProjectParams, "project_id=abc"],
  ["no project", ProjectParams, ""],
  ["a blank search", searchIssues.query, "q= "],
])("the fast parser leaves a request to the schema: %s", (_, shape, query) => {
  expect(parseFastTexts(FAST_FIELDS.get(shape) ?? {}, texts(query))).toBeUndefined();
});
