import type { Migration } from "../migrate.ts";

/**
 * Builds of storage schema 3 made no `issue_take_all`. SQLite is told to use it where work is taken from all projects,
 * and fails without. Everywhere else it is there already, as it is made here.
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
