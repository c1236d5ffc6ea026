import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { exportLines } from "../../src/archive/export.ts";
import { ERRORS } from "../../src/contract/error-codes.ts";
import type { ErrorBody } from "../../src/contract/errors.ts";
import { ROUTES } from "../../src/contract/index.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { brokenRequests, oddRequests, rawOf, takesInput } from "../support/broken.ts";
import { PAGES } from "../support/pages.ts";
import { describeStore, sqliteDatabase } from "../support/store.ts";
import { seeded, sent, wholeOf } from "../support/whole.ts";
import { world } from "../support/world.ts";

/** Returns a hash of everything in the database. */
async function stateOf({ store }: { readonly store: AdminStore }): Promise<string> {
  const hash = createHash("sha256");
  const snapshot = await store.openSnapshot();
  try {
    for await (const line of exportLines(snapshot, { includeDeleted: true })) hash.update(line);
    return hash.digest("hex");
  } finally {
    await snapshot.close();
  }
}

/** Returns what is wrong with the form of a refusal, or `undefined`. */
async function faultOf(response: Response): Promise<string | undefined> {
  const text = await response.text();
  if (response.status < 400 || response.status >= 500)
    return `${response.status} ${text.slice(0, 200)}`;
  const { status, error } = JSON.parse(text) as ErrorBody;
  const entry = Object.hasOwn(ERRORS, error.code)
    ? ERRORS[error.code as keyof typeof ERRORS]
    : undefined;
  if (entry?.status !== response.status || status !== response.status)
    return `status of ${text.slice(0, 200)}`;
  const known = new Set(["code", "message", "hint", "data"]);
  if (error.message === "" || !Object.keys(error).every((key) => known.has(key)))
    return `body ${text.slice(0, 200)}`;
  return undefined;
}

/** Its program is not there: a connector that fails is an answer. */
const CONNECTORS = {
  entries: [
    {
      ...{ id: "files", command: "/no/such/program", args: [], timeoutMs: 1000 },
      ...{ env: {}, settings: {} },
    },
  ],
  environment: {},
};

describeStore("requests generated from the contract", (open) => {
  test("requests with one fault each are refused with an error code of their route, and change nothing", async () => {
    const w = await world({ store: open, pages: PAGES, connectors: CONNECTORS });
    const seeds = await seeded(w);
    const faults: string[] = [];
    for (const route of ROUTES) {
      const before = await stateOf(w);
      for (const { how, raw } of brokenRequests(route, wholeOf(route, seeds))) {
        const fault = await faultOf(await sent(w, raw)).catch(String);
        if (fault !== undefined) faults.push(`${route.id}, where ${how}: ${fault}`);
      }
      if ((await stateOf(w)) !== before) faults.push(`${route.id} changed something`);
    }
    expect(faults).toEqual([]);
  }, 240_000);

  test("requests with unusual texts and numbers cause no internal error", async () => {
    const w = await world({ store: open, pages: PAGES, connectors: CONNECTORS });
    const seeds = await seeded(w);
    const faults: string[] = [];
    for (const route of ROUTES) {
      for (const { how, raw } of oddRequests(route, wholeOf(route, seeds))) {
        const response = await sent(w, raw);
        if (response.status >= 400) {
          const fault = await faultOf(response);
          if (fault !== undefined) faults.push(`${route.id}, where ${how}: ${fault}`);
        } else await response.text();
      }
    }
    expect(faults).toEqual([]);
  }, 120_000);
});

/** Codes about the form of the whole request. A request that is refused with one of them would not test its fault. */
const FAULTS_OF_FORM = [
  "method_not_allowed",
  "validation",
  "payload_too_large",
  "unsupported_media_type",
  "origin_forbidden",
];

/**
 * Some of these need a recurring job that svc runs itself, with everything that it depends on, a project that reads from
 * a code host, or a provider of search by meaning, or name one of two dates, or have fields that exclude each other. The
 * others open sessions, which only a listener for pages does.
 */
const NEEDS_MORE = new Set([
  "showCronJobLedger",
  "sweepCronJob",
  "runIssueSyncOnce",
  "reindexEmbeddings",
  "testEmbeddings",
  "mapConnectorField",
  "unmapConnectorField",
  "resolveExternalComment",
  "createWebSessionCode",
  "createLocalWebSession",
  "loginWebSession",
  "proxyWebSession",
]);

describe("the broken requests", () => {
  test("the broken requests are made from valid ones in more than twenty ways", async () => {
    const w = await world({ store: (await sqliteDatabase()).open, pages: PAGES });
    const seeds = await seeded(w);
    const few: string[] = [];
    const refused: string[] = [];
    for (const route of ROUTES) {
      const whole = wholeOf(route, seeds);
      if (takesInput(route) && brokenRequests(route, whole).length < 20) few.push(route.id);
      if (route.responseType !== undefined || NEEDS_MORE.has(route.id)) continue;
      const response = await sent(w, rawOf(route, whole));
      const { error } = (await response.json()) as Partial<ErrorBody>;
      if (error?.message === ERRORS.not_found.message) refused.push(`${route.id}: is not served`);
      if (error !== undefined && FAULTS_OF_FORM.includes(error.code))
        refused.push(`${route.id}: ${error.message}`);
    }
    expect({ few, refused }).toEqual({ few: [], refused: [] });
  });
});
