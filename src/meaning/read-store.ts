import type { Store } from "../store/types/store.ts";

/** What the search by meaning needs of the store: it writes nothing there. */
export type ReadStore = Pick<Store, "read">;
