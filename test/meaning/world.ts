import { onTestFinished } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import type { EmbeddingsConfig } from "../../src/config/embeddings.ts";
import { editIssue } from "../../src/contract/issues.ts";
import { deleteIssue, purgeIssue, restoreIssue } from "../../src/contract/removal.ts";
import { meaningOf } from "../../src/daemon/meaning/meaning.ts";
import { textOf } from "../../src/domain/meaning/recipe.ts";
import { hashOf } from "../../src/meaning/identity.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import type { VectorStore } from "../../src/store/types/vectors.ts";
import { openVectors } from "../../src/store/vectors/open.ts";
import type { OpenTestStore, TestDatabase } from "../support/store.ts";
import { type World, world } from "../support/world.ts";
import { serveProvider } from "./provider/server.ts";
import { ProviderState } from "./provider/state.ts";
import { settingsOf } from "./support.ts";

const DIMS = 16;
const END = Number.MAX_SAFE_INTEGER;

/** A world with a real provider. `start` gives it the search by meaning of a daemon, whose sweeps the test runs. */
export async function meaningWorld(open: OpenTestStore) {
  const database = await open.database();
  const w = await world({ store: async (options) => await database.open(options) });
  const state = new ProviderState();
  state.behave({ dims: DIMS });
  const { baseUrl, close } = await serveProvider(state);
  onTestFinished(close);
  const start = (own: Partial<EmbeddingsConfig> = {}, store = w.store) =>
    startMeaning({ database, store, clock: w.clock }, settingsOf(baseUrl, { dims: DIMS, ...own }));
  return { w, database, state, baseUrl, start, ...callsOf(w), ...(await indexOf(w, database)) };
}

function startMeaning(
  {
    database,
    store,
    clock,
  }: { readonly database: TestDatabase; readonly store: AdminStore } & Pick<World, "clock">,
  settings: EmbeddingsConfig,
) {
  const needs = { store, clock, log: silentLog, database: database.target, readonly: false };
  const meaning = meaningOf(settings, needs);
  const stopped = new AbortController();
  const stop = async (): Promise<void> => {
    stopped.abort();
    await meaning.stop();
  };
  onTestFinished(stop);
  const [embeddings, forget] = meaning.engines;
  if (embeddings === undefined || forget === undefined) throw new Error("there are two engines");
  const parts = { store, term: undefined, signal: stopped.signal };
  const bulk = async () => await Promise.reject(new Error("nothing is written to the tables"));
  /** One sweep, or nothing if another daemon has the election. Returns the time until the next one. */
  const sweep = async (): Promise<number> => {
    await embeddings.due?.();
    if ((await store.elect(embeddings.name)) === undefined) return Number.NaN;
    return await embeddings.sweep({ ...parts, bulk });
  };
  return {
    ...meaning,
    stop,
    sweep,
    /** Sweeps until there is nothing to do now. Returns the time until the next sweep. */
    fill: async (): Promise<number> => {
      for (let times = 0; ; times++) {
        const wait = await sweep();
        if (wait !== 0) return wait;
        if (times > 100) throw new Error("the sweeps do not end");
      }
    },
    forget: async () => await forget.sweep({ ...parts, bulk }),
    health: () => embeddings.health?.read(true),
  };
}

/** Frequent calls. */
function callsOf(w: World) {
  type Issue = Awaited<ReturnType<World["given"]["issue"]>>;
  const confirm = (issue: Issue, word: string) => ({
    "x-svc-confirm": `${word} ${issue.qualified_id}`,
  });
  return {
    edit: async (issue: Issue, body: { title?: string; body?: string; owner?: string }) =>
      await w.call(editIssue, { params: issue.path, body }),
    remove: async (issue: Issue) =>
      await w.call(deleteIssue, { params: issue.path, headers: confirm(issue, "DELETE") }),
    restore: async (issue: Issue) => await w.call(restoreIssue, { params: issue.path }),
    purge: async (issue: Issue) =>
      await w.call(purgeIssue, { params: issue.path, headers: confirm(issue, "PURGE") }),
  };
}

/** Looks into the index beside the search by meaning. */
async function indexOf(w: World, database: TestDatabase) {
  const { epoch } = await w.store.read(async ({ events }) => await events.head());
  const look = async <T>(work: (vectors: VectorStore) => Promise<T>): Promise<T> => {
    const vectors = await openVectors({
      ...database.target,
      instanceUid: w.store.instanceUid,
      epoch,
      clock: w.clock,
      log: silentLog,
      commits: () => 0,
      term: () => undefined,
    });
    try {
      return await work(vectors);
    } finally {
      await vectors.close();
    }
  };
  const generations = async () => await look(async (vectors) => await vectors.generations());
  const stamps = async (state: "active" | "building" = "active") =>
    await look(async (vectors) => {
      const found = (await vectors.generations()).find((one) => one.state === state);
      return found === undefined ? [] : await vectors.range(found.id, 0, END);
    });
  return {
    look,
    generations,
    stamps,
    /** The texts whose vectors the active generation has, by the texts of issues that were ever there. */
    indexed: async (): Promise<readonly string[]> => {
      const titles = new Map<string, string>();
      for (const { uid } of await w.store.read(
        async (reader) => await reader.contents.marks(0, END),
      )) {
        const issue = await w.store.read(async (reader) => await reader.issues.find(uid));
        if (issue !== undefined) titles.set(hashOf(textOf(issue)), issue.title);
      }
      return (await stamps()).map(({ text_hash, issue_uid }) => titles.get(text_hash) ?? issue_uid);
    },
  };
}

export type MeaningWorld = Awaited<ReturnType<typeof meaningWorld>>;
