import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { createLog } from "../../src/base/log.ts";
import { type StartWorker, startThread } from "../../src/daemon/threads/worker-thread.ts";
import { UNAVAILABLE } from "../../src/domain/meaning/unavailable.ts";
import { call, testDaemon } from "../support/daemon.ts";
import { serveProvider } from "./provider/server.ts";
import { ProviderState } from "./provider/state.ts";
import { settingsOf } from "./support.ts";

const DIMS = 16;
const LONG_MS = 30_000;

/** A daemon with real threads and a real provider, whose issues are all embedded. */
async function filled(issues: readonly { title: string; body?: string }[]) {
  const state = new ProviderState();
  state.behave({ dims: DIMS });
  const { baseUrl, close } = await serveProvider(state);
  onTestFinished(close);
  const lines: string[] = [];
  const sink = { write: (line: string) => void lines.push(line), reopen: noop, close: noop };
  const dying = { next: false };
  /** Starts threads. The one that compares vectors ends when it gets the next query, if `dying.next` says so. */
  const startWorker: StartWorker = (start, events) => {
    const thread = startThread(start, events);
    return {
      postMessage: (message, transfer) => {
        if (start.name === "scoring-worker" && dying.next && "ask" in message) {
          dying.next = false;
          void thread.terminate();
        } else thread.postMessage(message, transfer);
      },
      terminate: async () => await thread.terminate(),
    };
  };
  const { endpoint } = await testDaemon({
    embeddings: settingsOf(baseUrl, { dims: DIMS }),
    startWorker,
    log: createLog(sink, systemClock),
  });
  const actor = "ann";
  await call(endpoint, "POST", "/projects", { body: { name: "web", actor } });
  for (const issue of issues) {
    const body = { ...issue, actor, force_new: true };
    expect((await call(endpoint, "POST", "/projects/1/issues", { body })).status).toBe(200);
  }
  await vi.waitFor(async () => {
    const { body } = await call(endpoint, "GET", "/health");
    expect(body["embeddings"]).toMatchObject({ embedded: issues.length, backlog: 0 });
  }, LONG_MS);
  state.forgetCalls();
  const search = async (q: string, mode = "auto") => {
    const query = new URLSearchParams({ q, mode });
    const { status, body } = await call(endpoint, "GET", `/projects/1/search?${query}`);
    return { status, body };
  };
  /** The thread may need longer to start than a search waits for it. */
  const searchByMeaning = async (q: string): Promise<void> => {
    await vi.waitFor(
      async () => expect((await search(q)).body).toMatchObject({ mode: "hybrid" }),
      LONG_MS,
    );
  };
  return { state, lines, dying, search, searchByMeaning };
}

const noop = (): void => undefined;

const namesIn = (lines: readonly string[], part: string) =>
  lines.filter((line) => line.includes(part));

test("a search answers by words when the thread that compares vectors dies, and the next one starts another", async () => {
  const { lines, dying, search, searchByMeaning } = await filled([{ title: "slow pages" }]);
  await searchByMeaning("pages");
  dying.next = true;
  expect(await search("pages")).toMatchObject({
    status: 200,
    body: {
      ...{ mode: "lexical", degraded: true, degraded_reason: UNAVAILABLE.index_unreadable },
      results: [{ issue: { title: "slow pages" } }],
    },
  });
  expect(dying.next).toBe(false);
  expect(namesIn(lines, "embeddings.index_unreadable").length).toBeGreaterThan(0);
  expect(namesIn(lines, "scoring-worker.ended")).toHaveLength(1);
  await searchByMeaning("pages");
  expect(namesIn(lines, "scoring-worker.started")).toHaveLength(2);
  dying.next = true;
  expect(await search("pages", "semantic")).toMatchObject({ status: 503 });
}, 120_000);

test("200 searches at once are all answered while the provider is slow, and those by words do not wait for it", async () => {
  const { state, search, searchByMeaning } = await filled([{ title: "slow pages" }]);
  await searchByMeaning("pages");
  state.forgetCalls();
  state.hold();
  const isByWords = (at: number) => at % 2 === 0;
  const searches = Array.from({ length: 200 }, async (_, at) =>
    isByWords(at) ? await search("pages", "lexical") : await search(`pages ${at}`, "auto"),
  );
  // The provider answers only after these have been answered.
  const words = await Promise.all(searches.filter((_, at) => isByWords(at)));
  state.release();
  state.behave({ delayMs: 2000 });
  for (const { status, body } of words) {
    expect([status, body["mode"], body["degraded"]]).toEqual([200, "lexical", undefined]);
    expect(body["results"]).toHaveLength(1);
  }
  const others = await Promise.all(searches.filter((_, at) => !isByWords(at)));
  expect(others).toHaveLength(100);
  for (const { status, body } of others) {
    expect(status).toBe(200);
    expect(body["mode"] === "hybrid" || body["degraded"] === true).toBe(true);
    expect(body["results"]).toHaveLength(1);
  }
  expect(state.calls().length).toBeGreaterThan(0);
  expect(state.mostAtOnce()).toBeLessThanOrEqual(16);
}, 180_000);

test("a search that the read worker answers, since issues are large, calls the provider once", async () => {
  const large = Array.from({ length: 5 }, (_, at) => ({
    title: `slow pages ${at}`,
    body: "abcdefghi ".repeat(90_000),
  }));
  const { state, lines, search, searchByMeaning } = await filled(large);
  await searchByMeaning("first");
  state.forgetCalls();
  const { status, body } = await search("slow pages", "hybrid");
  expect([status, body["mode"]]).toEqual([200, "hybrid"]);
  expect(body["results"]).toHaveLength(5);
  expect(namesIn(lines, "read-worker.started").length).toBeGreaterThan(0);
  expect(state.inputs()).toEqual(["slow pages"]);
}, 180_000);
