import { NEVER } from "../../engines/engines.ts";
import { EMBEDDINGS, type MeaningEngines } from "../../meaning/engines.ts";
import type { MeaningState } from "../../meaning/state.ts";

/** Does nothing but have a field of health: where everybody may read without a token, nothing is embedded. */
export function restingEngine(state: Pick<MeaningState, "health">): MeaningEngines {
  const engine = {
    name: EMBEDDINGS,
    firstMs: 0,
    elected: false,
    health: { field: "embeddings", read: () => state.health },
    sweep: async () => await Promise.resolve(NEVER),
  } as const;
  return { engines: [engine], wake: () => undefined, stop: () => undefined };
}
