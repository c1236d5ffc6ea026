import type { Log } from "../base/log.ts";
import type { SemanticSearch } from "../ops/search/semantic.ts";
import type { Generation } from "../store/types/vectors.ts";
import { planOf } from "./generations.ts";
import type { QueryVectors } from "./query-vectors.ts";
import type { OpenedIndex } from "./reconciler.ts";

type NearestAsk = Parameters<SemanticSearch["nearest"]>[0];
type Nearest = Extract<Awaited<ReturnType<SemanticSearch["nearest"]>>, { readonly hits: unknown }>;

/** Finds the nearest vectors, on a thread of its own. */
export interface Scorer {
  /** `damaged`: a stored vector is no vector. `unreadable`: there is no answer, or not in time. */
  nearest(
    ask: NearestAsk & { readonly generation: number; readonly dims: number },
  ): Promise<Nearest | { readonly fault: "damaged" | "unreadable"; readonly detail: string }>;
}

interface Needs {
  readonly log: Pick<Log, "warn">;
  readonly vectors: Pick<QueryVectors, "of">;
  readonly scorer: Scorer;
  readonly fingerprint: string;
  opened(): Promise<Pick<OpenedIndex, "vectors">>;
}

/** The search by meaning of a daemon with a provider (facts search 4). */
export function meaningSearch({
  log,
  vectors,
  scorer,
  fingerprint,
  opened,
}: Needs): SemanticSearch {
  const unreadable = (error: unknown) => {
    log.warn("embeddings.index_unreadable", { error });
    return { unavailable: "index_unreadable" } as const;
  };
  const serving = async () => servingOf(await (await opened()).vectors.generations(), fingerprint);
  return {
    embed: async (text) => {
      try {
        const generation = await serving();
        return "unavailable" in generation ? generation : await vectors.of(text);
      } catch (error) {
        return unreadable(error);
      }
    },
    nearest: async (ask) => {
      try {
        const generation = await serving();
        if ("unavailable" in generation) return generation;
        const { id, dims } = generation;
        const found = await scorer.nearest({ ...ask, generation: id, dims });
        if ("hits" in found) return found;
        if (found.fault === "damaged") await (await opened()).vectors.discard({ generation: id });
        return unreadable(found.detail);
      } catch (error) {
        return unreadable(error);
      }
    },
  };
}

/** Returns the generation that answers searches, or why none does. */
function servingOf(all: readonly Generation[], fingerprint: string) {
  const { serving } = planOf(all, fingerprint);
  if (serving === undefined) return { unavailable: "no_generation" } as const;
  if (serving.fingerprint !== fingerprint) return { unavailable: "other_model" } as const;
  return serving;
}
