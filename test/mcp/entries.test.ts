import { expect, test } from "vitest";
import { compacted } from "../../src/mcp/compact.ts";
import { entryOf } from "../../src/mcp/entry.ts";
import { SECTION_NAMES, toolNames } from "../../src/mcp/sections.ts";
import { TOOLS } from "../../src/mcp/tools/index.ts";
import { golden } from "../support/golden.ts";

const made = (
  await Promise.all(SECTION_NAMES.map(async (section) => await TOOLS[section]()))
).flat();

/** Writes one line for each tool, so that a changed tool shows as one line in a diff. */
function linesOf(entries: readonly unknown[]): string {
  return `[\n${entries.map((entry) => JSON.stringify(entry)).join(",\n")}\n]\n`;
}

test("the committed entries match the tools", () => {
  const path = "src/mcp/entries.json";
  const text = linesOf(made.map(entryOf));
  expect(text).toBe(golden(path, text));
});

test("each section has the tools that the contract names, in order", () => {
  expect(made.map(({ name }) => name)).toEqual(SECTION_NAMES.flatMap(toolNames));
});

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
}

/** Each schema inside with the path to it, the properties of objects inside lists included. */
function inside(schema: Schema, path: string): readonly (readonly [string, Schema])[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    [`${path}.${name}`, property] as const,
    ...inside(property, `${path}.${name}`),
  ]);
  return [...own, ...(schema.items === undefined ? [] : inside(schema.items, `${path}[]`))];
}

test("every property of an input, at any depth, is described", () => {
  for (const { name, inputSchema } of made.map(entryOf)) {
    expect(inputSchema["additionalProperties"], name).toBe(false);
    for (const [path, property] of inside(inputSchema as Schema, name))
      expect(property.description ?? "", path).not.toBe("");
  }
});

test("no tool's schema has a choice such as oneOf at its root, since some clients drop such a tool", () => {
  for (const { name, inputSchema, outputSchema } of made.map(entryOf))
    for (const schema of [inputSchema, outputSchema])
      for (const word of ["oneOf", "anyOf", "allOf"]) expect(schema, name).not.toHaveProperty(word);
});

test("the committed compact list is what --compact makes of the entries", () => {
  const path = "test/golden/mcp-compact.json";
  const text = linesOf(made.map((tool) => compacted(entryOf(tool))));
  expect(text).toBe(golden(path, text));
});
