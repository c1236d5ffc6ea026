import { type IncomingMessage, request as requestBy } from "node:http";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../../src/base/clock.ts";
import { invariant } from "../../src/base/invariant.ts";
import type { Fields, Log } from "../../src/base/log.ts";
import { SvcError } from "../../src/contract/errors.ts";
import { DEFAULT_BODY_BYTES } from "../../src/contract/limits.ts";
import { type Input, routesOf } from "../../src/contract/route.ts";
import { shape } from "../../src/contract/shape.ts";
import { authenticator } from "../../src/daemon/access/authenticate.ts";
import { type App, type AppHost, createApp } from "../../src/daemon/app.ts";
import { bind } from "../../src/daemon/bind.ts";
import { listen } from "../../src/daemon/listeners/listeners.ts";
import type { Principal, UngatedDeps } from "../../src/ops/deps.ts";
import { tempFolder } from "../support/daemon.ts";
import { sawBody } from "../support/seen.ts";

const route = routesOf("test");

const echo = route({
  id: "echo",
  method: "POST",
  path: "/projects/{project_id}/things/{ref}",
  access: "write",
  summary: "gives back what it was given",
  params: shape(() => z.object({ project_id: z.int().positive(), ref: z.string() })),
  query: shape(() =>
    z.object({
      limit: z.int().min(0).optional(),
      deep: z.boolean().default(false),
      label: z.array(z.string()).optional(),
      level: z.array(z.int()).optional(),
      text: z.string().optional(),
    }),
  ),
  headers: shape(() => z.object({ "if-match": z.string().optional() })),
  body: shape(() =>
    z.strictObject({
      actor: z.string().min(1),
      count: z.int().max(10).optional(),
      kind: z.enum(["a", "b"]).optional(),
      items: z.array(z.strictObject({ name: z.string() })).optional(),
      metadata: z.custom<object>((value) => typeof value === "object").optional(),
    }),
  ),
  response: shape(() => z.looseObject({})),
});

const remove = route({
  id: "remove",
  method: "DELETE",
  path: "/things/{ref}",
  access: "write",
  summary: "answers nothing",
  params: shape(() => z.object({ ref: z.string() })),
  response: shape(() => z.looseObject({})),
  status: 204,
});

const read = route({
  id: "read",
  method: "GET",
  path: "/things/{ref}",
  access: "read",
  summary: "fails as it is told",
  params: shape(() => z.object({ ref: z.string() })),
  response: shape(() => z.looseObject({ revision: z.int() })),
});

const watched = route({
  ...read,
  id: "watched",
  path: "/watched",
  params: echo.query,
  observational: true,
});

/** The operations of these tests use no dependencies. */
const NO_DEPS = { store: {} } as UngatedDeps;

interface Entry {
  readonly level: string;
  readonly event: string;
  readonly fields: Fields;
}

let app: App;
let ask: (request: Request) => Promise<Response>;
let entries: Entry[];
let running: number;
let begun: number;
let stopping: boolean;

/** Each entry makes a function that sends a request to an app. */
const WAYS = {
  "by app.fetch": async () => async (request: Request) => await app.fetch(request),
  "over a socket": async () => {
    const path = join(tempFolder(), "s");
    const listener = await listen(app, { path }, systemClock);
    onTestFinished(async () => await listener.close());
    return async (request: Request) => await overSocket(path, request);
  },
};

async function overSocket(socketPath: string, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const body = Buffer.from(await request.arrayBuffer());
  const headers = Object.fromEntries(request.headers);
  const { method } = request;
  const length = { "content-length": body.byteLength };
  const sent = requestBy({ socketPath, method, path: pathname + search, agent: false });
  for (const [name, value] of Object.entries({ ...headers, ...(body.byteLength ? length : {}) }))
    sent.setHeader(name, value);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve).once("error", reject).end(body);
  });
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece);
  const { statusCode: status = 0 } = answer;
  return new Response(status === 204 ? null : Buffer.concat(pieces), {
    status,
    headers: Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const),
  });
}

