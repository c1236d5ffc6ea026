import { expect, test } from "vitest";
import { EVENT_KINDS } from "../../src/contract/event-kinds.ts";
import { ROUTES } from "../../src/contract/index.ts";
import * as library from "../../src/library/contract.ts";

test("svc/contract exports every route by its id", () => {
  const exported = new Map<string, unknown>(Object.entries(library));
  expect(ROUTES.filter((route) => exported.get(route.id) !== route).map(({ id }) => id)).toEqual(
    [],
  );
});

test("svc/contract exports the kinds of events", () => {
  expect(library.EVENT_KINDS).toBe(EVENT_KINDS);
});
