import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect } from "vitest";
import type { ErrorBody } from "../../src/contract/errors.ts";
import { ROUTES } from "../../src/contract/index.ts";
import { codesOf, type Route } from "../../src/contract/route.ts";
import { BASE_PATH } from "../../src/contract/version.ts";
import { ANY_ROUTE, pairOf, readClaims } from "./claim.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** For each code of a route, such as `closeIssue issue_not_found`, the names of the tests of this file that got it. */
const seen = new Map<string, Set<string>>();

/** Forgets the codes of an earlier test file, because test files may share this module. */
export function forgetSeen(): void {
  seen.clear();
}

function sawCode(route: string, code: string): void {
  const { currentTestName } = expect.getState();
  if (currentTestName === undefined) return;
  const tests = seen.get(pairOf(route, code)) ?? new Set();
  seen.set(pairOf(route, code), tests.add(currentTestName));
}

export async function sawAnswer({ method, url }: Request, response: Response): Promise<void> {
  if (response.status >= 400) sawBody(await response.clone().json(), { method, url });
}

/**
 * Records what a route answered, for the table of docs/routes.md; only the code if the route is unknown. A code that
 * the route does not document makes the test fail, whatever the test is about.
 */
export function sawBody(body: unknown, asked?: SentRequest): void {
  const { error } = (body ?? {}) as Partial<ErrorBody>;
  if (typeof error?.code !== "string") return;
  sawCode(ANY_ROUTE, error.code);
  const route = asked === undefined ? undefined : routeOf(asked);
  if (route === undefined) return;
  if (!documents(route, error.code)) {
    throw new Error(`${route.id} answered ${error.code}, which it does not document`);
  }
  sawCode(route.id, error.code);
}

interface SentRequest {
  readonly method: string;
  readonly url: string;
}

function documents(route: Route, code: string): boolean {
  const codes: readonly string[] = codesOf(route);
  return codes.includes(code);
}

const PATHS = ROUTES.map((route) => {
  const path = route.path.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{\w+\}/g, "[^/]+");
  return { route, path: new RegExp(`^${BASE_PATH}${path}$`) };
});

function routeOf({ method, url }: SentRequest): Route | undefined {
  const { pathname } = new URL(url);
  const wanted = method === "HEAD" ? "GET" : method;
  const found = PATHS.filter(({ route, path }) => route.method === wanted && path.test(pathname));
  // `/projects/resolve` also matches the path of a project. The path with fewer parameters is the right one.
  const names = ({ route }: (typeof PATHS)[number]): number => route.path.split("{").length;
  return found.toSorted((a, b) => names(a) - names(b))[0]?.route;
}

/** Returns the claims about this file of tests that did not hold, or whose test does not exist. */
export function brokenClaims(path: string, ran: ReadonlySet<string>, whole: boolean): string[] {
  const file = relative(ROOT, path).replaceAll("\\", "/");
  return readClaims()
    .filter((claim) => claim.file === file)
    .filter(({ test }) => ran.has(test) || whole)
    .filter(({ route, code, test }) => seen.get(pairOf(route, code))?.has(test) !== true)
    .map(({ route, code, test }) => `${test}: does not reach ${code} of ${route}`);
}

/** For writing docs/routes.md: saves what this file of tests got. */
export function keepSeen(path: string, folder: string): void {
  const file = relative(ROOT, path).replaceAll("\\", "/");
  const pairs = [...seen].map(([pair, tests]) => [pair, [...tests].sort()]);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${file.replaceAll("/", "-")}-${process.pid}.json`),
    JSON.stringify({ file, pairs }),
  );
}
