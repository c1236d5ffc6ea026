import type { TokenUses } from "../ops/tokens/uses.ts";
import type { Engine } from "./engines.ts";

const EVERY_MS = 60_000;

/** Once a minute, writes the times at which tokens were last used to the database. */
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
