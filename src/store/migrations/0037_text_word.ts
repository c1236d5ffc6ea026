import type { Migration } from "../upgrade/migrate.ts";

/**
 * Adds tables for the words of the full-text index and for the commits that closed issues. Makes the daemon write the
 * index again after the upgrade (`text/rewrite.ts`), since the index now also contains the parts of camel-case words
 * and letters of scripts that are written without spaces.
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
