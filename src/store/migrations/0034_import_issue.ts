import type { Migration } from "../migrate.ts";

/** An issue that is deleted is looked up among the marks of imports, which refer to it. */
export const importIssue: Migration = {
  version: 34,
  up: async ({ index }) => {
    await index("import_issue", "import", "issue_uid");
  },
};
