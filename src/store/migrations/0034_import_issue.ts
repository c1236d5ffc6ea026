import type { Migration } from "../upgrade/migrate.ts";

/** Adds an index for the purge of an issue, which looks up the rows of `import` that refer to the issue. */
export const importIssue: Migration = {
  version: 34,
  up: async ({ index }) => {
    await index("import_issue", "import", "issue_uid");
  },
};
