import { MIGRATIONS } from "../../../src/store/migrations/index.ts";
import { latest, type Migration, writeMeta } from "../../../src/store/upgrade/migrate.ts";

/** The schema version that the code itself makes. */
export const RELEASED = latest(MIGRATIONS);

/**
 * A further migration, so that databases of the newest release can be upgraded. It changes no table of PostgreSQL,
 * because svc compares these with the fingerprint of its own schema (`postgres/catalog.ts`).
 */
const planted: Migration = {
  version: RELEASED + 1,
  up: async ({ dialect, index, rewriteTexts }) => {
    if (dialect === "sqlite") await index("planted_title", "issue", "title, id");
    await rewriteTexts();
  },
  finish: async (connection) => await writeMeta(connection, "planted", "finished"),
};

/** Importing this file adds the migration for all of the process. */
(MIGRATIONS as Migration[]).push(planted);
