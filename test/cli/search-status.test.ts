import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { vectorsPath } from "../../src/store/vectors/sqlite-path.ts";
import { serveProvider } from "../meaning/provider/server.ts";
import { ProviderState } from "../meaning/provider/state.ts";
import { settingsOf } from "../meaning/support.ts";
import { projectWorld } from "./harness.ts";

const DIMS = 16;

/** A daemon whose provider runs in this process, and refuses each text with the word poison. */
async function configured() {
  const state = new ProviderState();
  state.behave({ dims: DIMS });
  state.poison("poison");
  const { baseUrl, close } = await serveProvider(state);
  onTestFinished(close);
  const w = await projectWorld();
  const poison = await w.issue("poison");
  await w.issue("one");
  // The engine waits before its first sweep, so the clock of this daemon goes on.
  await w.restart({ embeddings: settingsOf(baseUrl, { dims: DIMS }), clock: systemClock });
  const json = async (...words: readonly string[]) => JSON.parse(await w.ok([...words, "--json"]));
  await vi.waitFor(async () => {
    expect(await json("search", "status")).toMatchObject({ embedded: 1, skipped: 1, backlog: 0 });
  }, 20_000);
  return { w, state, poison, json };
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly summary: string;
  readonly fix?: string;
}

test("svc search status, reindex, health and doctor say how far the index of meanings is", async () => {
  const { w, state, poison, json } = await configured();
  expect((await w.ok(["search", "status"])).split("\n")).toEqual([
    `model test-model, ${DIMS} numbers`,
    "indexed 1 of 2",
    `skipped 1, which the provider refused or failed at: web#${poison}`,
    expect.stringMatching(/^last success \d{4}-\d\d-\d\d \d\d:\d\dZ$/),
    "",
  ]);
  expect(await w.ok(["health"])).toContain(" embeddings=1/2\n");
  expect(await w.ok(["search", "status", "of", "nothing"])).toContain("no matches");
  expect(await w.ok(["search", "--", "status"])).toContain("no matches");

  const before = state.calls().length;
  expect(await w.ok(["search", "reindex"])).toBe(
    "2 issues will be embedded anew; svc search status shows how far it is\n",
  );
  await vi.waitFor(() => expect(state.inputs().slice(-before)).toContain("one"), 20_000);

  const found = async () => {
    const { checks } = (await json("doctor")) as { readonly checks: readonly Check[] };
    return checks.find(({ id }) => id === "daemon.embeddings");
  };
  expect(await found()).toMatchObject({
    status: "ok",
    summary: expect.stringMatching(/^the embedding provider embeds a word in \d+ ms/),
  });
  state.always({ status: 401 });
  expect(await found()).toMatchObject({
    status: "warning",
    summary: expect.stringContaining("the embedding provider answered with status 401"),
    fix: expect.stringContaining("svc daemon reload"),
  });
});

test("svc search says which searches answered, marks a hit by meaning, and says why words alone answered", async () => {
  const { w, state, json } = await configured();
  const one = await w.ok(["search", "one"]);
  expect(one.split("\n")[0]).toBe("# mode=hybrid");
  expect(one).toMatch(/ one \(title, semantic\)\n/);
  expect((await w.ok(["search", "one", "--semantic"])).split("\n")[0]).toBe("# mode=semantic");
  expect(await w.ok(["search", "one", "--lexical"])).not.toContain("# mode");
  expect(await w.ok(["search", "one", "--agent"])).toContain(" mode=hybrid");

  state.always({ status: 503 });
  const [note, hit] = (await w.ok(["search", "one", "more"])).split("\n");
  expect(note).toMatch(/^# mode=lexical degraded: \S+/);
  expect(hit).toBeDefined();
  expect(await json("search", "one", "again")).toMatchObject({
    mode: "lexical",
    degraded: true,
    degraded_reason: expect.stringMatching(/\S/),
  });
  expect(await w.run(["search", "one", "third", "--semantic"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("svc doctor"),
  });
});

test("svc doctor warns of an index of meanings that the daemon cannot read", async () => {
  const state = new ProviderState();
  state.behave({ dims: DIMS });
  const { baseUrl, close } = await serveProvider(state);
  onTestFinished(close);
  const w = await projectWorld();
  mkdirSync(join(vectorsPath(join(w.home, "svc.db")), "folder"), { recursive: true });
  await w.restart({ embeddings: settingsOf(baseUrl, { dims: DIMS }) });
  const { checks } = JSON.parse(await w.ok(["doctor", "--json"])) as {
    readonly checks: readonly Check[];
  };
  expect(checks.find(({ id }) => id === "daemon.embeddings")).toMatchObject({
    status: "warning",
    summary: "the index of meanings cannot be read or written",
    fix: expect.stringContaining("the daemon's log has the error"),
  });
});

test("without a provider svc search status names the two settings, and doctor skips its check", async () => {
  const w = await projectWorld();
  expect(await w.ok(["search", "status"])).toBe(
    "not configured: set base_url and model of [search.embeddings] in config.toml\n",
  );
  expect(await w.run(["search", "reindex"])).toMatchObject({
    err: expect.stringContaining("set base_url and model of [search.embeddings]"),
  });
  expect(await w.run(["search", "x", "--semantic"])).toMatchObject({
    err: expect.stringContaining("set base_url and model of [search.embeddings]"),
  });
  const { checks } = JSON.parse(await w.ok(["doctor", "--json"])) as {
    readonly checks: readonly Check[];
  };
  expect(checks.find(({ id }) => id === "daemon.embeddings")).toMatchObject({
    status: "skipped",
    summary: "search by meaning is not configured",
  });
});