function makeApp(): void {
  entries = [];
  running = 0;
  begun = 0;
  stopping = false;
  const log = memoryLog();
  const host: AppHost = {
    clock: systemClock,
    log,
    refusals: log,
    authenticate: authenticator({ mode: "open" }),
    stopping: () => stopping,
    beginForeground: () => {
      running++;
      begun++;
      return () => running--;
    },
  };
  app = createApp(host);
  bind(app, NO_DEPS, echo, async (_deps: object, who: Principal, input: Input<typeof echo>) => ({
    who,
    ...input,
  }));
  bind(app, NO_DEPS, remove, async () => ({}));
  bind(
    app,
    NO_DEPS,
    read,
    async (_deps: object, _who: Principal, { params }: Input<typeof read>) =>
      await fail(params.ref),
    {
      headers: ({ revision }) => ({ etag: `"rev-${revision}"` }),
    },
  );
  bind(app, NO_DEPS, watched, async () => ({ revision: 0 }));
}

async function fail(ref: string): Promise<{ revision: number; filler?: string }> {
  if (ref === "refused") throw new SvcError("issue_not_found", { ref }, { hint: "look elsewhere" });
  if (ref === "bug") invariant(false, "secret of the house");
  if (ref === "thrown") throw new TypeError("select * from secrets");
  if (ref.startsWith("big-")) return { revision: 1, filler: "x".repeat(Number(ref.slice(4))) };
  return { revision: 7 };
}

function memoryLog(): Log {
  const at =
    (level: string) =>
    (event: string, fields: Fields = {}) =>
      void entries.push({ level, event, fields });
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: () => memoryLog(),
  };
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly error: { readonly code: string; readonly message: string } } & Record<
    string,
    unknown
  >;
}

async function send(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await ask(new Request(`http://svc.invalid${path}`, { method, ...init }));
  const text = await response.text();
  const body = text === "" ? {} : JSON.parse(text);
  sawBody(body);
  return { status: response.status, headers: response.headers, body };
}

const THING = "/api/v1/projects/3/things/abc4";

async function post(body: unknown, path = THING): Promise<Answer> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return await send("POST", path, { body: text, headers: { "content-type": "application/json" } });
}

