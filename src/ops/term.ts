import type { Store, Term } from "../store/types.ts";
import type { OpStore } from "./deps.ts";
import { guarded } from "./guarded.ts";

/** A daemon without the term asks for it this often, so one that hangs is replaced so long after its term ended. */
export const ELECTION_RETRY_MS = 3000;

/** The work has passed to another daemon: whatever this one had in hand is not written. */
export class TermOver extends Error {
  constructor({ name, number }: Term) {
    super(`term ${number} of ${name} is over`);
  }
}

/**
 * The store as an engine writes to it: each write begins with the question whether the engine's term still lasts, inside
 * its transaction, and until that has ended no other daemon begins the next term. So a daemon that hung and comes back
 * writes nothing of what it had begun.
 */
export function underTerm(store: Store, term: Term): OpStore {
  return guarded(store, {
    begin: async (tx) => {
      if (!(await tx.holdsTerm(term))) throw new TermOver(term);
    },
  });
}
