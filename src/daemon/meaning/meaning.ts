import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Engine } from "../../engines/engines.ts";
import { EMBEDDINGS, meaningEngines } from "../../meaning/engines.ts";
import { Forgetter } from "../../meaning/forgetter.ts";
import { LateIndex } from "../../meaning/late-index.ts";
import { type EmbeddingSettings, Provider } from "../../meaning/provider.ts";
import { Reconciler } from "../../meaning/reconciler.ts";
import type { EmbeddingsSide } from "../../ops/embeddings/far-side.ts";
import type { Term } from "../../store/types/elections.ts";
import type { Store } from "../../store/types/store.ts";
import { openVectors } from "../../store/vectors/open.ts";
import { Look } from "./look.ts";
import { restingEngine } from "./resting-engine.ts";
import { sideOf } from "./side.ts";

export interface MeaningNeeds {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly database: { readonly dsn: string; readonly schema?: string };
  /** Whether everybody may read without a token. Then nothing is embedded, and the provider is never called. */
  readonly readonly: boolean;
}

/** The search by meaning of a daemon that has a provider. */
export interface DaemonMeaning {
  readonly engines: readonly Engine[];
  readonly side: EmbeddingsSide;
  /** Makes the health of the engines true, as far as that takes a moment only. */
  look(): Promise<void>;
  /** Reads the key again. */
  reload(): Promise<void>;
  /** Called when the engines have stopped. */
  stop(): Promise<void>;
}

export function meaningOf(settings: EmbeddingSettings, needs: MeaningNeeds): DaemonMeaning {
  const { store, clock, log } = needs;
  const provider = new Provider({ clock, log, settings });
  const commits = { count: 0 };
  const uncount = store.onCommit(() => commits.count++);
  const forgotten = (): void => undefined;
  const forgottenProject = (): void => undefined;
  const late = new LateIndex({
    store,
    forgotten,
    openVectors: async () =>
      await openVectors({
        ...{ ...needs.database, clock, log },
        instanceUid: store.instanceUid,
        epoch: await store.read(async ({ events }) => (await events.head()).epoch),
        commits: () => commits.count,
        term: () => termOf(store),
      }),
    begin: async (opened) => await forgetter.begin(opened),
  });
  const opened = async () => await late.opened();
  const reconciler = new Reconciler({ clock, store, settings, provider, opened });
  const forgetter = new Forgetter({ clock, store, opened, forgotten, forgottenProject });
  const look = new Look({ ...needs, reconciler, opened });
  const { engines, wake, stop } = needs.readonly
    ? restingEngine(reconciler.state)
    : meaningEngines({
        ...{ clock, store, reconciler, forgetter },
        refresh: async () => await look.refresh(),
      });
  return {
    engines,
    side: sideOf(settings, { ...needs, look, provider, reconciler, opened, wake }),
    look: async () => await look.look(),
    reload: async () => {
      await provider.keyChanged();
      reconciler.beginAgain();
      wake();
    },
    stop: async () => {
      look.stop();
      stop();
      uncount();
      provider.close();
      await late.close();
    },
  };
}

/** The term under which this daemon fills the index. Undefined while another daemon does. */
function termOf(store: Pick<Store, "elections">): Term | undefined {
  const own = store.elections().find(({ name, here }) => here && name === EMBEDDINGS);
  return own && { name: own.name, number: own.term, holder: own.holder };
}
