import type { OpStore } from "../../src/ops/deps.ts";
import { guarded } from "../../src/ops/guarded.ts";
import type { Store } from "../../src/store/types/store.ts";

/** When the process kills itself: behind an event that is not committed yet, or behind the commit that has it. */
export interface Death {
  readonly moment: "append" | "commit";
  /** How many events were written before. */
  readonly events: number;
}

/** The store in a process that ends by SIGKILL at a moment of the test's choice. */
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
    ...guarded(store, guard),
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
