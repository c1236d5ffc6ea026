import type { Migration } from "../upgrade/migrate.ts";

/**
 * The first builds with storage schema 3 did not create `issue_take_all`. The statement that takes an issue of any
 * project tells SQLite to use this index, and fails when the index is missing. Later builds create it in migration 3.
 */
export const takeIndex: Migration = {
  version: 36,
  up: async ({ run }) => {
    await run(
      `create index if not exists "issue_take_all" on "issue" ((coalesce(priority, 5)), updated_at desc, id desc)
       where deleted_at is null and status = 'open' and open_blockers = 0 and parked = 0 and held = 0
      and owner is null`,
    );
  },
};
