import type { Migration } from "../migrate.ts";

/** Which daemon does which work on a PostgreSQL database, and until when. On SQLite it stays empty. */
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
