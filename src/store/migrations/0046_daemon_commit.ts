import type { Migration } from "../upgrade/migrate.ts";

/**
 * Adds a table with the last commit of each daemon on a PostgreSQL database. On SQLite the table stays empty.
 */
export const daemonCommit: Migration = {
  version: 46,
  up: async ({ table }) => {
    await table(
      "daemon_commit",
      "daemon text not null, number int not null, at text not null",
      "primary key (daemon)",
    );
  },
};
