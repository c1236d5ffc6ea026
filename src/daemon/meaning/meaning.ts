import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { EmbeddingsConfig } from "../../config/embeddings.ts";
import type { Engine } from "../../engines/engines.ts";
import { EMBEDDINGS, meaningEngines } from "../../meaning/engines.ts";
import { Forgetter } from "../../meaning/forgetter.ts";
import { LazyIndex } from "../../meaning/lazy-index.ts";
import { Provider } from "../../meaning/provider.ts";
import { QueryVectors } from "../../meaning/query-vectors.ts";
import { type OpenedIndex, Reconciler } from "../../meaning/reconciler.ts";
import { meaningSearch } from "../../meaning/search.ts";
import type { EmbeddingsFarSide } from "../../ops/embeddings/far-side.ts";
import type { SemanticSearch } from "../../ops/search/semantic.ts";
import type { Term } from "../../store/types/elections.ts";
import type { Store } from "../../store/types/store.ts";
import { openVectors } from "../../store/vectors/open.ts";
import type { StartWorker } from "../threads/worker-thread.ts";
import { farSideOf } from "./far-side.ts";
import { HealthUpdater } from "./health-updater.ts";
import { restingEngine } from "./resting-engine.ts";
import { ScoringWorker } from "./scorer.ts";

export interface MeaningNeeds {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly database: { readonly dsn: string; readonly schema?: string };
  /** Whether everybody may read without a token. Then nothing is embedded, and the provider is never called. */
  readonly readonly: boolean;
  /** Starts the thread that compares vectors. */
  readonly startWorker?: StartWorker | undefined;
}

/** The search by meaning of a daemon that has a provider. */
export interface DaemonMeaning {
  readonly engines: readonly Engine[];
  readonly farSide: EmbeddingsFarSide;
  readonly search: SemanticSearch;
  /** Makes the health of the engines true, as far as that takes a moment only. */
  look(): Promise<void>;
  /** Reads the key again. */
  reload(): Promise<void>;
  /** Called when the engines have stopped. */
  stop(): Promise<void>;
}

export function meaningOf(settings: EmbeddingsConfig, needs: MeaningNeeds): DaemonMeaning {
  const { store, clock, log } = needs;
  const provider = new Provider({ clock, log, settings });
  const commits = { count: 0 };
  const uncount = store.onCommit(() => commits.count++);
  let scorer: ScoringWorker | undefined;
  const scorerOf = ({ vectors: { scoring: place } }: OpenedIndex): ScoringWorker =>
    (scorer ??= new ScoringWorker({ place, clock, log, start: needs.startWorker }));
  const forgotten = (uids: readonly string[]): void => scorer?.forget(uids);
  const forgottenProject = (uid: string): void => scorer?.forgetProject(uid);
  const lazy = new LazyIndex({
    clock,
    store,
    forgotten,
    openVectors: async () =>
      await openVectors({
        ...{ ...needs.database, clock, log },
        instanceUid: store.instanceUid,
        epoch: await store.read(async ({ events }) => (await events.head()).epoch),
        commits: () => commits.count,
        term: () => termOf(store),
        onReplaced: () => scorer?.reopen(),
      }),
    begin: async (opened) => await forgetter.begin(opened),
  });
  const opened = async () => await lazy.opened();
  const reconciler = new Reconciler({ clock, store, settings, provider, opened });
  const forgetter = new Forgetter({ clock, store, opened, forgotten, forgottenProject });
  const updater = new HealthUpdater({ ...needs, reconciler, opened });
  const { fingerprint } = reconciler;
  const queries = new QueryVectors({ clock, provider, fingerprint });
  const search = meaningSearch({
    ...{ clock, log, vectors: queries, fingerprint, opened },
    scorer: { nearest: async (ask) => await scorerOf(await opened()).nearest(ask) },
  });
  const { engines, wake, stop } = needs.readonly
    ? restingEngine(reconciler.state)
    : meaningEngines({
        ...{ clock, store, reconciler, forgetter },
        refresh: async () => await updater.readElected(),
      });
  return {
    engines,
    farSide: farSideOf(settings, { ...needs, updater, provider, reconciler, opened, wake }),
    search,
    look: async () => await updater.update(),
    reload: async () => {
      await provider.keyChanged();
      reconciler.beginAgain();
      wake();
    },
    stop: async () => {
      updater.stop();
      queries.stop();
      stop();
      uncount();
      provider.close();
      await scorer?.stop();
      await lazy.close();
    },
  };
}

/** The term under which this daemon fills the index. Undefined while another daemon does. */
function termOf(store: Pick<Store, "elections">): Term | undefined {
  const own = store.elections().find(({ name, here }) => here && name === EMBEDDINGS);
  return own && { name: own.name, number: own.term, holder: own.holder };
}
