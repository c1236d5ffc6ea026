import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { createLog } from "../../../src/base/log.ts";
import type { Mode } from "../../../src/domain/access/modes.ts";
import { type Answered, accessApp, openDoor, pathOf } from "../../support/access-app.ts";
import { type BEARERS, CELLS, MODES, NOT_IT, TOKEN, UNKNOWN } from "../../support/access-table.ts";
import { call, testDaemon } from "../../support/daemon.ts";

const OWN = "svc-own-token-0123456789";
const ANNS_TOKEN = "svc_of-ann";
const HEADER = "x-user";

const tokens = new Map([
  [createHash("sha256").update(ANNS_TOKEN).digest("hex"), { id: 7, actor: "ann" }],
]);
const lookup = async (hash: string) => tokens.get(hash);

const appOf = (mode: Mode) =>
  accessApp({ mode, lookup, ...(mode === "static" || mode === "identity" ? { token: OWN } : {}) });

const HEADERS: Readonly<Record<(typeof BEARERS)[number], readonly string[]>> = {
  none: [],
  wrong: ["Authorization", "Bearer svc-own-token-0123456780"],
  configured: ["Authorization", `Bearer ${OWN}`],
  database: ["Authorization", `Bearer ${ANNS_TOKEN}`],
};

const principalOf = ({ body }: Answered): unknown => body["who"];
const heard = ({ code, body }: Answered): unknown =>
  code ?? (body["who"] as { readonly kind: string }).kind;

describe.each(MODES)("in the access mode %s", (mode) => {
  const cells = CELLS.filter((cell) => cell.mode === mode);

  test.each(["unix", "tcp"] as const)(
    "a %s listener permits or refuses each request as the access table says",
    async (network) => {
      const { ask } = await openDoor(appOf(mode), network);
      const answers = await Promise.all(
        cells.map(async ({ method, right, bearer }) => {
          return heard(await ask(method, pathOf(right), HEADERS[bearer], bodyFor(method)));
        }),
      );
      expect(answers).toEqual(cells.map(({ answer }) => answer));
    },
  );

  test("a listener for a trusted proxy checks the bearer token first, and then takes the actor only from the proxy's header", async () => {
    const { ask } = await openDoor(appOf(mode), "unix", { trustedHeader: HEADER });
    const wrong: string[] = [];
    for (const { method, right, bearer, answer } of cells) {
      const named = await ask(
        method,
        pathOf(right),
        [...HEADERS[bearer], HEADER, "bea"],
        bodyFor(method),
      );
      const unnamed = await ask(
        method,
        pathOf(right),
        [...HEADERS[bearer], HEADER, " "],
        bodyFor(method),
      );
      const refused = [TOKEN, NOT_IT, UNKNOWN].find((code) => code === answer);
      const [given, missing] =
        refused !== undefined ? [refused, refused] : EXPECTED[right as keyof typeof EXPECTED];
      const told = `${method} ${right} ${bearer}: ${heard(named)}, ${heard(unnamed)}`;
      if (heard(named) !== given || heard(unnamed) !== missing) wrong.push(told);
    }
    expect(wrong).toEqual([]);
  });
});

/** The results with the header and without it. The table of the modes says nothing about enrollments. */
const EXPECTED = {
  open: ["none", "none"],
  read: ["trusted_proxy", "trusted_proxy_absent"],
  stream: ["trusted_proxy", "trusted_proxy_absent"],
  profile: ["trusted_proxy", "trusted_proxy_absent"],
  write: ["trusted_proxy", "actor_header_required"],
  tokens: ["token_admin_forbidden", "token_admin_forbidden"],
  connectors: ["integration_administration_forbidden", "integration_administration_forbidden"],
} as const;

const bodyFor = (method: string): object | undefined => (method === "POST" ? {} : undefined);