describe.each(Object.entries(WAYS))("HTTP requests %s", (way, open) => {
  beforeEach(async () => {
    makeApp();
    ask = await open();
  });

  test("the values of a request are parsed before its operation gets them, and the answer is JSON", async () => {
    const path = `${THING}?limit=5&deep=true&label=a&label=b&level=2&text=7&unknown=1`;
    const answer = await send("POST", path, {
      body: '{"actor":"ann"}',
      headers: { "content-type": "application/json; charset=utf-8", "If-Match": '"rev-2"' },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.body).toEqual({
      who: { kind: "none", local: way === "over a socket" },
      params: { project_id: 3, ref: "abc4" },
      query: { limit: 5, deep: true, label: ["a", "b"], level: [2], text: "7" },
      headers: { "if-match": '"rev-2"' },
      body: { actor: "ann" },
    });
  });

  test.each([
    ["project%23abc4", "project#abc4"],
    ["a%2Fb", "a/b"],
    ["100%2525", "100%25"],
    ["%61bc", "abc"],
    ["%2561", "%61"],
    ["%C3%A4", "ä"],
  ])("a path parameter is decoded once: %s is %s", async (sent, received) => {
    const { body } = await post({ actor: "ann" }, `/api/v1/projects/3/things/${sent}`);
    expect(body["params"]).toEqual({ project_id: 3, ref: received });
  });

  describe("invalid input is refused with 400 validation and the place of the fault", () => {
    const many = { actor: "", count: 11, kind: "c", items: [{ name: 1 }] };
    test.each<[what: string, path: string, body: unknown, message: string]>([
      ["a missing field", THING, {}, "actor: is required"],
      ["an absent body", THING, "", "actor: is required"],
      ["a null", THING, { actor: null }, "actor: must be text"],
      ["a wrong type", THING, { actor: "a", count: "1" }, "count: must be a number"],
      ["a fraction", THING, { actor: "a", count: 1.5 }, "count: must be a whole number"],
      ["a number above the limit", THING, { actor: "a", count: 11 }, "count: must be at most 10"],
      [
        "a number below the limit",
        THING,
        { actor: "" },
        "actor: must be at least 1 character long",
      ],
      [
        "a value outside an enumeration",
        THING,
        { actor: "a", kind: "c" },
        'kind: must be "a" or "b"',
      ],
      ["an unknown field", THING, { actor: "a", colour: 1 }, "colour: is not a known field"],
      [
        "an unknown field of a nested object",
        THING,
        { actor: "a", items: [{ name: "x", b: 1 }] },
        "items[0].b: is not a known field",
      ],
      ["a body that is a list", THING, [], "must be an object"],
      ["a body that is text", THING, '"x"', "must be an object"],
      [
        "three faults",
        THING,
        { actor: "", count: 11, kind: "c" },
        'actor: must be at least 1 character long; count: must be at most 10; kind: must be "a" or "b"',
      ],
      [
        "four faults",
        THING,
        many,
        'actor: must be at least 1 character long; count: must be at most 10; kind: must be "a" or "b" (and 1 more)',
      ],
      [
        "a path that is no number",
        "/api/v1/projects/x/things/a",
        { actor: "a" },
        "project_id: must be a number",
      ],
      [
        "a path with the number zero",
        "/api/v1/projects/0/things/a",
        { actor: "a" },
        "project_id: must be more than 0",
      ],
      ["a query that is no number", `${THING}?limit=5x`, { actor: "a" }, "limit: must be a number"],
      ["an empty query value", `${THING}?limit=`, { actor: "a" }, "limit: must be a number"],
      ["a negative limit", `${THING}?limit=-1`, { actor: "a" }, "limit: must be at least 0"],
      [
        "a query that is no boolean",
        `${THING}?deep=yes`,
        { actor: "a" },
        "deep: must be true or false",
      ],
      [
        "a single value sent twice",
        `${THING}?limit=1&limit=2`,
        { actor: "a" },
        "limit: must be a number",
      ],
      [
        "broken percent-encoding",
        "/api/v1/projects/3/things/%zz",
        { actor: "a" },
        "ref: is not valid percent-encoding",
      ],
      ["malformed JSON", THING, '{"actor":', "the request body is not valid JSON"],
      [
        "half of a surrogate pair",
        THING,
        '{"actor":"\\ud800"}',
        "the request body holds half of a surrogate pair",
      ],
      [
        "half of one in a key",
        THING,
        '{"actor":"a","metadata":{"\\uDC00":1}}',
        "the request body holds half of a surrogate pair",
      ],
      [
        "deep nesting",
        THING,
        `{"actor":"a","metadata":${"[".repeat(256)}${"]".repeat(256)}}`,
        "the request body nests deeper than 256 levels",
      ],
    ])("a request with %s is refused", async (_what, path, body, message) => {
      const answer = await post(body, path);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ status: 400, error: { code: "validation" } });
      expect(answer.body.error.message).toBe(message);
    });

    test("a request with text that is not UTF-8 is refused", async () => {
      const body = Buffer.from([...Buffer.from('{"actor":"'), 0xff, ...Buffer.from('"}')]);
      const answer = await send("POST", THING, {
        body,
        headers: { "content-type": "application/json" },
      });
      expect(answer.body.error).toEqual({
        code: "validation",
        message: "the request body is not UTF-8",
      });
    });

    test("the data of the error name the field of a single fault, and list several faults", async () => {
      expect((await post({})).body.error).toHaveProperty("data", { field: "actor" });
      expect((await post({ actor: "", count: 11 })).body.error).toHaveProperty("data", {
        errors: [
          { field: "actor", code: "validation", message: "must be at least 1 character long" },
          { field: "count", code: "validation", message: "must be at most 10" },
        ],
      });
    });
  });

  test.each([
    ["a whole surrogate pair", '{"actor":"\\ud83d\\ude00"}', { actor: "😀" }],
    [
      "brackets inside text",
      JSON.stringify({ actor: `${"[{".repeat(400)}\\"` }),
      { actor: `${"[{".repeat(400)}\\"` },
    ],
    [
      "nesting up to the limit",
      `{"actor":"a","metadata":${"[".repeat(255)}${"]".repeat(255)}}`,
      expect.anything(),
    ],
    [
      "an integer that is written as a fraction",
      '{"actor":"a","count":2.0}',
      { actor: "a", count: 2 },
    ],
  ])("a request with %s is accepted", async (_what, text, body) => {
    expect((await post(text)).body["body"]).toEqual(body);
  });

  test("numbers in opaque JSON keep their spelling", async () => {
    const response = await ask(
      new Request(`http://svc.invalid${THING}`, {
        method: "POST",
        body: '{"actor":"a","metadata":{"n":1.0,"m":12345678901234567890}}',
        headers: { "content-type": "application/json" },
      }),
    );
    expect(await response.text()).toContain('"metadata":{"n":1.0,"m":12345678901234567890}');
  });

  describe("a body", () => {
    test.each([undefined, "text/plain", "application/x-www-form-urlencoded", "application/jsonp"])(
      "a body of type %s is refused with 415",
      async (type) => {
        const headers = type === undefined ? {} : { "content-type": type };
        const answer = await send("POST", THING, { body: Buffer.from('{"actor":"a"}'), headers });
        expect(answer.status).toBe(415);
        expect(answer.body.error.code).toBe("unsupported_media_type");
      },
    );

    test("a body with a content encoding is refused with 415", async () => {
      const headers = { "content-type": "application/json", "content-encoding": "gzip" };
      expect((await send("POST", THING, { body: "x", headers })).status).toBe(415);
    });

    test.each([
      ["of exactly the limit is accepted", 0, 200],
      ["of one byte more than the limit is refused with 413", 1, 413],
    ])("a body %s", async (_what, more, status) => {
      const frame = JSON.stringify({ actor: "" });
      const text = JSON.stringify({ actor: "x".repeat(DEFAULT_BODY_BYTES - frame.length + more) });
      const answer = await post(text);
      expect(answer.status).toBe(status);
      if (status === 413)
        expect(answer.body.error).toMatchObject({
          code: "payload_too_large",
          data: { limit: DEFAULT_BODY_BYTES },
        });
    });
  });

  test("an answer without content has the status 204 and no body", async () => {
    const response = await ask(
      new Request("http://svc.invalid/api/v1/things/a", { method: "DELETE" }),
    );
    expect([response.status, await response.text()]).toEqual([204, ""]);
  });

  test("an ETag that is made from the result of an operation is sent", async () => {
    expect((await send("GET", "/api/v1/things/a")).headers.get("etag")).toBe('"rev-7"');
  });

  test("a refusal carries status, code, message, hint and data", async () => {
    const answer = await send("GET", "/api/v1/things/refused");
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      status: 404,
      error: {
        code: "issue_not_found",
        message: "no such issue",
        hint: "look elsewhere",
        data: { ref: "refused" },
      },
    });
    expect(entries).toMatchObject([
      { level: "info", event: "request.refused", fields: { code: "issue_not_found" } },
    ]);
  });

  test.each(["bug", "thrown"])(
    "an internal error (%s) is logged in full, but the client sees no details of it",
    async (ref) => {
      const answer = await send("GET", `/api/v1/things/${ref}`);
      expect(answer.status).toBe(500);
      expect(JSON.stringify(answer.body)).not.toContain("secret");
      expect(answer.body.error).toEqual({
        code: "internal",
        message: "an internal error; the daemon's log has the details",
      });
      expect(entries).toHaveLength(1);
      expect(entries[0]).toMatchObject({
        level: "error",
        event: "request.failed",
        fields: { error: expect.any(Error) },
      });
    },
  );

  test("the log of a refusal has the path without its query", async () => {
    await post({}, `${THING}?text=private`);
    expect(JSON.stringify(entries)).not.toContain("private");
  });

  test.each([
    "/",
    "/api/v1",
    "/api/v1/nothing",
    "/openapi.json",
    "/openapi.yaml",
    "/api/v1/openapi.json",
    "/api/v1/%zz",
    "//",
    "/api/v1//things/a",
  ])("%s is not found", async (path) => {
    const answer = await send("GET", path);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      status: 404,
      error: { code: "not_found", message: "not found" },
    });
  });

  test.each(["PUT", "PATCH", "POST", "OPTIONS"])(
    "the method %s is refused for a path that does not have it, and the allowed methods are named",
    async (method) => {
      const answer = await send(method, "/api/v1/things/a");
      expect(answer.status).toBe(405);
      expect(answer.body.error.code).toBe("method_not_allowed");
      expect(answer.headers.get("allow")?.split(", ").sort()).toEqual(["DELETE", "GET"]);
    },
  );

  test("HEAD is answered like GET without a body", async () => {
    const response = await ask(
      new Request("http://svc.invalid/api/v1/things/a", { method: "HEAD" }),
    );
    expect([response.status, await response.text(), response.headers.get("etag")]).toEqual([
      200,
      "",
      '"rev-7"',
    ]);
  });

  test("a request of a page is refused on a listener that serves no pages", async () => {
    const answer = await send("GET", "/api/v1/things/a", {
      headers: { origin: "http://localhost:3000" },
    });
    expect([answer.status, answer.body.error.code]).toEqual([403, "origin_forbidden"]);
  });

  test("a daemon that is stopping refuses everything with 503", async () => {
    stopping = true;
    const answer = await send("GET", "/api/v1/things/a");
    expect([answer.status, answer.body.error.code]).toEqual([503, "daemon_stopping"]);
  });

  describe("the count of foreground requests", () => {
    test.each<[string, string, number]>([
      ["/api/v1/things/a", "0", 1],
      ["/api/v1/things/bug", "0", 1],
      ["/api/v1/watched", "0", 0],
      ["/api/v1/watched", "1", 1],
    ])(
      "a request for %s with keepalive %s counts as %i foreground requests",
      async (path, keepalive, count) => {
        await send("GET", path, { headers: { "x-svc-idle-keepalive": keepalive } });
        expect([begun, running]).toEqual([count, 0]);
      },
    );
  });

  describe("gzip", () => {
    const big = "/api/v1/things/big-2000";
    const gzip = async (path: string, accept: string): Promise<Response> =>
      await ask(
        new Request(`http://svc.invalid${path}`, { headers: { "accept-encoding": accept } }),
      );

    test.each(["gzip", "deflate, gzip;q=0.5", "*", "GZIP", "br;q=1, *;q=0.1"])(
      "gzip is used for the header Accept-Encoding: %s",
      async (accept) => {
        const response = await gzip(big, accept);
        expect(response.headers.get("content-encoding")).toBe("gzip");
        expect(response.headers.get("vary")).toBe("accept-encoding");
        const body = JSON.parse(gunzipSync(Buffer.from(await response.arrayBuffer())).toString());
        expect(body.filler).toHaveLength(2000);
      },
    );

    test.each(["", "br", "gzip;q=0", "*;q=0", "gzip;q=0, *"])(
      "gzip is not used for the header Accept-Encoding: %j",
      async (accept) => {
        const response = await gzip(big, accept);
        expect(response.headers.get("content-encoding")).toBeNull();
        expect(await response.json()).toMatchObject({ revision: 1 });
      },
    );

    test("gzip is used for answers of at least 1024 bytes", async () => {
      const overhead = JSON.stringify({ revision: 1, filler: "" }).length;
      const [below, at] = await Promise.all(
        [1023, 1024].map(
          async (size) => await gzip(`/api/v1/things/big-${size - overhead}`, "gzip"),
        ),
      );
      expect([below?.headers.get("content-encoding"), at?.headers.get("content-encoding")]).toEqual(
        [null, "gzip"],
      );
    });
  });
});
