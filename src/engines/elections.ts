import type { Log } from "../base/log.ts";
import type { Store } from "../store/types.ts";

/**
 * The store as the engines ask it: which work this daemon takes on or loses is in the log, and from whom it took a work
 * whose daemon had fallen silent.
 */
export function toldElections(store: Store, log: Log): Store {
  const mine = new Map<string, number>();
  const elect: Store["elect"] = async (name) => {
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
  return new Proxy(store, {
    get: (target, name) => {
      if (name === "elect") return elect;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
