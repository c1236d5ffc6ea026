import { expect, test } from "vitest";
import { ROUTES } from "../../src/contract/index.ts";

test.each(ROUTES)("the parameters of $id are those in its path", ({ path, params }) => {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  expect(Object.keys(params().shape)).toEqual(named);
});
