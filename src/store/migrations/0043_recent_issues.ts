import type { Migration } from "../migrate.ts";

/**
 * An index for browser pages, which list the issues of all projects by status, last changed first. Without it such a
 * list sorts all issues with their texts. Every instant is greater than the empty text; the condition keeps the index from
 * queries that do not name it, since SQLite would prefer it to the indexes that these were made for.
 */
export const recentIssues: Migration = {
  version: 43,
  up: async ({ index }) =>
    await index("issue_recent", "issue", "status, updated_at desc, id desc", {
      where: "deleted_at is null and updated_at > ''",
    }),
};
