import type { IncomingMessage } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { farServer } from "../outgoing/far-server.ts";
import { KEY, provided, providerAt, sendJson, sends, sendsBody } from "./support.ts";

const GOOD = [3, 0, 4];
const UNIT = Float32Array.from([0.6, 0, 0.8]);

describe("a call of the provider", () => {
  test("sends the model and the texts to /embeddings below the base URL, with the key", async () => {
    let received = "";
    const { server, embed } = await provided((request, response) => {
      request.on("data", (part) => (received += String(part)));
      request.on("end", () => sendJson(response, { data: [{ embedding: GOOD }] }));
    });
    expect(await embed(["slow pages"])).toEqual({ vectors: [UNIT] });
    expect(JSON.parse(received)).toEqual({ model: "test-model", input: ["slow pages"] });
    const [asked] = server.asked;
    expect(asked).toMatchObject({ method: "POST", url: "/v1/embeddings" });
    expect(asked?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      "content-type": "application/json",
    });
  });

  test("sends no authorization when there is no key", async () => {
    const { server, embed } = await provided(sends(GOOD), {
      key: async () => await Promise.resolve(undefined),
    });
    await embed(["a"]);
    expect(server.asked[0]?.headers.authorization).toBeUndefined();
  });

  test("orders the vectors by their indexes", async () => {
    const data = [
      { index: 1, embedding: [0, 1, 0] },
      { index: 0, embedding: [1, 0, 0], object: "embedding" },
    ];
    const { embed } = await provided(sendsBody({ data, usage: { total_tokens: 2 } }));
    expect(await embed(["a", "b"])).toEqual({
      vectors: [Float32Array.from([1, 0, 0]), Float32Array.from([0, 1, 0])],
    });
  });
});

const wrongOf64 = Array.from({ length: 64 }, (_, at) => (at === 40 ? [1, 2] : GOOD));

describe("a 2xx answer that cannot be used is invalid", () => {
  const item = (index: unknown) => ({ index, embedding: GOOD });
  test.each<[string, number, unknown]>([
    [
      "one vector of 64 has another width",
      64,
      { data: wrongOf64.map((embedding) => ({ embedding })) },
    ],
    ["a component is null", 1, { data: [{ embedding: [1, null, 2] }] }],
    ["a component is a text", 1, { data: [{ embedding: [1, "2", 2] }] }],
    ["all components are zero", 1, { data: [{ embedding: [0, 0, 0] }] }],
    ["an embedding is base64", 1, { data: [{ embedding: "AACAPwAAAAAAAAAA" }] }],
    ["an embedding is missing", 1, { data: [{ index: 0 }] }],
    ["an item is no object", 1, { data: [null] }],
    ["an index occurs twice", 2, { data: [item(0), item(0)] }],
    ["one index is missing", 2, { data: [item(0), { embedding: GOOD }] }],
    ["an index is negative", 2, { data: [item(0), item(-1)] }],
    ["an index is too large", 2, { data: [item(0), item(2)] }],
    ["an index is no integer", 1, { data: [item("0")] }],
    ["there are too few vectors", 2, { data: [item(0)] }],
    ["there are too many vectors", 1, { data: [item(0), item(1)] }],
    ["there are no data", 1, { error: "busy" }],
    ["the body is a list", 1, [item(0)]],
  ])("when %s", async (_what, count, body) => {
    const { embed } = await provided(sendsBody(body));
    expect(await embed(Array.from({ length: count }, () => "a"))).toEqual({ fault: "invalid" });
  });

  test.each<[string, string]>([
    ["it is a page of HTML", "<html><body>ok</body></html>"],
    ["it has NaN", `{"data":[{"embedding":[1,NaN,2]}]}`],
    ["it ends in the middle", `{"data":[{"embedding":[1,`],
    ["it is empty", ""],
    ["it is nested very deep", "[".repeat(500_000)],
  ])("when %s", async (_what, body) => {
    const { embed } = await provided((_request, response) => response.end(body));
    expect(await embed(["a"])).toEqual({ fault: "invalid" });
  });

  test("and too large when it is larger than the vectors can be; a body that grows when it is decompressed is not read to its end", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, " "));
    const { embed } = await provided((_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
    );
    expect(await embed(["a"])).toEqual({ fault: "too_large" });
    const { embed: other } = await provided((_request, response) =>
      response.end(" ".repeat(1024 * 1024 + 49)),
    );
    expect(await other(["a"])).toEqual({ fault: "too_large" });
  });

  test("not when it is as large as the limit", async () => {
    const json = JSON.stringify({ data: [{ embedding: GOOD }] });
    const { embed } = await provided((_request, response) =>
      response.end(json.padEnd(1024 * 1024 + 48)),
    );
    expect(await embed(["a"])).toEqual({ vectors: [UNIT] });
  });
});

