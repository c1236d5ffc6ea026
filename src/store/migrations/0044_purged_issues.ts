import type { Migration } from "../migrate.ts";

/** An index for readers who ask for an issue by its uid and are told that it was purged. */
export const purgedIssues: Migration = {
  version: 44,
  up: async ({ index }) => await index("purge_log_issue", "purge_log", "issue_uid"),
};
