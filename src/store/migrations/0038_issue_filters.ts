import type { Migration } from "../upgrade/migrate.ts";

export const issueFilters: Migration = {
  version: 38,
  up: async ({ index }) => {
    const live = "deleted_at is null";
    await index("issue_author", "issue", "author, project_uid, status", { where: live });
    await index("issue_blocked", "issue", "project_uid, status", {
      where: `${live} and open_blockers > 0`,
    });
  },
};