describe("an answer with another status", () => {
  test.each([400, 401, 403, 404, 413, 422, 500, 503])("gives the status %i", async (status) => {
    const { embed } = await provided(sendsBody({ error: { message: "no" } }, status));
    expect(await embed(["a"])).toEqual({ status });
  });

  test.each<[string, string | undefined, number | undefined]>([
    ["no header", undefined, undefined],
    ["seconds", "2", 2000],
    ["very many seconds", "1000000000", 1e12],
    ["a date", "Thu, 01 Jan 2026 00:01:00 GMT", 60_000],
    ["a date in the past", "Thu, 01 Jan 2015 00:00:00 GMT", undefined],
    ["a negative number", "-3", undefined],
  ])("of 429 gives the wait of a Retry-After with %s", async (_what, header, retryAfterMs) => {
    const { embed } = await provided((_request, response) =>
      response
        .writeHead(429, header === undefined ? {} : { "retry-after": header })
        .end("slow down"),
    );
    expect(await embed(["a"])).toEqual({
      status: 429,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  });

  test("a redirect is not followed, to the same origin or another one", async () => {
    const other = await farServer((_request, response) => response.end());
    for (const location of ["/v2/embeddings", `${other.origin}/v1/embeddings`]) {
      const { server, embed } = await provided((_request, response) =>
        response.writeHead(302, { location }).end(),
      );
      expect(await embed(["a"])).toEqual({ status: 302 });
      expect(server.asked).toHaveLength(1);
    }
    expect(other.asked).toHaveLength(0);
  });
});

describe("a provider that gives no answer", () => {
  test("is given up after the limit when the first byte does not come", async () => {
    const { server, embed, clock } = await provided(() => undefined);
    const answer = embed(["a"], 3000);
    await server.hasBeenAsked(1);
    clock.advance(3000);
    expect(await answer).toEqual({ fault: "timeout" });
  });

  test("is given up after the limit when the body comes byte by byte", async () => {
    const written = Promise.withResolvers<void>();
    const { embed, clock } = await provided((_request, response) => {
      response.writeHead(200).write("{", () => written.resolve());
    });
    const answer = embed(["a"], 3000);
    await written.promise;
    clock.advance(3000);
    expect(await answer).toEqual({ fault: "timeout" });
  });

  test("that is no more there is a fault of transport, and the next call finds the one that came back", async () => {
    const { server, embed } = await provided((request, response) => {
      if (server.asked.length === 2) request.socket.destroy();
      else sends(GOOD)(request, response);
    });
    expect(await embed(["a"])).toEqual({ vectors: [UNIT] });
    expect(await embed(["a"])).toEqual({ fault: "transport" });
    expect(await embed(["a"])).toEqual({ vectors: [UNIT] });
  });

  test("that ends the connection in the middle of the body is a fault of transport", async () => {
    const { embed } = await provided((request, response) => {
      response.writeHead(200, { "content-length": 500 });
      response.write(`{"data":[`, () => request.socket.destroy());
    });
    expect(await embed(["a"])).toEqual({ fault: "transport" });
  });

  test("a name that does not resolve and a certificate that is not trusted are faults of transport", async () => {
    expect(await providerAt("https://nowhere.invalid/v1").embed(["a"])).toEqual({
      fault: "transport",
    });
    const { server, embed } = await provided(sends(GOOD), { scheme: "https" });
    expect(await embed(["a"])).toEqual({ fault: "transport" });
    expect(server.asked).toHaveLength(0);
  });

  test("a call that is stopped says so, and nothing is logged", async () => {
    const { server, embed, stop, lines } = await provided(() => undefined);
    const answer = embed(["a"]);
    await server.hasBeenAsked(1);
    stop.abort();
    expect(await answer).toEqual({ fault: "stopped" });
    expect(lines).toEqual([]);
  });
});

describe("the key of the provider", () => {
  test("is in no line of the log, wherever the provider repeats it", async () => {
    const repeat = (request: IncomingMessage) => String(request.headers.authorization);
    for (const status of [200, 400, 401, 500]) {
      const { embed, lines } = await provided((request, response) =>
        response
          .writeHead(status, `no: ${repeat(request)}`, { "x-key": repeat(request) })
          .end(JSON.stringify({ error: { message: `bad key ${repeat(request)}` } })),
      );
      await embed(["a"]);
      expect(lines).toHaveLength(1);
      expect(lines.join()).not.toContain(KEY);
      expect(lines.join()).not.toContain("bad key");
    }
  });

  test("a failed call logs its status or fault, the number of texts and the time, and no more", async () => {
    const { embed, lines } = await provided(sendsBody({}, 503));
    await embed(["secret words", "b"]);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      time: "2026-01-01T00:00:00.000Z",
      level: "warn",
      event: "embeddings.call_failed",
      status: 503,
      inputs: 2,
      ms: 0,
    });
  });

  test("is read again when it has changed, and not before", async () => {
    const keys = ["first", "second"];
    let reads = 0;
    const { server, provider, embed } = await provided(sends(GOOD), {
      key: async () => await Promise.resolve(keys[reads++]),
    });
    await embed(["a"]);
    await embed(["a"]);
    await provider.keyChanged();
    await embed(["a"]);
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer first",
      "Bearer first",
      "Bearer second",
    ]);
  });

  test("stays when it cannot be read again, and the log does not say why", async () => {
    let isBroken = false;
    const { server, provider, embed, lines } = await provided(sends(GOOD), {
      key: async () => {
        if (isBroken) throw new Error(`unexpected ${KEY} in line 3`);
        return await Promise.resolve(KEY);
      },
    });
    await embed(["a"]);
    isBroken = true;
    await provider.keyChanged();
    expect(await embed(["a"])).toEqual({ vectors: [UNIT] });
    expect(server.asked[1]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual([
      "embeddings.key_not_read",
    ]);
    expect(lines.join()).not.toContain(KEY);
  });

  test("a call that began with the old key is answered", async () => {
    const asked = Promise.withResolvers<() => void>();
    const { provider, embed } = await provided((request, response) =>
      asked.resolve(() => sends(GOOD)(request, response)),
    );
    const answer = embed(["a"]);
    const reply = await asked.promise;
    await provider.keyChanged();
    reply();
    expect(await answer).toEqual({ vectors: [UNIT] });
  });

  test("a key that cannot be read at the first call is read again at the next one", async () => {
    let isBroken = true;
    const { embed } = await provided(sends(GOOD), {
      key: async () => {
        if (isBroken) throw new Error("no such file");
        return await Promise.resolve(KEY);
      },
    });
    expect(await embed(["a"])).toEqual({ fault: "transport" });
    isBroken = false;
    expect(await embed(["a"])).toEqual({ vectors: [UNIT] });
  });
});
