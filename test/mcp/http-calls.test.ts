import { describe, expect, onTestFinished, test, vi } from "vitest";
import { MAX_RUNNING } from "../../src/mcp/admission.ts";
import { SECTION_NAMES } from "../../src/mcp/sections.ts";
import type { ToolServerOptions } from "../../src/mcp/tool-server.ts";
import { HttpSite, type Json, META, USUAL } from "./http-site.ts";

/** The ways in which a client calls a tool over HTTP: the headers of a call, and members of its parameters. */
const WAYS: readonly (readonly [way: string, of: (site: HttpSite) => Promise<Way>])[] = [
  ["in a session", async (site) => ({ headers: { "mcp-session-id": await site.begin() } })],
  ["without a session", async () => ({ headers: {} })],
  ["that names its version", async () => ({ headers: NAMED, params: { _meta: META } })],
];

interface Way {
  readonly headers: Readonly<Record<string, string>>;
  readonly params?: Json;
}

const NAMED = {
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "svc.system",
};

/** Serves with every section loaded; the calls of `svc.system` do what `answer` does. */
async function serve(answer: (signal: AbortSignal) => Promise<unknown>) {
  const daemonFor = ((signal: AbortSignal) => ({
    news: async () => undefined,
    call: async () => await answer(signal),
  })) as ToolServerOptions["daemonFor"];
  const site = await HttpSite.open({ daemonFor });
  for (const section of SECTION_NAMES) await site.tools.catalog.load(section);
  return site;
}

/** Serves calls that run until they are aborted. */
async function hanging() {
  const signals: AbortSignal[] = [];
  const site = await serve(async (signal) => {
    signals.push(signal);
    await new Promise<never>((_, reject) =>
      signal.addEventListener("abort", () => reject(new Error("aborted"))),
    );
  });
  return { site, signals };
}

async function call(site: HttpSite, { headers, params }: Way, id = 1) {
  return await site.stream({ method: "POST", headers, body: body({ ...params }, id) });
}

function body(params: Json, id: number) {
  return {
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "svc.system", arguments: {}, ...params },
  };
}

test("a single POST that names no protocol version gets its answer as text", async () => {
  const site = await serve(async () => INSTANCE);
  const { messages } = await site.send({ headers: {}, body: body({}, 1) });
  const [message = {}] = messages;
  const { content } = message["result"] as { readonly content: readonly { text: string }[] };
  expect(JSON.parse(content[0]?.text ?? "")).toMatchObject({ schema_version: 7 });
});

describe.each(WAYS)("a call %s", (_way, of) => {
  test("a call whose answer, text and structure together, is longer than 8 MiB gets the error -32603", async () => {
    const site = await serve(async () => ({ ...INSTANCE, version: "x".repeat(4 * 1024 * 1024) }));
    const { headers, params } = await of(site);
    const { status, messages } = await site.send({ headers, body: body({ ...params }, 1) });
    expect(status).toBe(200);
    expect(messages).toMatchObject([
      { id: 1, error: { code: -32603, message: "the answer is longer than 8388608 bytes" } },
    ]);
    const less = await serve(async () => ({ ...INSTANCE, version: "x".repeat(4_190_000) }));
    const sent = await of(less);
    const whole = await less.send({ headers: sent.headers, body: body({ ...sent.params }, 1) });
    expect(whole.messages).toMatchObject([
      { result: { structuredContent: { schema_version: 7 } } },
    ]);
  });

  test("is aborted when its client drops the request, and lets the next one run", async () => {
    const { site, signals } = await hanging();
    const way = await of(site);
    const drops: (() => void)[] = [];
    for (let at = 0; at < MAX_RUNNING; at++) {
      drops.push(begin(site, way.headers, body({ ...way.params }, at)));
      await vi.waitFor(() => expect(signals).toHaveLength(at + 1), 20_000);
    }
    begin(site, way.headers, body({ ...way.params }, 100));
    expect((await site.request("ping")).status).toBe(200);
    expect(signals).toHaveLength(MAX_RUNNING);
    drops[3]?.();
    await vi.waitFor(() => expect(signals).toHaveLength(MAX_RUNNING + 1), 20_000);
    expect(signals.map(({ aborted }) => aborted)).toEqual(
      Array.from({ length: MAX_RUNNING + 1 }, (_, at) => at === 3),
    );
    expect(site.faults).toEqual([]);
  });
});

describe("the cancellation of a call by its session", () => {
  test("aborts the call, whose event stream ends without an answer", async () => {
    const { site, signals } = await hanging();
    const headers = { "mcp-session-id": await site.begin() };
    const stream = await call(site, { headers }, 7);
    await vi.waitFor(() => expect(signals).toHaveLength(1), 20_000);
    const other = await call(site, { headers }, 8);
    await vi.waitFor(() => expect(signals).toHaveLength(2), 20_000);
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };
    expect((await site.send({ headers, body: cancel })).status).toBe(202);
    await stream.ended;
    expect(stream.text).not.toContain("jsonrpc");
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    other.close();
  });

  test("does nothing if the call is unknown or answered already", async () => {
    const site = await serve(async () => INSTANCE);
    const headers = { "mcp-session-id": await site.begin() };
    expect((await site.send({ headers, body: body({}, 7) })).status).toBe(200);
    for (const requestId of [7, "other", undefined]) {
      const params = { requestId };
      const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params };
      expect((await site.send({ headers, body: cancel })).status).toBe(202);
    }
    expect((await site.send({ headers, body: body({}, 7) })).messages).toMatchObject([
      { result: { structuredContent: {} } },
    ]);
  });
});

const INSTANCE = { instance_uid: "u", version: "1", schema_version: 7, auth: {} };

/** Sends a call and waits for nothing. Returns what drops the request. */
function begin(site: HttpSite, headers: Way["headers"], sent: object): () => void {
  const dropped = new AbortController();
  const { signal } = dropped;
  const init = { method: "POST", headers: { ...USUAL, ...headers }, body: JSON.stringify(sent) };
  void fetch(site.url, { ...init, signal })
    .then(async (response) => await response.text())
    .catch(() => undefined);
  const drop = (): void => dropped.abort();
  onTestFinished(drop);
  return drop;
}
