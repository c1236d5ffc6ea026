import { expect, test } from "vitest";
import { planOf } from "../../src/meaning/generations.ts";
import type { Generation } from "../../src/store/types/vectors.ts";

function generation(id: number, fingerprint: string, state: Generation["state"]): Generation {
  const started_at = "2026-01-01T00:00:00.000Z";
  return { id, fingerprint, model: fingerprint, dims: 3, state, started_at, activated_at: null };
}

const [A, B, C] = ["a", "b", "c"];

test.each<
  [
    string,
    readonly Generation[],
    { working?: number; begins: string; serving?: number; dropped: readonly number[] },
  ]
>([
  ["there is none: it begins active", [], { begins: "active", dropped: [] }],
  [
    "it is active",
    [generation(1, A, "active")],
    { working: 1, serving: 1, begins: "building", dropped: [] },
  ],
  [
    "another model is active: it is built beside that",
    [generation(1, B, "active")],
    { serving: 1, begins: "building", dropped: [] },
  ],
  [
    "it is being built",
    [generation(1, B, "active"), generation(2, A, "building")],
    { working: 2, serving: 1, begins: "building", dropped: [] },
  ],
  [
    "the model was changed twice: what the one between has is dropped",
    [generation(1, B, "active"), generation(2, C, "building"), generation(3, A, "building")],
    { working: 3, serving: 1, begins: "building", dropped: [2] },
  ],
  [
    "somebody went back to the active model: what was being built is dropped",
    [generation(1, A, "active"), generation(2, B, "building")],
    { working: 1, serving: 1, begins: "building", dropped: [2] },
  ],
  [
    "somebody went back to a retired model: it is filled again",
    [generation(1, A, "retired"), generation(2, B, "active")],
    { working: 1, serving: 2, begins: "building", dropped: [] },
  ],
  [
    "it is built anew beside itself, and again: the newest counts",
    [generation(1, A, "active"), generation(2, A, "building"), generation(3, A, "building")],
    { working: 3, serving: 1, begins: "building", dropped: [2] },
  ],
  [
    "it is active, and older ones are retired",
    [generation(1, A, "retired"), generation(2, B, "retired"), generation(3, A, "active")],
    { working: 3, serving: 3, begins: "building", dropped: [1, 2] },
  ],
])("the plan for the generations when %s", (_what, all, { working, serving, begins, dropped }) => {
  const plan = planOf(all, A);
  expect(plan.working?.id).toBe(working);
  expect(plan.serving?.id).toBe(serving);
  expect(plan.begins).toBe(begins);
  expect(plan.dropped.map(({ id }) => id)).toEqual(dropped);
});
