import { onTestFinished } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import type { EmbeddingsConfig } from "../../src/config/embeddings.ts";
import { EMBEDDINGS } from "../../src/meaning/engines.ts";
import { Forgetter } from "../../src/meaning/forgetter.ts";
import { LazyIndex } from "../../src/meaning/lazy-index.ts";
import { Provider } from "../../src/meaning/provider.ts";
import { Reconciler } from "../../src/meaning/reconciler.ts";
import type { VectorStore } from "../../src/store/types/vectors.ts";
import { openVectors } from "../../src/store/vectors/open.ts";
import type { TestDatabase } from "../support/store.ts";
import type { World } from "../support/world.ts";
import { Died, Life } from "./life.ts";

/**
 * The reconciler and the forgetter of a daemon, which die when `life` ends. What they write to the tables of svc is
 * nothing, so only their calls of the vectors and of the provider count.
 */
export async function startMortal(w: World, database: TestDatabase, settings: EmbeddingsConfig) {
  const { store, clock } = w;
  const life = new Life();
  const provider = new Provider({ clock, log: silentLog, settings });
  const commits = { count: 0 };
  const uncount = store.onCommit(() => commits.count++);
  const { epoch } = await store.read(async ({ events }) => await events.head());
  const opened: VectorStore[] = [];
  const lazy = new LazyIndex({
    clock,
    store,
    forgotten: () => undefined,
    openVectors: async () => {
      const vectors = await openVectors({
        ...{ ...database.target, instanceUid: store.instanceUid, epoch, clock, log: silentLog },
        ...{ commits: () => commits.count, term: () => termIn(w) },
      });
      opened.push(vectors);
      return life.over(vectors);
    },
    begin: async (index) => await forgetter.begin(index),
  });
  const index = async () => await lazy.opened();
  const reconciler = new Reconciler({
    ...{ clock, store, settings, opened: index },
    provider: life.over(provider),
  });
  const forgotten = () => undefined;
  const forgetter = new Forgetter({
    ...{ clock, store, opened: index, forgotten, forgottenProject: forgotten },
  });
  const { signal } = new AbortController();
  /** Does nothing if the process dies meanwhile. */
  const alive = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Died) return undefined;
      throw error;
    }
  };
  const end = async (): Promise<void> => {
    uncount();
    provider.close();
    for (const vectors of opened.splice(0)) await vectors.close();
  };
  onTestFinished(end);
  return {
    life,
    end,
    fingerprint: reconciler.fingerprint,
    index,
    sweep: async () => {
      await store.elect(EMBEDDINGS);
      return await alive(async () => await reconciler.sweep(signal));
    },
    forget: async () => await alive(async () => await forgetter.sweep()),
    /** Returns the health after a look, which is true at this moment. */
    look: async () =>
      await alive(async () => {
        await reconciler.look(signal);
        return reconciler.state.health;
      }),
  };
}

function termIn({ store }: World) {
  const own = store.elections().find(({ name, here }) => here && name === EMBEDDINGS);
  return own && { name: own.name, number: own.term, holder: own.holder };
}
