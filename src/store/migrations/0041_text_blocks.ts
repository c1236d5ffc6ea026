import type { Migration } from "../upgrade/migrate.ts";

/**
 * Makes the daemon write the full-text index again after the upgrade (`text/rewrite.ts`). The new rows also contain a
 * word that marks deleted issues and, on PostgreSQL, words for the blocks of ids that contain the id
 * (`text/blocks.ts`).
 */
export const textBlocks: Migration = {
  version: 41,
  up: async ({ rewriteTexts }) => await rewriteTexts(),
};
