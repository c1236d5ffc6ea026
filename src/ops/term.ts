import type { Term } from "../store/types/elections.ts";
import type { Store } from "../store/types/store.ts";
import type { OpStore } from "./deps.ts";
import { withGuard } from "./guarded.ts";

/**
 * The pause between the attempts of other daemons to be elected. A daemon that hangs is replaced at most this long
 * after its term ended.
 */
export const ELECTION_RETRY_MS = 3000;

/** Thrown in a write of an engine when another daemon has the engine's term. Nothing of the write is committed. */
export class TermOver extends Error {
  constructor({ name, number }: Term) {
    super(`term ${number} of ${name} is over`);
  }
}

/**
 * Returns a store whose writes first check, in their transaction, that the engine's term still lasts. No other daemon
 * can begin a term during such a write. So a daemon that hung and lost its term cannot commit a write of that term.
 */
export function underTerm(store: Store, term: Term): OpStore {
  return withGuard(store, {
    begin: async (tx) => {
      if (!(await tx.holdsTerm(term))) throw new TermOver(term);
    },
  });
}
