import type { Term } from "../store/types/elections.ts";
import type { Store } from "../store/types/store.ts";
import type { OpStore } from "./deps.ts";
import { guarded } from "./guarded.ts";

/**
 * How often other daemons try to be elected: a daemon that hangs is replaced at most this long after its term ended.
 */
export const ELECTION_RETRY_MS = 3000;

/** Thrown when another daemon has the term: nothing of this write is committed. */
export class TermOver extends Error {
  constructor({ name, number }: Term) {
    super(`term ${number} of ${name} is over`);
  }
}

/**
 * Returns a store whose writes first check, in their transaction, that the engine's term still lasts. No other daemon
 * can begin a term during such a write, so a daemon that hung commits nothing that it had begun before.
 */
export function underTerm(store: Store, term: Term): OpStore {
  return guarded(store, {
    begin: async (tx) => {
      if (!(await tx.holdsTerm(term))) throw new TermOver(term);
    },
  });
}
