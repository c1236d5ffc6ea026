import type { Migration } from "../migrate.ts";

/** A purge of an issue looks up the rows of `import` that refer to it. */
export const importIssue: Migration = {
  version: 34,
  up: async ({ index }) => {
    await index("import_issue", "import", "issue_uid");
  },
};
