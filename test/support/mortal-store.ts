import type { Store } from "../../src/store/types.ts";

/** When the process kills itself: behind an event that is not committed yet, or behind the commit that has it. */
export interface Death {
  readonly moment: "append" | "commit";
  /** How many events were written before. */
  readonly events: number;
}

/** The store in a process that ends by SIGKILL at a moment of the test's choice. */
export function mortalStore(store: Store, death: Death | undefined): Store {
  let appended = 0;
  const isOver = (moment: Death["moment"]): boolean =>
    death?.moment === moment && appended > death.events;
  const write: Store["write"] = async (work) =>
    await store.write(
      async (tx) =>
        await work({
          ...tx,
          append: async (draft) => {
            const event = await tx.append(draft);
            appended += 1;
            if (isOver("append")) die();
            return event;
          },
        }),
    );
  store.onCommit(() => {
    if (isOver("commit")) die();
  });
  return new Proxy(store, {
    get: (target, key) => {
      if (key === "write") return write;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function die(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("killed");
}
