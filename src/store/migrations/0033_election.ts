import type { Migration } from "../upgrade/migrate.ts";

/**
 * Adds a table that records which daemon runs which engine on a PostgreSQL database. On SQLite the table stays empty.
 */
export const election: Migration = {
  version: 33,
  up: async ({ table }) => {
    await table(
      "election",
      "name text not null, holder text not null, term int not null, since text not null, until text not null, taken_from text",
      "primary key (name)",
    );
  },
};
