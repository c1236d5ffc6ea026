import { describe, expect, test } from "vitest";
import { ToolWorld } from "./tools.ts";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

async function serve() {
  const world = await ToolWorld.open();
  await world.project("web");
  return await world.serve("web", { load: [] });
}

/** Sends the line and returns the error of the answer, which must have no id. */
async function errorOf(client: Awaited<ReturnType<typeof serve>>, line: string | Buffer) {
  client.write(line);
  await client.request("ping");
  return client.messages.findLast(({ id }) => id === null)?.["error"];
}

describe("a line of the MCP server's input", () => {
  test.each([
    ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ["no JSON", "not json", -32700],
    ["an empty line", "", -32700],
    ["bytes that are no UTF-8", Buffer.from([0x22, 0xff, 0x22]), -32700],
    ["JSON that is no request", '{"hello":1}', -32600],
    ["a line of 8 MiB and a byte", Buffer.alloc(8 * 1024 * 1024 + 1, 0x20), -32600],
  ])(
    "a line that is %s gets an error without id, and the next line is served",
    async (_what, line, code) => {
      const client = await serve();
      expect(await errorOf(client, line)).toMatchObject({ code });
      expect(await client.request("ping")).toMatchObject({ result: {} });
    },
  );

  test("may be as long as 8 MiB", async () => {
    const client = await serve();
    const request = '{"jsonrpc":"2.0","id":"long","method":"ping"}';
    const line = Buffer.alloc(8 * 1024 * 1024, 0x20);
    line.write(request);
    client.write(line);
    await client.request("ping");
    expect(client.messages).toContainEqual({ jsonrpc: "2.0", id: "long", result: {} });
  });
});

describe("a session over pipes", () => {
  test("has the version that the client requests, and only tools", async () => {
    const client = await serve();
    expect(await client.request("initialize", INITIALIZE)).toMatchObject({
      result: {
        protocolVersion: "2025-06-18",
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "svc", title: "Svc Issue Tracker" },
        instructions: expect.stringContaining('"web"'),
      },
    });
  });

  test("may send requests before it is initialized", async () => {
    const client = await serve();
    expect(await client.names()).toContain("svc.load_issue_discovery");
  });

  test("gets an error for unknown methods, but not for unknown notifications", async () => {
    const client = await serve();
    client.notify("notifications/nonsense");
    expect(await client.request("resources/list")).toMatchObject({ error: { code: -32601 } });
    expect(await client.request("subscriptions/listen")).toMatchObject({ error: { code: -32601 } });
    expect(client.messages).toHaveLength(2);
  });

  test("a session of a version without structured content gets answers only as text, and no output schemas", async () => {
    const client = await serve();
    await client.request("initialize", { ...INITIALIZE, protocolVersion: "2025-03-26" });
    const { result } = await client.request("tools/call", { name: "svc.load_issue_discovery" });
    const { content, ...rest } = result as { readonly content: readonly { text: string }[] };
    expect(rest).toEqual({});
    expect(JSON.parse(content[0]?.text ?? "")).toMatchObject({ section: "issue_discovery" });
    const listed = await client.request("tools/list");
    expect(JSON.stringify(listed)).not.toContain("outputSchema");
  });
});

describe("an answer of a tool", () => {
  test.each(["2025-11-25", "2025-06-18", "2026-07-28"])(
    "an answer in the protocol version %s has the JSON of its structure as a text too",
    async (protocolVersion) => {
      const client = await serve();
      const isStateless = protocolVersion === "2026-07-28";
      if (!isStateless) await client.request("initialize", { ...INITIALIZE, protocolVersion });
      const meta = isStateless ? { _meta: META } : {};
      for (const name of ["svc.load_issue_discovery", "svc.list"]) {
        const { result } = await client.request("tools/call", { name, ...meta });
        const { content, structuredContent } = result as {
          readonly content: readonly { readonly type: string; readonly text: string }[];
          readonly structuredContent: unknown;
        };
        expect(content, name).toEqual([{ type: "text", text: JSON.stringify(structuredContent) }]);
      }
    },
  );
});

