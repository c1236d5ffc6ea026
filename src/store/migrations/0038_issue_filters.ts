import type { Migration } from "../migrate.ts";

/** For lists of what somebody created, and of what is blocked. Only blocked issues are in the second index. */
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
