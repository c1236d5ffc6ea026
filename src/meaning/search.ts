import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { SemanticSearch } from "../ops/search/semantic.ts";
import type { Generation } from "../store/types/vectors.ts";
import { planOf } from "./generations.ts";
import type { QueryVectors } from "./query-vectors.ts";
import type { OpenedIndex } from "./reconciler.ts";

/** One search does not wait longer than this for the index, in all its questions together. */
const INDEX_MS = 3000;

type NearestAsk = Omit<Parameters<SemanticSearch["nearest"]>[0], "until_ms">;
type Nearest = Extract<Awaited<ReturnType<SemanticSearch["nearest"]>>, { readonly hits: unknown }>;

/** Finds the nearest vectors, on a thread of its own. */
export interface Scorer {
  /** `damaged`: a stored vector is no vector. `unreadable`: there is no answer, or not in time. */
  nearest(
    ask: NearestAsk & { readonly generation: number; readonly dims: number },
  ): Promise<Nearest | { readonly fault: "damaged" | "unreadable"; readonly detail: string }>;
}

interface Needs {
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  readonly vectors: Pick<QueryVectors, "of">;
  readonly scorer: Scorer;
  readonly fingerprint: string;
  opened(): Promise<{
    readonly vectors: Pick<OpenedIndex["vectors"], "generations" | "discard">;
  }>;
}

/** The search by meaning of a daemon with a provider (docs/contract/search.md#4-search-by-meaning). */
export function meaningSearch({
  clock,
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
  const nearest = async (ask: NearestAsk) => {
    const generation = await serving();
    if ("unavailable" in generation) return generation;
    const { id, dims } = generation;
    const found = await scorer.nearest({ ...ask, generation: id, dims });
    if ("hits" in found) return found;
    if (found.fault === "damaged") await (await opened()).vectors.discard({ generation: id });
    return unreadable(found.detail);
  };
  return {
    embed: async (text) => {
      try {
        const begunMs = clock.nowMs();
        const generation = await inTime(clock, begunMs + INDEX_MS, serving);
        if ("unavailable" in generation) return generation;
        const leftMs = begunMs + INDEX_MS - clock.nowMs();
        const found = await vectors.of(text);
        return "vector" in found ? { ...found, until_ms: clock.nowMs() + leftMs } : found;
      } catch (error) {
        return unreadable(error);
      }
    },
    nearest: async ({ until_ms, ...ask }) => {
      try {
        return await inTime(clock, until_ms, async () => await nearest(ask));
      } catch (error) {
        return unreadable(error);
      }
    },
  };
}

/** Throws if the work is not done at `untilMs`. It goes on then, and nobody waits for it. */
async function inTime<T>(clock: Clock, untilMs: number, work: () => Promise<T>): Promise<T> {
  const leftMs = untilMs - clock.nowMs();
  if (leftMs <= 0) throw new Error(LATE);
  const done = new AbortController();
  const late = clock.sleep(leftMs, done.signal).then(() => {
    throw new Error(LATE);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    done.abort();
  }
}

const LATE = "the index gave no answer in time";

/** Returns the generation that answers searches, or why none does. */
function servingOf(all: readonly Generation[], fingerprint: string) {
  const { serving } = planOf(all, fingerprint);
  if (serving === undefined) return { unavailable: "no_generation" } as const;
  if (serving.fingerprint !== fingerprint) return { unavailable: "other_model" } as const;
  return serving;
}
