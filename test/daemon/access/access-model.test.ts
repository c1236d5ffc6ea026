import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ROUTES } from "../../../src/contract/index.ts";
import type { Route } from "../../../src/contract/route.ts";
import { Nothing } from "../../../src/contract/shape.ts";
import { BASE_PATH } from "../../../src/contract/version.ts";
import { authenticator } from "../../../src/daemon/access/authenticate.ts";
import type { Peers } from "../../../src/daemon/access/peer.ts";
import { SocketEvent } from "../../../src/daemon/requests/event.ts";
import type { Right } from "../../../src/domain/access/rights.ts";
import { type Answered, type Door, openDoor } from "../../support/access-app.ts";
import { type Attempt, BEFORE, expectedOf, isOwners } from "../../support/access-model.ts";
import { MODES } from "../../support/access-table.ts";
import { rawOf } from "../../support/broken.ts";
import { sqliteDatabase } from "../../support/store.ts";
import { type Seeds, seeded, wholeOf } from "../../support/whole.ts";
import { type World, world } from "../../support/world.ts";

/** For longer runs by hand: SVC_ACCESS_REQUESTS=100000, and another SVC_ACCESS_SEED. */
const REQUESTS = Number(process.env["SVC_ACCESS_REQUESTS"] ?? 10_000);
const SEED = Number(process.env["SVC_ACCESS_SEED"] ?? fc.sample(fc.nat(), 1)[0]);

const HEADER = "x-forwarded-user";
const PROFILE = "/debug/pprof/goroutine";
const TOKENS: Readonly<Record<Attempt["authorization"][number], string>> = {
  own: "Bearer own-secret-0123456789",
  ann: "Bearer svc_ann",
  revoked: "Bearer svc_revoked",
  prefix: "Bearer own-secret-012345678",
  basic: "Basic b3duLXNlY3JldC0wMTIzNDU2Nzg5",
  spaced: "Bearer own-secret- 0123456789",
};
const ACTIVE = createHash("sha256").update("svc_ann").digest("hex");
/** A token that the generated requests do not revoke: they revoke the one with the id 1. */
const lookup = async (hash: string) => (hash === ACTIVE ? { id: 2, actor: "ann" } : undefined);

/** The users of a trusted proxy: all requests are the first one's. */
const [PROXY, ANOTHER] = [1, 2];
const peers: Peers = { isOwn: () => true, isOf: async (_socket, user) => user === PROXY };

interface Target {
  readonly id: string;
  readonly right: Right;
  readonly method: string;
  readonly route?: Route;
}
const TARGETS: readonly Target[] = [
  // Sessions have tests of their own: this app serves no pages.
  ...ROUTES.filter(({ tag }) => tag !== "sessions").map((route) => ({
    id: route.id,
    right: route.access,
    method: route.method,
    route,
  })),
  // Stands for the routes that are not in the contract.
  { id: "profile", right: "profile", method: "GET" },
];

const attempt = fc.record({
  mode: fc.constantFrom(...MODES),
  trusted: fc.boolean(),
  network: fc.constantFrom("unix" as const, "tcp" as const),
  stranger: mostly(false, true),
  target: fc.constantFrom(...TARGETS),
  method: fc.constantFrom("own", "own", "own", "own", "own", "own", "own", "head", "options"),
  host: mostly("own" as const, "foreign" as const, "two" as const),
  origin: mostly(false, true),
  authorization: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.array(fc.constantFrom(...names(TOKENS)), { minLength: 1, maxLength: 1 }),
    },
    { weight: 2, arbitrary: fc.constant<readonly Attempt["authorization"][number][]>([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.constantFrom(...names(TOKENS)), { minLength: 2, maxLength: 3 }),
    },
  ),
  actors: fc.array(fc.constantFrom("bea", "bea", "Bea, Dr", " ", "", "@me", "x".repeat(300)), {
    maxLength: 3,
  }),
  bodyActor: mostly("mallory", ""),
  setting: fc.boolean(),
  forwarded: fc.boolean(),
});

function mostly<T>(usual: T, ...rare: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...rare) },
  );
}

function names<K extends string>(record: Readonly<Record<K, unknown>>): readonly K[] {
  return Object.keys(record) as K[];
}

