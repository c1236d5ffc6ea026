import type { Log } from "../base/log.ts";
import type { Store } from "../store/types/store.ts";

/**
 * Returns a function that asks for this daemon's term for an engine (`store.elect`), and logs when this daemon wins or
 * loses the election. If another daemon was elected before and has not renewed its term in time, the log names that
 * daemon.
 */
export function loggedElect(store: Pick<Store, "elect" | "elections">, log: Log): Store["elect"] {
  const mine = new Map<string, number>();
  return async (name) => {
    const term = await store.elect(name);
    const known = mine.get(name);
    if (term?.number === known) return term;
    const seen = store.elections().find((election) => election.name === name);
    if (term === undefined) {
      mine.delete(name);
      log.warn("election.lost", { engine: name, term: known, holder: seen?.holder });
      return undefined;
    }
    mine.set(name, term.number);
    const taken = seen?.here === true ? seen.taken_from : null;
    if (taken !== null)
      log.warn("election.taken_over", { engine: name, term: term.number, from: taken });
    else if (seen !== undefined) log.info("election.won", { engine: name, term: term.number });
    return term;
  };
}
