import { expect, test } from "vitest";
import { SvcError } from "../../src/contract/errors.ts";
import { searchPlan } from "../../src/ops/search/semantic.ts";

const WORDS = { run: "words" } as const;
const WITHOUT = { configured: false, readonly: false };
const STRANGERS = { configured: true, readonly: true };
const CONFIGURED = { configured: true, readonly: false };
const NEITHER = { configured: false, readonly: true };

test.each([
  ["lexical", WITHOUT, WORDS],
  ["lexical", CONFIGURED, WORDS],
  ["lexical", STRANGERS, WORDS],
  ["lexical", NEITHER, WORDS],
  ["auto", WITHOUT, WORDS],
  ["auto", STRANGERS, WORDS],
  ["auto", NEITHER, WORDS],
  ["auto", CONFIGURED, { run: "hybrid", falls_back: true }],
  ["hybrid", CONFIGURED, { run: "hybrid", falls_back: false }],
  ["semantic", CONFIGURED, { run: "semantic", falls_back: false }],
] as const)("a search in mode %s on a daemon that is %j is planned as %j", (mode, at, plan) => {
  expect(searchPlan(mode, at)).toEqual(plan);
});

test.each([
  ["hybrid", WITHOUT, "validation"],
  ["semantic", WITHOUT, "validation"],
  ["hybrid", NEITHER, "validation"],
  ["semantic", NEITHER, "validation"],
  ["hybrid", STRANGERS, "auth_required"],
  ["semantic", STRANGERS, "auth_required"],
] as const)("a search in mode %s on a daemon that is %j is refused as %s", (mode, at, code) => {
  const plan = () => searchPlan(mode, at);
  expect(plan).toThrow(SvcError);
  expect(plan).toThrow(expect.objectContaining({ code }));
});

test("the refusal of a mode without a provider names the two settings", () => {
  expect(() => searchPlan("semantic", WITHOUT)).toThrow(
    expect.objectContaining({
      message: "mode: semantic search is not configured on this daemon",
      hint: "set base_url and model of [search.embeddings] in config.toml, or search by words",
    }),
  );
});