describe("a client that names the version in each request", () => {
  test("learns what the server offers, with a cache hint of five minutes", async () => {
    const client = await serve();
    const offer = {
      result: {
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: { listChanged: true } },
        ttlMs: 300_000,
        cacheScope: "private",
        resultType: "complete",
      },
    };
    expect(await client.request("server/discover", { _meta: META })).toMatchObject(offer);
    expect(await client.request("server/discover")).toMatchObject(offer);
    const listed = await client.request("tools/list", { _meta: META });
    expect(listed).toMatchObject({ result: { ttlMs: 300_000, cacheScope: "private" } });
  });

  test("is refused an unsupported version", async () => {
    const client = await serve();
    const _meta = { ...META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
    expect(await client.request("tools/list", { _meta })).toMatchObject({
      error: { code: -32022, data: { supported: ["2026-07-28"], requested: "2099-01-01" } },
    });
  });

  test("is refused each request with a version that does not exist, whatever it sent before", async () => {
    const client = await serve();
    const ask = async (version: string) => {
      const _meta = { ...META, "io.modelcontextprotocol/protocolVersion": version };
      return await client.request("tools/list", { _meta });
    };
    for (let round = 0; round < 2; round++) {
      expect(await ask("2026-07-28")).toHaveProperty("result.tools");
      for (const version of ["2099-01-01", "2025-06-18", "", "x".repeat(100_000)])
        expect(await ask(version)).toMatchObject({
          error: { code: -32022, data: { supported: ["2026-07-28"], requested: version } },
        });
    }
    expect(await client.request("ping")).toMatchObject({ result: {} });
  });

  test.each([
    [
      "that does not name its capabilities",
      { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
    ],
    ["whose version is not a string", { ...META, "io.modelcontextprotocol/protocolVersion": 7 }],
  ])("is refused a request %s", async (_what, _meta) => {
    const client = await serve();
    expect(await client.request("tools/list", { _meta })).toMatchObject({
      error: { code: -32602 },
    });
  });

  test("has no ping, and may share one pipe with a session", async () => {
    const client = await serve();
    await client.request("server/discover");
    await client.request("initialize", INITIALIZE);
    expect(await client.request("ping", { _meta: META })).toMatchObject({
      error: { code: -32601 },
    });
    expect(await client.request("ping")).toMatchObject({ result: {} });
  });
});

describe("the list of tools", () => {
  test("begins with a loader for each section, in at most 8 KB", async () => {
    const client = await serve();
    const { result } = await client.request("tools/list");
    const { tools } = result as { readonly tools: readonly { readonly annotations: object }[] };
    for (const { annotations } of tools)
      expect(annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(8192);
  });

  test.each([[null], [""]])("ignores the cursor %j", async (cursor) => {
    const client = await serve();
    expect(await client.request("tools/list", { cursor })).toHaveProperty("result.tools");
    const params = { _meta: META, cursor };
    expect(await client.request("tools/list", params)).toHaveProperty("result.tools");
  });

  test("has only one page, and refuses a cursor", async () => {
    const client = await serve();
    expect(await client.request("tools/list", { cursor: "x" })).toMatchObject({
      error: { code: -32602 },
    });
  });

  test("grows by a section when its loader is called, and is announced once", async () => {
    const client = await serve();
    await client.request("initialize", INITIALIZE);
    const before = await client.names();
    const first = await client.call("svc.load_issue_discovery");
    expect(first.answer).toEqual({
      section: "issue_discovery",
      available: true,
      loaded: true,
      tools: expect.arrayContaining(["svc.search", "svc.graph"]),
    });
    expect(await client.call("svc.load_issue_discovery")).toEqual(first);
    expect(await client.names()).toHaveLength(before.length + 7);
    const notices = client.messages.filter(
      ({ method }) => method === "notifications/tools/list_changed",
    );
    expect(notices).toHaveLength(1);
  });

  test("is announced once to a client that listens in the newest version", async () => {
    const client = await serve();
    const listening = { _meta: META, notifications: { toolsListChanged: true } };
    void client.request("subscriptions/listen", listening);
    await client.request("tools/call", { name: "svc.load_issue_discovery", _meta: META });
    await client.request("tools/call", { name: "svc.load_issue_discovery", _meta: META });
    const notices = client.messages.filter(
      ({ method }) => method === "notifications/tools/list_changed",
    );
    expect(notices).toHaveLength(1);
  });
});

describe("a call of a tool", () => {
  test.each([
    ["svc.lst", 'unknown tool "svc.lst"; did you mean svc.list?'],
    [
      "svc.load_issue_mutaton",
      'unknown tool "svc.load_issue_mutaton"; did you mean svc.load_issue_mutation?',
    ],
    ["list", 'unknown tool "list"; did you mean svc.list?'],
    ["nothing_like_it", 'unknown tool "nothing_like_it"'],
    ["x".repeat(100_000), `unknown tool "${"x".repeat(198)}…"`],
  ])(
    "a call of an unknown tool is an error of the protocol that names the most similar tool: %#",
    async (name, message) => {
      const client = await serve();
      expect(await client.request("tools/call", { name })).toMatchObject({
        error: { code: -32602, message },
      });
    },
  );

  test.each([[[]], ["text"], [7]])(
    "a call with arguments %j is an error of the protocol",
    async (args) => {
      const client = await serve();
      await client.call("svc.load_issue_discovery");
      const params = { name: "svc.list", arguments: args };
      expect(await client.request("tools/call", params)).toMatchObject({ error: { code: -32602 } });
    },
  );

  test("a call with wrong arguments names the first three faults", async () => {
    const client = await serve();
    await client.call("svc.load_issue_discovery");
    const { failure } = await client.call("svc.list", {
      limit: 101,
      status: "ajar",
      owner: "",
      wrong: 1,
    });
    expect(failure).toMatch(/^invalid arguments: status: .*; limit: .*; owner: [^;]*$/);
    expect((await client.call("svc.list", { wrong: 1 })).failure).toBe(
      "invalid arguments: wrong: unknown argument",
    );
    expect((await client.call("svc.load_issue_discovery", { x: 1 })).failure).toContain("x: ");
  });

  test("treats arguments that are null as absent", async () => {
    const client = await serve();
    const params = { name: "svc.list", arguments: null };
    expect(await client.request("tools/call", params)).toHaveProperty("result.structuredContent");
  });

  test.each([
    ["a number as text", { limit: "5", max_priority: "0" }],
    ["null for an absent argument", { project: null, status: null, owner: null, labels: null }],
    ["an empty cursor", { cursor: "" }],
  ])("is understood with %s", async (_what, args) => {
    const client = await serve();
    expect((await client.call("svc.list", args)).answer).toMatchObject({ issues: [] });
  });

  test.each([
    ["svc.list", { limit: "5x" }, "limit"],
    ["svc.list", { limit: "" }, "limit"],
    ["svc.list", { limit: "101" }, "limit"],
    ["svc.list", { unowned: "yes" }, "unowned"],
    ["svc.show", { ref: 5 }, "ref"],
    ["svc.show", { ref: null }, "ref"],
    ["svc.show", { ref: "ab3d", comment: "5" }, "comment"],
    ["svc.show", { ref: "ab3d\ud800" }, "ref"],
    ["svc.delete", { ref: "ab3d", confirm: null }, "confirm"],
    ["svc.edit", { ref: "ab3d", owner: null }, "owner"],
    ["svc.edit", { ref: "ab3d", parent: null }, "parent"],
    ["svc.set_metadata", { ref: "ab3d", patch: { a: ["\udc00"] } }, "patch.a.0"],
    ["svc.set_metadata", { ref: "ab3d", patch: { "\ud800": 1 } }, "patch"],
    ["svc.create", { title: 5, idempotency_key: "a" }, "title"],
  ])("a call of %s with %j is refused, since it is ambiguous", async (name, args, path) => {
    const client = await serve();
    for (const section of ["issue_discovery", "issue_mutation", "issue_lifecycle"])
      await client.call(`svc.load_${section}`);
    expect((await client.call(name, args)).failure).toMatch(`invalid arguments: ${path}: `);
  });

  test("is not needed for the server to end when its input ends", async () => {
    const client = await serve();
    await client.end();
    expect(client.messages).toEqual([]);
  });
});