type Generated = typeof attempt extends fc.Arbitrary<infer T> ? T : never;

test("randomly generated requests are permitted or refused as the contract requires", async () => {
  const w = await servedWorld();
  const wrong: string[] = [];
  const seen = new Map<string, number>();
  let last = await w.lastId();
  for (const given of fc.sample(attempt, { numRuns: REQUESTS, seed: SEED })) {
    const asked = attemptOf(given);
    const expected = expectedOf(asked);
    const answer = await w.send(given, asked);
    const written = (await w.lastId()) - last;
    last += written;
    const count = "refused" in expected ? expected.refused : `passes in ${asked.mode}`;
    seen.set(count, (seen.get(count) ?? 0) + 1);
    const fault =
      "refused" in expected
        ? refusedFault(expected, answer, written)
        : (passedFault(answer, given.target, expected.actor, await w.actors(written)) ??
          (given.target.id === "closeIssue" ? closeFault(answer, asked) : undefined));
    if (fault !== undefined)
      wrong.push(`${fault}: ${JSON.stringify({ ...asked, to: given.target.id })}`);
  }
  expect(wrong.slice(0, 10), `${wrong.length} wrong, with SVC_ACCESS_SEED=${SEED}`).toEqual([]);
  // The generated requests must cause every refusal of the table, and must also pass in every mode.
  expect([...seen.keys()].filter((key) => key.startsWith("passes")).length).toBe(MODES.length);
  for (const code of BEFORE) expect(seen.get(code) ?? 0, code).toBeGreaterThan(0);
}, 3_600_000);

function refusedFault(
  { refused, status }: { readonly refused: string; readonly status: number },
  answer: Answered,
  written: number,
): string | undefined {
  if (written > 0) return `wrote ${written} events`;
  if (answer.status !== status) return `${answer.status} ${answer.code} instead of ${refused}`;
  // The answer to a HEAD request has no body, so it has no code.
  return answer.code === refused || answer.code === undefined
    ? undefined
    : `${answer.code}, not ${refused}`;
}

/** The events of these routes have other actors: the job's own, or `admin` if the caller gave no name. */
const OTHER_ACTORS = new Set(["sweepCronJob", "forceReleaseIssueLease"]);

/** These routes answer 503, since this daemon serves no pages, and has no code host, no hub and no connectors. */
const UNAVAILABLE = new Set([
  ...["readUISnapshot", "readUIReferences", "readUILaunchTarget"],
  "enableIssueSync",
  "createFederationReplica",
  ...ROUTES.flatMap(({ id, access }) => (access === "connectors" ? [id] : [])),
]);

function passedFault(
  { status, code = "" }: Answered,
  { id }: Target,
  actor: string | undefined,
  actors: readonly string[],
): string | undefined {
  if (status >= 500 && !(status === 503 && UNAVAILABLE.has(id))) return `${status} ${code}`;
  if (BEFORE.has(code) || status === 401 || status === 405) return `${code} instead of passing`;
  if (OTHER_ACTORS.has(id)) return undefined;
  const others = actors.filter((one) => one !== actor);
  return others.length === 0 ? undefined : `written by ${others.join(", ")} instead of ${actor}`;
}

/** The request closes an issue as the terminal screen does. */
function closeFault({ code, body }: Answered, asked: Attempt): string | undefined {
  const { data } = (body["error"] ?? {}) as { readonly data?: { readonly field?: string } };
  if (data?.field === "actor") return undefined;
  const refused = code === "validation" && data?.field === "source";
  return refused === isOwners(asked) ? `close is ${refused ? "" : "not "}refused` : undefined;
}

function attemptOf({ target, method, ...rest }: Generated): Attempt {
  const asked = methodOf({ target, method });
  return {
    ...rest,
    right: target.right,
    known: asked !== "OPTIONS",
    get: asked === "GET" || asked === "HEAD",
  };
}

/** A stream does not accept HEAD. */
function methodOf({ target, method }: Pick<Generated, "target" | "method">): string {
  if (method === "options") return "OPTIONS";
  return method === "head" && target.method === "GET" && target.right !== "stream"
    ? "HEAD"
    : target.method;
}

