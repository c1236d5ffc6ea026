import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { meaningOf } from "../../src/daemon/meaning/meaning.ts";
import { UNAVAILABLE, type UnavailableReason } from "../../src/domain/meaning/unavailable.ts";
import { serveProvider } from "../meaning/provider/server.ts";
import { ProviderState } from "../meaning/provider/state.ts";
import { DIMS, makeUnreadable, routedMeaning } from "../meaning/routed.ts";
import { settingsOf } from "../meaning/support.ts";
import { call, tempFolder, testDaemon } from "../support/daemon.ts";
import { postgresDsn, query } from "../support/postgres.ts";
import { describeStore, type TestDatabase } from "../support/store.ts";
import { world } from "../support/world.ts";
import {
  expectSameOutcome,
  MODES,
  type Mode,
  type Outcome,
  SECRET,
  searchesAt,
  served,
} from "./searches.ts";

type Meaning = Awaited<ReturnType<typeof routedMeaning>>;

interface Row {
  /** Undefined if no provider is configured. */
  readonly prepare: ((meaning: Meaning) => Promise<void>) | undefined;
  readonly outcomes: readonly [lexical: Outcome, auto: Outcome, hybrid: Outcome, semantic: Outcome];
}

const WORKS = ["lexical", "hybrid", "hybrid", "semantic"] as const;
const REFUSED = [503, "unavailable"] as const;
const failsWith = (reason: UnavailableReason) => ["lexical", reason, REFUSED, REFUSED] as const;
const UNCONFIGURED = [400, "validation"] as const;
const FAULT = [500, "internal"] as const;
const DENIED = [401, "auth_required"] as const;

async function filled({ sweep }: Meaning): Promise<void> {
  await sweep();
  await sweep();
}

/**
 * Each row of the decision table (docs/contract/search.md#21-modes), and each reason for which an answer is degraded.
 */
const TABLE: Readonly<Record<string, Row>> = {
  "without a provider": {
    prepare: undefined,
    outcomes: ["lexical", "lexical", UNCONFIGURED, UNCONFIGURED],
  },
  "with a provider that works": { prepare: filled, outcomes: WORKS },
  "with an index that was begun and has no vectors yet": {
    prepare: async ({ state, sweep }) => {
      state.next({ status: 429 });
      await sweep();
    },
    outcomes: WORKS,
  },
  "before the index is begun": {
    prepare: async () => await Promise.resolve(),
    outcomes: failsWith("no_generation"),
  },
  "after a change of the model": {
    prepare: async (meaning) => {
      await fillWithOtherModel(meaning);
      await meaning.sweep();
    },
    outcomes: failsWith("other_model"),
  },
  "with a provider that is overloaded": {
    prepare: async (meaning) => {
      await filled(meaning);
      meaning.state.always({ status: 503 });
    },
    outcomes: failsWith("provider_silent"),
  },
  "with a provider that does not accept the key": {
    prepare: async (meaning) => {
      await filled(meaning);
      meaning.state.always({ status: 401, body: `the key ${SECRET} is wrong` });
    },
    outcomes: failsWith("provider_refused"),
  },
  "with a provider that gives vectors of another width": {
    prepare: async (meaning) => {
      await filled(meaning);
      meaning.state.behave({ dims: DIMS + 1 });
    },
    outcomes: failsWith("provider_refused"),
  },
  "with an index that cannot be read": {
    prepare: async ({ database }) => await makeUnreadable(database),
    outcomes: failsWith("index_unreadable"),
  },
  "when the words cannot be searched": {
    prepare: async (meaning) => {
      await filled(meaning);
      await loseWords(meaning.database);
    },
    outcomes: [FAULT, FAULT, FAULT, "semantic"],
  },
};

/** Fills the index with another model, as if the daemon had had other settings before. The new one is not filled. */
async function fillWithOtherModel({ w, database, baseUrl, state }: Meaning): Promise<void> {
  const settings = settingsOf(baseUrl, { dims: DIMS, model: "older" });
  const { store, clock } = w;
  const needs = { store, clock, log: silentLog, database: database.target, readonly: false };
  const older = meaningOf(settings, needs);
  const [engine] = older.engines;
  const { signal } = new AbortController();
  const bulk = async () => await Promise.reject(new Error("nothing is written to the tables"));
  await store.elect("embeddings");
  for (let sweeps = 0; sweeps < 2; sweeps++)
    await engine?.sweep({ store, term: undefined, bulk, signal });
  await older.stop();
  state.next({ status: 429 });
}

