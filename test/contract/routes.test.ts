import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ANY_ROUTE, CLAIMS_PATH, pairOf, readClaims } from "../support/claim.ts";
import { NO_COMMAND, routesTable, wanted } from "../support/routes-table.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const text = readFileSync(join(ROOT, CLAIMS_PATH), "utf8");

test("docs/routes.md matches the routes, the commands and its own claims", () => {
  expect(text).toBe(routesTable(readClaims()));
});

test("tests reach every error code, and every error code of every route", () => {
  const claimed = new Set(readClaims().map(({ route, code }) => pairOf(route, code)));
  const missing = wanted().filter(([route, code]) => !claimed.has(pairOf(route, code)));
  expect(missing, "npm run golden:routes finds the tests that reach them").toEqual([]);
});

test("docs/routes.md names a command at the routes that it calls, and at no others", () => {
  const asking = (name: string): readonly string[] =>
    text
      .split("### ")
      .filter((section) => section.includes(`\`svc ${name}\``))
      .map((section) => section.slice(0, section.indexOf("\n")));
  // The command finds the job's uid by its name in the list.
  const asks = ["health", "listCronJobs", "showCronJob", "replaceCronJob"];
  expect(asking("cron job enable")).toEqual(asks);
  expect(asking("cron job disable")).toEqual(asks);
});

/** A file that exists checks its own claims; a missing file cannot. */
test("every test file that docs/routes.md names exists, and test runs check what is claimed about it", () => {
  const files = [...new Set(readClaims().map(({ file }) => file))];
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  const config = readFileSync(join(ROOT, "vitest.config.ts"), "utf8");
  expect(config).toContain('"test/support/claims.ts"');
});

test("every route has a command, or an explanation of what people do instead", () => {
  expect(text).not.toContain(NO_COMMAND);
  expect(text).toContain(`### closeIssue`);
  expect(readClaims().some(({ route }) => route === ANY_ROUTE)).toBe(true);
});
