import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ERRORS } from "../../src/contract/error-codes.ts";
import { ROUTES } from "../../src/contract/index.ts";

const PAGE = readFileSync(new URL("../../docs/contract/http-api.md", import.meta.url), "utf8");

/** Returns the text from a heading to the next one of the same level. */
function section(heading: string): string {
  const from = PAGE.indexOf(`\n${heading}`);
  expect(from, heading).toBeGreaterThan(0);
  const level = heading.slice(0, heading.indexOf(" ") + 1);
  const to = PAGE.indexOf(`\n${level}`, from + 1);
  return PAGE.slice(from, to < 0 ? undefined : to);
}

describe("docs/contract/http-api.md", () => {
  test("lists every error code once, with its HTTP status", () => {
    const rows = section("### 1.3 ").matchAll(/^\| (\d{3}|the hub's) \| ([^|]*) \|/gm);
    const listed = [...rows].flatMap(([, status, codes = ""]) =>
      [...codes.matchAll(/`([a-z_]+)`/g)].map(([, code]) => `${code} ${status}`),
    );
    const known = Object.entries(ERRORS).map(([code, { status }]) =>
      code === "hub_claim_failed" ? `${code} the hub's` : `${code} ${status}`,
    );
    expect(listed.toSorted()).toEqual(known.toSorted());
  });

  test("names every operation in the list of routes", () => {
    const list = section("## 2. Routes");
    expect(ROUTES.map(({ id }) => id).filter((id) => !list.includes(`\`${id}\``))).toEqual([]);
  });
});