/**
 * One database and one app. Each mode has a socket and a port, each without the trusted header, and with it for the
 * proxy and for another user.
 */
async function servedWorld() {
  const settings = { tokensAdministerConnectors: false };
  const judges = new Map(
    MODES.flatMap((mode) =>
      [true, false].map((tokensAdministerConnectors) => [
        `${mode} ${tokensAdministerConnectors}`,
        authenticator({
          ...{ mode, token: "own-secret-0123456789", lookup, peers, tokensAdministerConnectors },
        }),
      ]),
    ),
  );
  const w = await world({
    store: (await sqliteDatabase()).open,
    authenticate: (event, right) => {
      if (!(event instanceof SocketEvent)) return { kind: "none", local: true };
      const mode = MODES.find((one) => one === event.connection.listener.id) ?? "identity";
      const judge = judges.get(`${mode} ${settings.tokensAdministerConnectors}`);
      if (judge === undefined) throw new Error(`no judge of ${mode}`);
      return judge(event, right);
    },
  });
  const seeds = await seeded(w);
  const doors = new Map<string, Door>();
  for (const mode of MODES) {
    for (const network of ["unix", "tcp"] as const) {
      for (const stranger of [true, false]) {
        const proxyUser = network === "unix" ? undefined : stranger ? ANOTHER : PROXY;
        const trusting = { id: mode, trustedHeader: HEADER, proxyUser };
        doors.set(`${mode} ${network} ${stranger}`, await openDoor(w.app, network, trusting));
      }
      doors.set(
        `${mode} ${network}`,
        await openDoor(w.app, network, { id: mode, own: network === "unix" }),
      );
    }
  }
  return {
    lastId: async () => await w.store.read(async ({ events }) => await events.lastId()),
    actors: async (count: number) => await lastActors(w, count),
    send: async (given: Generated, { mode, network, trusted, stranger }: Attempt) => {
      const door = doors.get(`${mode} ${network}${trusted ? ` ${stranger}` : ""}`);
      if (door === undefined) throw new Error(`no listener of ${mode}`);
      settings.tokensAdministerConnectors = given.setting;
      return await sendTo(door, given, seeds);
    },
  };
}

async function lastActors({ store }: World, count: number): Promise<readonly string[]> {
  if (count === 0) return [];
  return await store.read(async ({ events }) => {
    const found = await events.after((await events.lastId()) - count, count);
    return found.map(({ actor }) => actor);
  });
}

async function sendTo({ listener, send }: Door, given: Generated, seeds: Seeds): Promise<Answered> {
  const { target, host, origin, authorization, actors, forwarded } = given;
  const own = listener.kind === "socket" ? "svc" : listener.address;
  const hosts = { own: [own], foreign: ["tracker.example"], two: [own, "other.example"] }[host];
  const headers = [
    ...hosts.flatMap((value) => ["Host", value]),
    ...(origin ? ["Origin", "http://evil.example"] : []),
    ...(forwarded ? ["X-Forwarded-For", "203.0.113.7"] : []),
    ...authorization.flatMap((one) => ["Authorization", TOKENS[one]]),
    ...actors.flatMap((value) => [HEADER, value]),
  ];
  const method = methodOf(given);
  if (target.route === undefined) return await send(method, PROFILE, headers);
  const raw = rawOf(target.route, withActor(target.route, given.bodyActor, seeds));
  const more = Object.entries(raw.headers).flatMap(([name, value]) => [name, value]);
  const path = `${BASE_PATH}${raw.path}${raw.query === "" ? "" : `?${raw.query}`}`;
  return await send(method, path, [...headers, ...more], raw.body);
}

/** Returns the request of the route with this actor as the caller. */
function withActor(route: Route, actor: string, seeds: Seeds) {
  const whole = wholeOf(route, seeds);
  const { query, body } = whole;
  return {
    ...whole,
    query: route.access === "write" && "actor" in query ? { ...query, actor } : query,
    body:
      route.body === Nothing || !isObject(body) || !("actor" in body) ? body : { ...body, actor },
  };
}

function isObject(value: unknown): value is Readonly<Record<string, never>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
