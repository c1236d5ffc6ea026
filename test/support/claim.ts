import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");

/** Stands for any route that answered. */
export const ANY_ROUTE = "*";

export function pairOf(route: string, code: string): string {
  return `${route} ${code}`;
}

/** One line of the table: this test gets this code from this route. */
export interface Claim {
  readonly route: string;
  readonly code: string;
  readonly file: string;
  readonly test: string;
}

export const CLAIMS_PATH = "docs/routes.md";

const ROW = /^\| `(\w+)` \| \d+ \| (\S+): (.*) \|$/;

/** Returns the lines of docs/routes.md. */
export function readClaims(): readonly Claim[] {
  const claims: Claim[] = [];
  let route = ANY_ROUTE;
  for (const line of readFileSync(join(ROOT, CLAIMS_PATH), "utf8").split("\n")) {
    const heading = /^### (\w+)$/.exec(line)?.[1];
    if (heading !== undefined) route = heading;
    const [, code, file, test] = ROW.exec(line) ?? [];
    if (code === undefined || file === undefined || test === undefined) continue;
    claims.push({ route, code, file, test: unescaped(test) });
  }
  return claims;
}

export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll("|", "\\u007c");
}

function unescaped(text: string): string {
  return JSON.parse(`"${text}"`) as string;
}
