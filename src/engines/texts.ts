import type { Log } from "../base/log.ts";
import type { Engine } from "./engines.ts";

/** The pause between two sweeps while the index is not complete, so that other writes wait for one sweep at most. */
const NEXT_MS = 20;
const IDLE_MS = 30_000;

/** Writes the full-text index again after an upgrade or a purge, while the daemon serves. */
export function textEngine({ log }: { readonly log: Log }): Engine {
  let wasMore = false;
  return {
    name: "texts",
    firstMs: 1000,
    elected: false,
    sweep: async ({ store }) => {
      const isMore = await store.rewriteTexts();
      if (wasMore && !isMore) log.info("texts.written");
      wasMore = isMore;
      return isMore ? NEXT_MS : IDLE_MS;
    },
    failed: (error) => {
      log.warn("texts.failed", { error });
      return IDLE_MS;
    },
  };
}
