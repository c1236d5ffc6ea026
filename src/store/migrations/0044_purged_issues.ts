import type { Migration } from "../upgrade/migrate.ts";

/** Adds an index that finds the purge record of an issue by the issue's uid. */
export const purgedIssues: Migration = {
  version: 44,
  up: async ({ index }) => await index("purge_log_issue", "purge_log", "issue_uid"),
};
