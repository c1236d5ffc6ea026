import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BEHAVIOURS } from "../../src/connectors/kit/behaviours.ts";
import { RULES } from "../../src/connectors/rules.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const page = readFileSync(join(ROOT, "docs", "connectors.md"), "utf8");

test("docs/connectors.md shows the connector in Python as it is, in at most 60 lines", () => {
  const [, shown] = /```python\n(.*?)```/s.exec(page) ?? [];
  const text = readFileSync(join(ROOT, "examples", "connectors", "minimal.py"), "utf8");
  expect(shown).toBe(text);
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
});

test("docs/connectors.md has each rule once, with the sentence that svc connector test prints", () => {
  const rows = [...page.matchAll(/^\| ([a-z_]+\.[a-z_]+) \| (.*) \|$/gm)];
  const written = rows.map(([, id = "", text = ""]) => [id, text]);
  expect(written.toSorted()).toEqual(Object.entries(RULES).toSorted());
});

test("docs/connectors.md shows each behaviour in the output of svc connector test", () => {
  const lines = [...page.matchAll(/^(?:ok|skipped) +(\d+) (.*)$/gm)];
  const shown = lines.map(([, number, name]) => [Number(number), name]);
  const all = BEHAVIOURS.map(({ number, name }) => [number, name] as const);
  expect(shown).toEqual(all.toSorted(([left], [right]) => left - right));
});
