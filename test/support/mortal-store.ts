import type { OpStore } from "../../src/ops/deps.ts";
import { withGuard } from "../../src/ops/guarded.ts";
import type { Store } from "../../src/store/types/store.ts";

/** When the process kills itself: after an event that is not committed yet, or after the commit of an event. */
export interface Death {
  readonly moment: "append" | "commit";
  /** The number of events that were written before this event. */
  readonly events: number;
}

/** A store in a process that ends itself by SIGKILL at a given moment. */
export function mortalStore(store: Store, death: Death | undefined): OpStore {
  let appended = 0;
  const dieAt = (moment: Death["moment"]): void => {
    if (death?.moment === moment && appended > death.events) die();
  };
  const guard = {
    append: async () => {
      dieAt("append");
      appended += 1;
    },
  };
  store.onCommit(() => dieAt("commit"));
  return {
    ...withGuard(store, guard),
    write: async (work) =>
      await store.write(async (tx) => {
        const value = await work(tx);
        dieAt("append");
        return value;
      }, guard),
  };
}

function die(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("killed");
}
