import type { Clock } from "../base/clock.ts";
import type { Engine } from "../engines/engines.ts";
import { Wake } from "../engines/wake.ts";
import type { Store } from "../store/types/store.ts";
import type { Forgetter } from "./forgetter.ts";
import { isNotElected } from "./not-elected.ts";
import type { Reconciler } from "./reconciler.ts";

export const EMBEDDINGS = "embeddings";

/** After a commit, others that belong to it usually follow, so the comparison waits for them. */
const EMBED_AFTER_MS = 1500;
const FORGET_AFTER_MS = 200;
/** A daemon without the election tries to get it this often. */
const UNELECTED_MS = 10_000;

interface Needs {
  readonly clock: Clock;
  readonly store: Pick<Store, "onCommit">;
  readonly reconciler: Reconciler;
  readonly forgetter: Forgetter;
  /** Reads what the daemon that has the election says, unless this is the one. */
  refresh(): Promise<void>;
}

export interface MeaningEngines {
  readonly engines: readonly Engine[];
  /** Lets the reconciler begin a sweep. */
  wake(): void;
  stop(): void;
}

/** The two engines of search by meaning. They begin a while after each commit, and stop listening to commits at a stop. */
export function meaningEngines(deps: Needs): MeaningEngines {
  const { reconciler, forgetter, refresh } = deps;
  const [embed, forget] = [new Wake(), new Wake()];
  const stopped = new AbortController();
  const unsubscribe = [
    wakeAfterCommits(deps, embed, EMBED_AFTER_MS, stopped.signal),
    wakeAfterCommits(deps, forget, FORGET_AFTER_MS, stopped.signal),
  ];
  const embeddings: Engine = {
    name: EMBEDDINGS,
    firstMs: 2500,
    elected: true,
    unelectedMs: UNELECTED_MS,
    delaysIdle: true,
    wake: embed,
    health: { field: "embeddings", read: () => reconciler.state.health },
    due: async () => {
      await refresh();
      return 0;
    },
    sweep: async ({ signal }) => {
      embed.taken();
      return await reconciler.sweep(signal);
    },
    failed: (error) => {
      if (isNotElected(error)) return UNELECTED_MS;
      reconciler.state.failed();
      return undefined;
    },
  };
  const forgets: Engine = {
    name: "embeddings_forget",
    firstMs: 2000,
    elected: false,
    wake: forget,
    sweep: async () => {
      forget.taken();
      return await forgetter.sweep();
    },
  };
  return {
    engines: [embeddings, forgets],
    wake: () => embed.wake(),
    stop: () => {
      stopped.abort();
      for (const end of unsubscribe) end();
    },
  };
}

/** Commits that come while one waits are part of the same wake. */
function wakeAfterCommits(
  { clock, store }: Pick<Needs, "clock" | "store">,
  wake: Wake,
  ms: number,
  signal: AbortSignal,
): () => void {
  let isWaiting = false;
  return store.onCommit(() => {
    if (isWaiting) return;
    isWaiting = true;
    void clock.sleep(ms, signal).then(() => {
      isWaiting = false;
      wake.wake();
    });
  });
}
