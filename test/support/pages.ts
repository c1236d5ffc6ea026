import type { Pages } from "../../src/daemon/routes/ui.ts";

export const PAGE_ORIGIN = "http://127.0.0.1:4000";

/** Pages at a fixed origin. */
export const PAGES: Pages = { origin: async () => ({ origin: PAGE_ORIGIN, stable: true }) };
