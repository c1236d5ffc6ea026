import type { Log } from "../base/log.ts";
import { type Engine, NEVER } from "./engines.ts";

const HELD_MS = 2000;
const IDLE_MS = 30_000;

/**
 * Erases purged data that could not be erased at once: a reader was active, the daemon was killed, or an upgrade found
 * data from earlier purges.
 */
export function eraseEngine({ log }: { readonly log: Log }): Engine {
  let wasHeld = false;
  return {
    name: "erase",
    firstMs: 1500,
    elected: false,
    endsWithStore: true,
    sweep: async ({ store }) => {
      const outcome = await store.erase();
      if (outcome === "unsupported") return NEVER;
      if (outcome === "held" && !wasHeld) log.info("erase.held");
      if (outcome === "erased" && wasHeld) log.info("erase.done");
      wasHeld = outcome === "held";
      return wasHeld ? HELD_MS : IDLE_MS;
    },
    failed: (error) => {
      log.warn("erase.failed", { error });
      return IDLE_MS;
    },
  };
}
