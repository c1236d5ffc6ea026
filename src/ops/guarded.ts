import type { Store, WriteGuard } from "../store/types/store.ts";
import type { OpStore } from "./deps.ts";

export function withGuard(store: Store, guard: WriteGuard): OpStore {
  return {
    instanceUid: store.instanceUid,
    read: async (work, budget) => await store.read(work, budget),
    write: async (work) => await store.write(work, guard),
    leaseNow: async () => await store.leaseNow(),
    erase: async () => await store.erase(),
    rewriteTexts: async () => await store.rewriteTexts(),
  };
}
