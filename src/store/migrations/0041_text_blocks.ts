import type { Migration } from "../migrate.ts";

/**
 * Requests that the daemon writes the full-text index again after the upgrade (`text/rewrite.ts`). A row then also
 * contains a word if its issue is deleted and, on PostgreSQL, words for the blocks of ids in which its id is
 * (`text/blocks.ts`).
 */
export const textBlocks: Migration = {
  version: 41,
  up: async ({ rewriteTexts }) => await rewriteTexts(),
};