async function loseWords({ target: { dsn, schema } }: TestDatabase): Promise<void> {
  const rename = "alter table issue_text rename to away";
  if (schema !== undefined) {
    await query(dsn, `set search_path to ${schema}`, rename);
    return;
  }
  const file = new Database(dsn);
  file.exec(rename);
  file.close();
}

describeStore("the mode of a search", (open) => {
  test.each(Object.entries(TABLE))(
    "is as the decision table says over HTTP and through svc.search %s",
    async (_where, { prepare, outcomes }) => {
      const meaning = prepare === undefined ? undefined : await routedMeaning(open);
      const w = meaning?.w ?? (await world({ store: open }));
      const { project_id } = await w.given.issue({ title: "slow pages" });
      if (meaning !== undefined) await prepare?.(meaning);
      const searches = await searchesAt(await served(w));
      const seen: Outcome[] = [];
      for (const mode of MODES) seen.push(await expectSameOutcome(searches, project_id, mode));
      expect(seen).toEqual(outcomes);
    },
  );

  test("is lexical for strangers who may only read, who never cause a call of the provider", async () => {
    const state = new ProviderState();
    const { baseUrl, close } = await serveProvider(state);
    onTestFinished(close);
    const folder = tempFolder();
    const place = { folder, ...(open.dialect === "sqlite" ? {} : { dsn: await postgresDsn() }) };
    const owned = await testDaemon(place);
    const project = { name: "web", actor: "ann" };
    await call(owned.endpoint, "POST", "/projects", { body: project });
    const issue = { title: "slow pages", actor: "ann" };
    await call(owned.endpoint, "POST", "/projects/1/issues", { body: issue });
    await owned.stop();
    const { endpoint } = await testDaemon({
      ...place,
      listen: { host: "127.0.0.1", port: 0 },
      authentication: { mode: "readonly" },
      embeddings: settingsOf(baseUrl),
    });
    const searches = await searchesAt(`http://${endpoint.address}`);
    const seen: Outcome[] = [];
    for (const mode of MODES) seen.push(await expectSameOutcome(searches, 1, mode));
    expect(seen).toEqual(["lexical", "lexical", DENIED, DENIED]);
    expect(state.calls()).toEqual([]);
  });

  test("is decided after the query and the project were checked", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ title: "slow pages" });
    const { ask } = await searchesAt(await served(w));
    for (const mode of ["hybrid", "semantic"]) {
      const blank = await ask(issue.project_id, { q: " ", mode });
      expect(blank).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringMatching(/^q: /) } },
      });
      const unknown = await ask(99, { q: "slow", mode });
      expect(unknown).toMatchObject({
        status: 404,
        body: { error: { code: "project_not_found" } },
      });
    }
  });

  test("with include_deleted gives deleted issues by words only", async () => {
    const meaning = await routedMeaning(open);
    const { w } = meaning;
    const project = await w.given.project();
    const deleted = await w.given.issue({ project, title: "slow pages" });
    const live = await w.given.issue({ project, title: "slow pages too" });
    await filled(meaning);
    await w.given.deleted(deleted);
    const { ask } = await searchesAt(await served(w));
    const found = async (mode: Mode) => {
      const { body } = await ask(project.id, { q: "slow pages", mode, include_deleted: "true" });
      return new Map(body.results?.map(({ issue, matched_in }) => [issue.uid, matched_in]));
    };
    expect(await found("lexical")).toEqual(
      new Map([
        [deleted.uid, ["title"]],
        [live.uid, ["title"]],
      ]),
    );
    expect(await found("semantic")).toEqual(new Map([[live.uid, ["semantic"]]]));
    for (const mode of ["auto", "hybrid"] as const)
      expect(await found(mode)).toEqual(
        new Map([
          [deleted.uid, ["title"]],
          [live.uid, ["title", "semantic"]],
        ]),
      );
  });

  test("is mixed through svc.search if the provider answered for some of the projects only", async () => {
    const meaning = await routedMeaning(open);
    const { w, state } = meaning;
    for (let at = 0; at < PROJECTS; at++)
      await w.given.issue({ project: await w.given.project(`p${at}`), title: `slow pages ${at}` });
    await filled(meaning);
    const { call: search } = await searchesAt(await served(w));
    state.next({ status: 503 });
    const { answer } = await search("slow", "auto");
    expect(answer).toMatchObject({
      mode: "mixed",
      degraded: true,
      degraded_reason: UNAVAILABLE.provider_silent,
    });
    expect(answer.results).toHaveLength(PROJECTS);
    expect((await search("slow", "auto")).answer).toMatchObject({
      mode: "hybrid",
      degraded: false,
    });
  });
});

/** More projects than the tool asks at the same time, which share one call of the provider. */
const PROJECTS = 10;