describe("a bearer token", () => {
  test.each([
    ["another case of the scheme", `bearer ${OWN}`, TOKEN],
    ["no scheme", OWN, TOKEN],
    ["another scheme", "Basic YW5uOnNlY3JldA==", TOKEN],
    ["a scheme alone", "Bearer", TOKEN],
    ["two spaces", `Bearer  ${OWN}`, NOT_IT],
    ["a tab", `Bearer\t${OWN}`, TOKEN],
    ["a space in the token", `Bearer ${OWN.slice(0, 5)} ${OWN.slice(5)}`, NOT_IT],
    ["a second token", `Bearer ${OWN}, Bearer ${OWN}`, NOT_IT],
    ["a part of the token", `Bearer ${OWN.slice(0, -1)}`, NOT_IT],
    ["the token and more", `Bearer ${OWN}x`, NOT_IT],
    ["10,000 characters", `Bearer ${"x".repeat(10_000)}`, NOT_IT],
  ])("an Authorization header with %s is rejected", async (_how, value, code) => {
    const { ask } = await openDoor(appOf("static"), "unix");
    const answer = await ask("GET", "/api/v1/read", ["Authorization", value]);
    expect([answer.code, answer.status]).toEqual([code, code === TOKEN ? 401 : 403]);
  });

  test("a bearer token of a megabyte is refused before it is compared", async () => {
    const { ask } = await openDoor(appOf("static"), "unix");
    const value = `Bearer ${"x".repeat(1024 * 1024)}`;
    const answer = await ask("GET", "/api/v1/read", ["Authorization", value]).catch(String);
    expect(typeof answer === "string" || answer.status === 431).toBe(true);
    expect((await ask("GET", "/api/v1/read", ["Authorization", `Bearer ${OWN}`])).status).toBe(200);
  });

  test("a bearer token that is sent twice is refused, even if both copies are right", async () => {
    const { ask } = await openDoor(appOf("static"), "unix");
    for (const other of [`Bearer ${OWN}`, "Bearer x", ""]) {
      const twice = ["Authorization", `Bearer ${OWN}`, "authorization", other];
      const answer = await ask("GET", "/api/v1/read", twice);
      expect(answer).toMatchObject({
        status: 400,
        code: "validation",
        body: {
          error: { data: { field: "Authorization" }, hint: "send one Authorization header" },
        },
      });
    }
  });

  test("a bearer token is ignored in the query and in headers other than Authorization", async () => {
    const { ask } = await openDoor(appOf("static"), "unix");
    const query = `?token=${OWN}&access_token=${OWN}&authorization=Bearer%20${OWN}`;
    const others = ["Proxy-Authorization", `Bearer ${OWN}`, "X-Auth-Token", OWN, "Cookie", OWN];
    expect((await ask("GET", `/api/v1/read${query}`, others)).code).toBe(TOKEN);
  });

  test("a bearer token that is missing is requested by WWW-Authenticate, and a refused token is not repeated in the answer", async () => {
    const { ask } = await openDoor(appOf("static"), "tcp");
    const { headers, body } = await ask("GET", "/api/v1/read");
    expect(headers["www-authenticate"]).toBe("Bearer");
    expect(body).toMatchObject({ error: { hint: expect.stringContaining("SVC_AUTH_TOKEN") } });
    const refused = await ask("GET", "/api/v1/read", HEADERS.wrong);
    expect(JSON.stringify(refused)).not.toContain("svc-own");
  });

  test("a bearer token with characters beyond ASCII is compared as UTF-8", async () => {
    const app = accessApp({ mode: "static", token: "schlüssel" });
    const { ask } = await openDoor(app, "unix");
    const bytes = Buffer.from("schlüssel").toString("latin1");
    expect((await ask("GET", "/api/v1/read", ["Authorization", `Bearer ${bytes}`])).status).toBe(
      200,
    );
  });

  test("a bearer token is required by an app that runs in its caller's process too", async () => {
    const app = appOf("static");
    const url = "http://localhost/api/v1/read";
    expect((await app.fetch(new Request(url))).status).toBe(401);
    const headers = { authorization: `Bearer ${OWN}` };
    expect((await app.fetch(new Request(url, { headers }))).status).toBe(200);
  });
});

