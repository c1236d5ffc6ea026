import type { Migration } from "../migrate.ts";

/**
 * Adds two tables for search: the words of the full-text index, and the commits that closed issues. The running daemon
 * writes the index again, now with the parts of camel-case words and with scripts without spaces (`text/rewrite.ts`).
 */
export const textWord: Migration = {
  version: 37,
  up: async ({ table, index, rebuildCommits, rewriteTexts }) => {
    await table("text_word", "word text not null", "primary key (word)");
    await table(
      "issue_commit",
      "sha text not null, issue_uid text not null references issue (uid)",
      "primary key (sha, issue_uid)",
    );
    await index("issue_commit_issue", "issue_commit", "issue_uid");
    await rebuildCommits();
    await rewriteTexts();
  },
};
