import type { Migration } from "../migrate.ts";

/** Adds an index for lists by creator, and one for lists of blocked issues, which contains only blocked issues. */
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