test("no token reaches the log or an answer, whether it came in a header or a query", async () => {
  const lines: string[] = [];
  const sink = { write: (line: string) => void lines.push(line), reopen() {}, close() {} };
  const log = createLog(sink, systemClock);
  const { endpoint } = await testDaemon({ log, authentication: { mode: "static", token: OWN } });
  const answers: string[] = [];
  const ask = async (path: string, authorization?: string) => {
    const headers = authorization === undefined ? {} : { authorization };
    answers.push((await call(endpoint, "GET", path, { headers })).text);
  };
  await ask("/projects", `Bearer ${OWN}`);
  await ask("/projects", `Bearer ${OWN}0`);
  await ask(`/projects?token=${OWN}`);
  await ask(`/events/stream?authorization=Bearer%20${OWN}`);
  await ask(`/projects/1/issues/none?token=${OWN}`, `Bearer ${OWN}`);
  await ask(`/no-such-path?token=${OWN}`, `Bearer ${OWN}`);
  expect(lines.join("")).toContain("auth_invalid");
  expect(lines.join("") + answers.join("")).not.toContain(OWN);
});

test.each([
  ["open", undefined, undefined],
  ["tokenless", undefined, undefined],
  ["readonly", undefined, "this daemon is read-only (--insecure-readonly): start it with"],
  ["static", OWN, undefined],
  ["identity", OWN, "the bootstrap token only reads and administers tokens: write with"],
] as const)(
  "in the access mode %s GET /instance says whether the caller may write",
  async (mode, token, why) => {
    const { endpoint } = await testDaemon({
      authentication: { mode, ...(token === undefined ? {} : { token }) },
    });
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const { body } = await call(endpoint, "GET", "/instance", { headers });
    const { read_only } = body["auth"] as { readonly read_only?: string };
    expect(read_only).toEqual(why && expect.stringContaining(why));
    const wrote = await call(endpoint, "POST", "/projects", {
      headers,
      body: { actor: "ann", name: "web" },
    });
    expect(wrote.status === 200).toBe(read_only === undefined);
  },
  20_000,
);

test("GET /instance says that a person's token may write", async () => {
  const { endpoint } = await testDaemon({ authentication: { mode: "identity", token: OWN } });
  const auth = (token: unknown) => ({ headers: { authorization: `Bearer ${String(token)}` } });
  const made = await call(endpoint, "POST", "/tokens", { ...auth(OWN), body: { actor: "ann" } });
  const { body } = await call(endpoint, "GET", "/instance", auth(made.body["plaintext"]));
  expect(body["auth"]).toEqual({ actor: "ann", close_requires_evidence: true });
}, 20_000);

