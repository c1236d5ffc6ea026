import type { Migration } from "../upgrade/migrate.ts";

/**
 * Adds a column for the short ids that issues have in place of the short ids in the payload of an event. Deletes spent
 * short ids that an issue has or had, because earlier versions added such ids when they merged projects.
 */
export const assignedIds: Migration = {
  version: 49,
  up: async ({ dialect, run }) => {
    const type = dialect === "sqlite" ? "text" : 'text collate "C"';
    await run(`alter table event add column assigned_ids ${type}`);
    for (const table of ["issue", "former"])
      await run(
        `delete from spent_id where exists (select 1 from ${table} as held
           where held.project_uid = spent_id.project_uid and held.short_id = spent_id.short_id)`,
      );
  },
};
