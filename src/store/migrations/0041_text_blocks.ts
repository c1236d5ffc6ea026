import type { Migration } from "../migrate.ts";

/**
 * Requests that the daemon writes the full-text index again after the upgrade (`text/rewrite.ts`). The new rows also
 * contain a word that marks deleted issues and, on PostgreSQL, a word for each block of ids that includes the issue's
 * id (`text/blocks.ts`).
 */
export const textBlocks: Migration = {
  version: 41,
  up: async ({ rewriteTexts }) => await rewriteTexts(),
};
