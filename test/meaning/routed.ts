import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { EmbeddingsConfig } from "../../src/config/embeddings.ts";
import { vectorsPath } from "../../src/store/vectors/sqlite-path.ts";
import { query } from "../support/postgres.ts";
import type { OpenTestStore, TestDatabase } from "../support/store.ts";
import { world } from "../support/world.ts";
import { serveProvider } from "./provider/server.ts";
import { ProviderState } from "./provider/state.ts";
import { settingsOf } from "./support.ts";

export const DIMS = 16;

interface Own {
  readonly readonly?: boolean;
  readonly settings?: Partial<EmbeddingsConfig>;
}

/** A world whose routes have the search by meaning of a daemon. The test runs its sweeps. */
export async function routedMeaning(open: OpenTestStore, { readonly = false, settings }: Own = {}) {
  const database = await open.database();
  const state = new ProviderState();
  state.behave({ dims: DIMS });
  const { baseUrl, close } = await serveProvider(state);
  onTestFinished(close);
  const w = await world({
    store: async (options) => await database.open(options),
    meaning: {
      settings: settingsOf(baseUrl, { dims: DIMS, ...settings }),
      database: database.target,
      readonly,
    },
  });
  const sweep = async (): Promise<void> => {
    const [engine] = (await w.meaning?.get())?.engines ?? [];
    await w.store.elect("embeddings");
    const { signal } = new AbortController();
    const bulk = async () => await Promise.reject(new Error("nothing is written to the tables"));
    await engine?.sweep({ store: w.store, term: undefined, bulk, signal });
  };
  return { w, database, state, baseUrl, sweep };
}

/** Puts something else in the place of the index. */
export async function makeUnreadable({ target: { dsn, schema } }: TestDatabase): Promise<void> {
  if (schema === undefined) mkdirSync(join(vectorsPath(dsn), "folder"), { recursive: true });
  else await query(dsn, `alter table ${schema}.vector_generation rename to away`);
}
