import type { Migration } from "../upgrade/migrate.ts";

/**
 * Adds an index for browser pages, which list the issues of all projects by status, last changed first. Without the
 * index such a list sorts all issues with their texts. The index has the condition `updated_at > ''`, which is true for
 * every issue. SQLite uses the index only for queries that repeat this condition. Without the condition, SQLite would
 * prefer this index even for queries that have a better one.
 */
export const recentIssues: Migration = {
  version: 43,
  up: async ({ index }) =>
    await index("issue_recent", "issue", "status, updated_at desc, id desc", {
      where: "deleted_at is null and updated_at > ''",
    }),
};
