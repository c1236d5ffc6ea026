import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** The test of each vector of docs/contract/tools.md#11-cases: its file in `test`, and words of its title. */
const TESTS: Readonly<Record<number, readonly [file: string, title: string]>> = {
  1: ["mcp/protocol", "begins with a loader for each section"],
  2: ["mcp/arguments", "are refused by every tool with the path of the one fault"],
  3: ["mcp/protocol", "grows by a section when its loader is called, and is announced once"],
  4: ["mcp/storage", "leave the section out if there is no root"],
  5: [
    "mcp/administration",
    "are not available for tokens on a server that may not administer them",
  ],
  6: ["mcp/http-front", "a request with %s in its body gets 400 and an error without id"],
  7: ["mcp/protocol", "gets an error without id, and the next line is served"],
  8: ["mcp/protocol", "gets an error for unknown methods, but not for unknown notifications"],
  9: ["mcp/protocol", "a line of 8 MiB and a byte"],
  10: ["mcp/protocol", "learns what the server offers, with a cache hint of five minutes"],
  11: ["mcp/protocol", "is refused an unsupported version"],
  12: ["mcp/protocol", "has the version that the client requests, and only tools"],
  13: ["mcp/http-front", "with a wrong token"],
  14: ["mcp/http-front", "refuses other methods, and other hosts"],
  15: ["mcp/http-front", "of a foreign page"],
  16: ["mcp/http-front", "answers without a token, and forbids storing the answer"],
  17: ["e2e/mcp-http", "refuses flags that do not fit together, without repeating the token"],
  18: ["e2e/mcp-http", "refuses flags that do not fit together, without repeating the token"],
  19: ["mcp/start.whole", "refuses a daemon whose API is older than 0.11.0"],
  20: ["mcp/calls", "run at most eight at a time, and only twenty of them start"],
  21: ["mcp/discovery", "a server of %j requires the project in each ref"],
  22: [
    "mcp/discovery",
    "a server of one project accepts bare refs and refs of its project, and treats others as missing",
  ],
  23: ["mcp/discovery", "follows a project that is renamed, and drops one that is archived"],
  24: ["mcp/discovery", "follows a project that is renamed, and drops one that is archived"],
  25: [
    "mcp/mutation",
    "creates only one issue under an idempotency key, and says so when the call is repeated",
  ],
  26: [
    "mcp/mutation",
    "creates only one issue under an idempotency key, and says so when the call is repeated",
  ],
  27: ["mcp/lifecycle", "closes with evidence, and an exact retry returns the same event"],
  28: ["mcp/lifecycle", "closes with evidence, and an exact retry returns the same event"],
  29: ["mcp/mutation", "fields and metadata"],
  30: ["mcp/mutation", "a date twice"],
  31: ["mcp/mutation", "are set and removed"],
  32: ["mcp/mutation", "are set and removed"],
  33: ["mcp/lifecycle", "require the exact words before they remove anything"],
  34: [
    "mcp/mixed-modes",
    "a search that used different modes in two projects reports the mode mixed",
  ],
  35: ["mcp/discovery", "has as many rows as requested, and refuses a limit of 101"],
  36: ["mcp/discovery", "refuses a cursor that it did not issue"],
  37: ["mcp/discovery", "has the newest comments, oldest first"],
  38: ["mcp/lifecycle", "continues with a cursor, and must start again after a purge"],
  39: ["mcp/lifecycle", "continues with a cursor, and must start again after a purge"],
  40: [
    "mcp/activity",
    "svc.events on a server of %j waits for the next event, but no longer than requested",
  ],
  41: ["mcp/activity", "svc.events tells the client to read everything again after a purge"],
  42: [
    "mcp/lifecycle",
    "answers with the reason timeout and the status of each issue when its time is over",
  ],
  43: ["mcp/administration", "%s needs a server of all projects"],
  44: ["mcp/lifecycle", "names no issue of other projects when it is refused"],
  45: [
    "mcp/administration",
    "a lease of another actor is reported, and stolen only with a reason; stealing one's own lease keeps the lease",
  ],
  46: [
    "mcp/administration",
    "a lease of another actor is reported, and stolen only with a reason; stealing one's own lease keeps the lease",
  ],
  47: ["mcp/sync", "svc.%s refuses %j on a server of one project"],
  48: ["mcp/administration", "show the secret of a new token only once"],
  49: ["mcp/storage", "refuses %s, and writes nothing"],
  50: [
    "mcp/storage",
    "writes a complete file that only its owner can read, and replaces one only with the exact words",
  ],
  51: ["mcp/storage", "refuses the database that the daemon serves, however its path is spelled"],
  52: ["mcp/federation", "let a copy leave in three calls, the last of which needs a confirmation"],
  53: [
    "mcp/start.whole",
    "a daemon that stops when idle is pinged at once, and again half its timeout after each answer",
  ],
  54: ["mcp/start.whole", "a daemon that never stops is sent no ping"],
  55: ["mcp/calls", "gets no answer, and lets the next one run"],
  56: ["mcp/protocol", "with wrong arguments names the first three"],
  57: ["mcp/mutation", "moves an issue between projects of the server's scope"],
  58: ["mcp/http-sessions", "is announced once to each client"],
  59: ["mcp/protocol", "may send requests before it is initialized"],
};

test("each of the 59 test vectors has a test", () => {
  expect(Object.keys(TESTS).map(Number)).toEqual(Array.from({ length: 59 }, (_, at) => at + 1));
  const missing = Object.entries(TESTS).filter(([, [file, title]]) => {
    const text = readFileSync(join(import.meta.dirname, "..", `${file}.test.ts`), "utf8");
    return !text.includes(title);
  });
  expect(missing).toEqual([]);
});
