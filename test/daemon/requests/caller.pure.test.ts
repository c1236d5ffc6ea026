import { expect, test } from "vitest";
import { ROUTES } from "../../../src/contract/index.ts";
import { changesState, type Input, type Route } from "../../../src/contract/route.ts";
import type { Shape } from "../../../src/contract/shape.ts";
import { asCaller } from "../../../src/daemon/requests/caller.ts";
import { golden } from "../../support/golden.ts";

/** The members of requests that name a person. */
const NAMES = /^(?:actor|author|holder|owner|expected_owner|of_actor|takeable_by|from|to|for)$/;

const members = (shape: Shape): readonly string[] => {
  const schema = shape();
  return "shape" in schema ? Object.keys(schema.shape as object) : [];
};
const filled = (shape: Shape): Record<string, string> =>
  Object.fromEntries(members(shape).map((name) => [name, "sent"]));

/** Describes which members of a request the credential's actor replaces, and which it leaves. */
function lineOf(route: Route): string {
  const input = { params: {}, headers: {}, query: filled(route.query), body: filled(route.body) };
  const who = { kind: "db_token", local: false, actor: "ann" } as const;
  const told = asCaller(route, who, input as Input<Route>);
  const fields = (["query", "body"] as const).flatMap((part) =>
    members(route[part])
      .filter((name) => NAMES.test(name))
      .map((name) => [`${part}.${name}`, (told[part] as Record<string, string>)[name]] as const),
  );
  const of = (value: string) =>
    fields
      .filter(([, is]) => is === value)
      .map(([name]) => name)
      .join(", ") || "nothing";
  return `${route.id}: ${of("ann")}; leaves ${of("sent")}\n`;
}

test("the actor of a credential replaces the actor fields of a write, and nothing else", () => {
  const changing = ROUTES.filter((route) => changesState(route));
  const text = changing.map(lineOf).join("");
  expect(text).toBe(golden("test/golden/callers.txt", text));
});

test("a read, and a request whose credential names no actor, stay unchanged", () => {
  const input = { params: {}, headers: {}, query: { actor: "bea" }, body: {} };
  const who = { kind: "db_token", local: false, actor: "ann" } as const;
  const unnamed = { kind: "static_token", local: false } as const;
  for (const route of ROUTES) {
    const given = input as Input<typeof route>;
    if (!changesState(route) || route.access === "tokens")
      expect(asCaller(route, who, given)).toBe(given);
    expect(asCaller(route, unnamed, given)).toBe(given);
  }
});