describe("the actor of a request", () => {
  const asBody = { actor: "mallory", holder: "mallory" };

  test("the actor of a database token replaces the actor in the body and the query of a write, but not of a read", async () => {
    const { ask } = await openDoor(appOf("identity"), "unix");
    const token = HEADERS.database;
    const wrote = await ask("POST", "/api/v1/write", token, asBody);
    expect(wrote.body).toMatchObject({
      who: { kind: "db_token", actor: "ann", tokenId: 7, local: false },
      body: { actor: "ann", holder: "ann" },
    });
    expect((await ask("POST", "/api/v1/write", token, {})).body["body"]).toEqual({ actor: "ann" });
    const removed = await ask("DELETE", "/api/v1/write?actor=mallory", token);
    expect(removed.body).toMatchObject({ query: { actor: "ann" } });
    const read = await ask("GET", "/api/v1/read?actor=mallory", token);
    expect(read.body).toMatchObject({ query: { actor: "mallory" } });
  });

  test("the actor is the first value of the proxy's header, unchanged", async () => {
    const { ask } = await openDoor(appOf("identity"), "unix", { trustedHeader: HEADER });
    const actorOf = async (...values: readonly string[]): Promise<unknown> => {
      const named = values.flatMap((value) => [HEADER, value]);
      const answer = await ask("POST", "/api/v1/write", [...HEADERS.database, ...named], asBody);
      return answer.code ?? (answer.body["body"] as { readonly actor: string }).actor;
    };
    expect(await actorOf("bea")).toBe("bea");
    expect(await actorOf("bea", "mallory")).toBe("bea");
    expect(await actorOf("Smith, Bea", "mallory")).toBe("Smith, Bea");
    expect(await actorOf("", "mallory")).toBe("actor_header_required");
    expect(await actorOf(Buffer.from("Beä").toString("latin1"))).toBe("Beä");
    expect(await actorOf("Be\u00e4")).toBe("Beä");
    expect(await actorOf("x".repeat(5000))).toBe("validation");
  });

  test("an invalid value of the proxy's header is ignored in reads, and refused in writes with an error that names the header", async () => {
    const { ask } = await openDoor(appOf("open"), "unix", { trustedHeader: HEADER });
    const long = [HEADER, "x".repeat(5000)];
    expect((await ask("POST", "/api/v1/write", long, {})).body).toMatchObject({
      error: { code: "validation", message: expect.stringContaining(HEADER) },
    });
    expect(principalOf(await ask("GET", "/api/v1/read", long))).toEqual({
      kind: "trusted_proxy",
      local: false,
    });
    expect((await ask("POST", "/api/v1/write", [], {})).body).toMatchObject({
      error: { code: "actor_header_required", data: { header: HEADER } },
    });
  });

  test("the proxy's header is ignored on a listener that is not for the proxy", async () => {
    const { ask } = await openDoor(appOf("open"), "tcp");
    const answer = await ask("POST", "/api/v1/write", [HEADER, "bea"], asBody);
    expect(answer.body).toMatchObject({ who: { kind: "none" }, body: { actor: "mallory" } });
  });
});

describe("the owner of the machine", () => {
  const localOf = (answer: Answered): unknown =>
    (principalOf(answer) as { readonly local: boolean }).local;

  test("the owner of the machine is recognised on the daemon's own socket, and not by a loopback address alone", async () => {
    const app = appOf("open");
    const socket = await openDoor(app, "unix", { own: true });
    const another = await openDoor(app, "unix");
    const tcp = await openDoor(app, "tcp");
    const shared = await openDoor(app, "tcp", { local: false });
    const proxied = await openDoor(app, "unix", { trustedHeader: HEADER });
    const ask = async ({ ask: by }: typeof tcp, ...headers: readonly string[]) =>
      localOf(await by("GET", "/api/v1/read", headers));
    expect(await ask(socket)).toBe(true);
    expect([await ask(another), await ask(tcp)]).toEqual([false, false]);
    for (const name of ["Forwarded", "X-Forwarded-For", "X-Real-IP"])
      expect(await ask(socket, name, "127.0.0.1")).toBe(false);
    expect(await ask(shared)).toBe(false);
    expect(await ask(proxied)).toBe(false);
    expect(await ask(proxied, HEADER, "bea")).toBe(false);
  });

  test("the owner of the machine is recognised by the one static token, but not by a token of an actor", async () => {
    const own = await openDoor(appOf("static"), "unix", { own: true });
    expect(localOf(await own.ask("GET", "/api/v1/read", HEADERS.configured))).toBe(true);
    const tcp = await openDoor(appOf("static"), "tcp");
    expect(localOf(await tcp.ask("GET", "/api/v1/read", HEADERS.configured))).toBe(false);
    const identity = await openDoor(appOf("identity"), "unix", { own: true });
    for (const bearer of ["configured", "database"] as const)
      expect(localOf(await identity.ask("GET", "/api/v1/read", HEADERS[bearer]))).toBe(false);
  });
});
