import type { Migration } from "../migrate.ts";

/**
 * The first builds with storage schema 3 did not create `issue_take_all`. The statement that takes from all projects
 * names this index for SQLite, which fails when the index is missing. Later builds have created it in migration 3.
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
