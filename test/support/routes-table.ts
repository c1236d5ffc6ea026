import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ACCESS_ERRORS, BODY_ERRORS, COMMON_ERRORS } from "../../src/contract/common-errors.ts";
import { ERRORS, type ErrorCode } from "../../src/contract/error-codes.ts";
import { ROUTES } from "../../src/contract/index.ts";
import type { Route } from "../../src/contract/route.ts";
import { BASE_PATH } from "../../src/contract/version.ts";
import { ANY_ROUTE, CLAIMS_PATH, type Claim, escaped, pairOf, readClaims } from "./claim.ts";
import { commandsByRoute } from "./commands-of.ts";

const OTHER_DAEMONS = "other daemons ask it, with the token of an enrollment";
const PAGES = "the daemon's pages ask it";

/** For routes that no command calls, what people do instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  ping: "asked by every command that looks for a daemon, and by nobody else",
  createLink: "`svc create` and `svc edit` set links together with the rest",
  deleteLink: "`svc edit` takes links away together with the rest",
  createWebSessionCode: "`svc ui` asks it for the address that it opens",
  createLocalWebSession: PAGES,
  loginWebSession: PAGES,
  proxyWebSession: PAGES,
  deleteWebSession: PAGES,
  getProjectFederation:
    "`svc federation enable` answers the same, and repeating it changes nothing",
  getFederationProjectMetadata: OTHER_DAEMONS,
  pollFederationProjectEvents: OTHER_DAEMONS,
  sumFederationProjectEvents: OTHER_DAEMONS,
  hashFederationProjectIssues: OTHER_DAEMONS,
  ingestFederationProjectEvents: OTHER_DAEMONS,
  reconcileExternalRootByKey:
    "for programs that hear of a change there; `svc bridge reconcile` names the issue instead",
  setIssuePriority: "`svc edit --priority`",
  readUISnapshot:
    "for pages and programs that want one state; `svc list` and `svc show` read the same",
  readUIReferences: "asked by browser pages while somebody types",
  readUILaunchTarget: "gives the address of an issue in the browser",
};

/** Codes that are in no route's own list: any route, or the daemon before it, may answer with them. */
export function sharedCodes(): readonly ErrorCode[] {
  const own = new Set(ROUTES.flatMap(({ errors }) => errors));
  const all = Object.keys(ERRORS) as ErrorCode[];
  return all.filter((code) => !own.has(code) || SHARED.has(code));
}

const SHARED: ReadonlySet<ErrorCode> = new Set([
  ...COMMON_ERRORS,
  ...Object.values(ACCESS_ERRORS).flat(),
  ...BODY_ERRORS,
]);

/** The codes of a route that a test must get from that route. */
export function ownCodes(route: Route): readonly ErrorCode[] {
  return [...new Set(route.errors)].filter((code) => !SHARED.has(code));
}

/** What must be claimed: each code of each route, and each shared code once. */
export function wanted(): readonly (readonly [route: string, code: ErrorCode])[] {
  return [
    ...sharedCodes().map((code) => [ANY_ROUTE, code] as const),
    ...ROUTES.flatMap((route) => ownCodes(route).map((code) => [route.id, code] as const)),
  ];
}

const HEAD = `# Routes, their commands and their codes

Written by \`npm run golden:routes\`. The commands are those whose sources import the route. The tests are those that were answered the code by the route, and each run of a test file fails when a test does not reach what is said of it here; a route or a code without a test fails too.

## Codes of every route

Refusals that come before an operation, or that any operation can end in.

`;

export function routesTable(claims: readonly Claim[]): string {
  const known = new Map(claims.map((claim) => [pairOf(claim.route, claim.code), claim]));
  const commands = commandsByRoute(new Set(ROUTES.map(({ id }) => id)));
  const shared = codeTable(ANY_ROUTE, sharedCodes(), known);
  const sections = ROUTES.map((route) => {
    const { id, method, path, summary } = route;
    const codes = ownCodes(route);
    const table =
      codes.length === 0 ? "No codes but those of every route.\n" : codeTable(id, codes, known);
    return `### ${id}\n\n\`${method} ${BASE_PATH}${path}\`: ${summary}. ${asked(id, commands)}\n\n${table}`;
  });
  return `${HEAD}${shared}\n## Routes\n\n${sections.join("\n")}`;
}

function asked(id: string, commands: ReadonlyMap<string, readonly string[]>): string {
  const names = commands.get(id) ?? [];
  if (names.length > 0) return `Commands: ${names.map((name) => `\`svc ${name}\``).join(", ")}.`;
  return `No command: ${INSTEAD[id] ?? NO_COMMAND}.`;
}

export const NO_COMMAND = "nobody said why";
export const NO_TEST = "no test reaches it";

function codeTable(
  route: string,
  codes: readonly ErrorCode[],
  known: ReadonlyMap<string, Claim>,
): string {
  const rows = codes.map((code) => {
    const claim = known.get(pairOf(route, code));
    const test = claim === undefined ? NO_TEST : `${claim.file}: ${escaped(claim.test)}`;
    return `| \`${code}\` | ${ERRORS[code].status} | ${test} |\n`;
  });
  return `| Code | Status | Test |\n| --- | --- | --- |\n${rows.join("")}`;
}

interface SeenFile {
  readonly file: string;
  readonly pairs: readonly (readonly [pair: string, tests: readonly string[]])[];
}

/** Writes the table again from what the tests got. Lines that still hold, or whose test did not run, stay. */
export function writeRoutesTable(root: string, folder: string): void {
  const files = readdirSync(folder).map((name): SeenFile => {
    return JSON.parse(readFileSync(join(folder, name), "utf8"));
  });
  const run = new Set(files.map(({ file }) => file));
  const seen = new Map<string, Claim[]>();
  for (const { file, pairs } of files) {
    for (const [pair, tests] of pairs) {
      const [route = "", code = ""] = pair.split(" ");
      const claims = tests.map((test) => ({ route, code, file, test }));
      seen.set(pair, [...(seen.get(pair) ?? []), ...claims]);
    }
  }
  const old = new Map(readClaims().map((claim) => [pairOf(claim.route, claim.code), claim]));
  const claims = wanted().flatMap(([route, code]) => {
    const pair = pairOf(route, code);
    const found = seen.get(pair) ?? [];
    const before = old.get(pair);
    const holds =
      before !== undefined &&
      (!run.has(before.file) || found.some((one) => placeOf(one) === placeOf(before)));
    return holds ? [before] : found.toSorted(byPlace).slice(0, 1);
  });
  writeFileSync(join(root, CLAIMS_PATH), routesTable(claims));
}

function placeOf({ file, test }: Claim): string {
  return `${file}: ${test}`;
}

/** Tests of the routes themselves come first. */
function byPlace(a: Claim, b: Claim): number {
  const [ofA, ofB] = [a, b].map(
    (one) => `${one.file.startsWith("test/http/") ? 0 : 1}${placeOf(one)}`,
  );
  return (ofA ?? "") < (ofB ?? "") ? -1 : 1;
}
