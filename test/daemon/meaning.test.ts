import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { serveProvider } from "../meaning/provider/server.ts";
import { ProviderState } from "../meaning/provider/state.ts";
import { settingsOf } from "../meaning/support.ts";
import { call, type TestDaemon, testDaemon } from "../support/daemon.ts";

/** A daemon with a provider in the process of the test, and an issue. */
async function meaningDaemon(keys: readonly string[] = []) {
  const state = new ProviderState();
  state.behave({ dims: 16 });
  const { baseUrl, close } = await serveProvider(state);
  onTestFinished(close);
  let reads = 0;
  const key = async () => await Promise.resolve(keys[Math.min(reads++, keys.length - 1)]);
  const daemon = await testDaemon({ embeddings: settingsOf(baseUrl, { dims: 16, key }) });
  await withIssue(daemon, "one");
  return { daemon, state };
}

async function withIssue({ endpoint }: TestDaemon, title: string): Promise<void> {
  const project = { name: "web", actor: "ann" };
  await call(endpoint, "POST", "/projects", { body: project });
  const body = { title, actor: "ann", force_new: true };
  const { status, text } = await call(endpoint, "POST", "/projects/1/issues", { body });
  if (status >= 300) throw new Error(text);
}

async function embeddingsOf({ endpoint }: TestDaemon) {
  const { body } = await call(endpoint, "GET", "/health");
  return body["embeddings"] as Readonly<Record<string, unknown>> | undefined;
}

async function until(daemon: TestDaemon, field: string, value: unknown): Promise<void> {
  for (let times = 0; times < 200; times++) {
    if ((await embeddingsOf(daemon))?.[field] === value) return;
    await systemClock.sleep(50);
  }
  throw new Error(`health does not say ${field}`);
}

test("a daemon with a provider embeds its issues, and health says how far it is", async () => {
  const { daemon, state } = await meaningDaemon();
  await until(daemon, "embedded", 1);
  expect(await embeddingsOf(daemon)).toMatchObject({ configured: true, backlog: 0, skipped: 0 });
  expect(state.inputs()).toEqual(["one"]);
  await withIssue(daemon, "two");
  expect(await embeddingsOf(daemon)).toMatchObject({ embedded: 1, backlog: 1 });
  await until(daemon, "embedded", 2);
});

test("a search finds an issue that means the same without a common word", async () => {
  const { daemon } = await meaningDaemon();
  await withIssue(daemon, "latency of the website");
  await until(daemon, "embedded", 2);
  // On a busy machine the thread that compares vectors may take longer to start than a search waits.
  const search = async (mode: string): Promise<readonly string[]> => {
    const query = new URLSearchParams({ q: "pages are slow to open", mode });
    for (let times = 0; times < 20; times++) {
      const { body } = await call(daemon.endpoint, "GET", `/projects/1/search?${query}`);
      if (body["results"] === undefined || body["degraded"] === true) continue;
      const results = body["results"] as { issue: { title: string }; matched_in: string[] }[];
      return results.map(({ issue, matched_in }) => `${issue.title}: ${matched_in.join()}`);
    }
    throw new Error("no search was answered");
  };
  expect(await search("lexical")).toEqual([]);
  for (const mode of ["semantic", "hybrid", "auto"])
    expect(await search(mode)).toContain("latency of the website: semantic");
});

test("a reload of a daemon reads the key again, and asks the provider at once", async () => {
  const { daemon, state } = await meaningDaemon(["old", "new"]);
  state.always({ status: 401 });
  await until(daemon, "last_error_status", 401);
  state.always();
  await daemon.reload();
  await until(daemon, "embedded", 1);
  expect(state.calls().map(({ headers }) => headers.authorization)).toEqual([
    "Bearer old",
    "Bearer new",
  ]);
});

test("a daemon that stops does not wait for the answer of the provider", async () => {
  const { daemon, state } = await meaningDaemon();
  state.hold();
  await state.hasBeenCalled(1);
  await daemon.stop();
  expect(state.calls()).toHaveLength(1);
});

test("a daemon without a provider makes no file of vectors and has no field of health", async () => {
  const daemon = await testDaemon();
  await withIssue(daemon, "one");
  expect(await embeddingsOf(daemon)).toBeUndefined();
  expect(existsSync(join(daemon.folder, "svc.vectors.db"))).toBe(false);
});
