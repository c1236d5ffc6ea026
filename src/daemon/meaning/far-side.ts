import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { EmbeddingsConfig } from "../../config/embeddings.ts";
import { planOf } from "../../meaning/generations.ts";
import type { Provider } from "../../meaning/provider.ts";
import type { OpenedIndex, Reconciler } from "../../meaning/reconciler.ts";
import type { EmbeddingsFarSide, EmbeddingsShown } from "../../ops/embeddings/far-side.ts";
import type { HealthUpdater } from "./health-updater.ts";

/** The limit of a test of the provider, and the word that it embeds. */
const TEST_MS = 5000;
const TEST_WORD = "issue";
/** How many refused issues are shown. */
const MOST_SKIPPED = 100;

interface Needs {
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  readonly updater: Pick<HealthUpdater, "update">;
  readonly provider: Pick<Provider, "embed">;
  readonly reconciler: Reconciler;
  readonly readonly: boolean;
  opened(): Promise<OpenedIndex>;
  wake(): void;
}

/** What the routes of search by meaning use. */
export function farSideOf(settings: EmbeddingsConfig, needs: Needs): EmbeddingsFarSide {
  const { clock, log, updater, provider, reconciler, opened, wake } = needs;
  const { model, dims } = settings;
  return {
    show: async () => {
      await updater.update();
      const { state, fingerprint } = reconciler;
      try {
        const found = needs.readonly ? NOTHING : await foundIn(await opened(), fingerprint);
        return { health: state.health, model, dims, ...found };
      } catch (error) {
        log.warn("embeddings.index_unreadable", { error });
        const health = { ...state.health, error_present: true, index_failed: true };
        return { health, model, dims, ...NOTHING };
      }
    },
    reindex: async () => {
      await reconciler.requestAnew();
      wake();
    },
    test: async () => {
      const begun = clock.nowMs();
      const { signal } = new AbortController();
      const answer = await provider.embed([TEST_WORD], { maxMs: TEST_MS, signal });
      if ("vectors" in answer) return { result: "ok", ms: clock.nowMs() - begun };
      return { result: "failed", ...("status" in answer ? { status: answer.status } : {}) };
    },
  };
}

const NOTHING = { generation: "none", skipped: [] } as const;

async function foundIn(
  { vectors }: OpenedIndex,
  fingerprint: string,
): Promise<Pick<EmbeddingsShown, "generation" | "skipped">> {
  const { working, serving } = planOf(await vectors.generations(), fingerprint);
  if (working === undefined) return NOTHING;
  const skipped = await vectors.skipped(working.id, MOST_SKIPPED);
  return { generation: serving?.fingerprint === fingerprint ? "active" : "building", skipped };
}
