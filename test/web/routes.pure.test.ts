import { expect, test } from "vitest";
import * as contract from "../../src/contract/index.ts";
import { ROUTES as PAGE } from "../../web/routes.ts";

test("the page calls each route by the method and path of the contract", () => {
  const known = new Map(contract.ROUTES.map(({ id, method, path }) => [id, [method, path]]));
  const expected = Object.keys(PAGE).map((id) => [id, known.get(id)]);
  expect(Object.entries(PAGE)).toEqual(expected);
});
