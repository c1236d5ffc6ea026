import { expect, test } from "vitest";
import { cosine, normalised } from "../../../src/domain/meaning/vectors.ts";
import { type VectorKind, vectorOfText } from "./vectors.ts";

function near(one: string, other: string, kind: VectorKind = "meaning"): number {
  const [a, b] = [one, other].map((text) => normalised(vectorOfText(text, kind, 768), 768));
  if (!(a instanceof Float32Array) || !(b instanceof Float32Array)) return Number.NaN;
  return cosine(a, b);
}

test("the provider of the tests puts texts near each other that mean the same without a common word", () => {
  expect(near("pages are slow to open", "latency of the website")).toBeGreaterThan(0.4);
  expect(near("pages are slow to open", "invoice has the wrong currency")).toBeLessThan(0.3);
  expect(near("crashes at start", "crashed when it starts")).toBeGreaterThan(0.8);
});

test("its vectors are a function of the text, also for texts without words", () => {
  for (const text of ["", "?!", "the", "a b c", "größe"])
    expect(near(text, text)).toBeCloseTo(1, 5);
});

test.each<[VectorKind, number, number]>([
  ["random", -0.15, 0.15],
  ["positive", 0.7, 0.8],
  ["anisotropic", 0.5, 0.8],
])("the cosine of two texts with vectors of the kind %s is from %d to %d", (kind, from, to) => {
  const cosines = Array.from({ length: 30 }, (_, at) => near(`one ${at}`, `other ${at}`, kind));
  expect(Math.min(...cosines)).toBeGreaterThan(from);
  expect(Math.max(...cosines)).toBeLessThan(to);
});
