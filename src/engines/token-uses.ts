import type { TokenUses } from "../ops/tokens/uses.ts";
import type { Engine } from "./engines.ts";

const EVERY_MS = 60_000;

/** Writes the last use of each token to the database once a minute. */
export function tokenUseEngine(uses: TokenUses): Engine {
  return {
    name: "token_uses",
    firstMs: EVERY_MS,
    elected: false,
    sweep: async ({ store }) => {
      await uses.write(store);
      return EVERY_MS;
    },
  };
}
