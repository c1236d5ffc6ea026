import type { Migration } from "../migrate.ts";

/**
 * Lets the running daemon write the full-text index again, now with a word for deleted issues and, on PostgreSQL, words
 * for blocks of ids (`text/blocks.ts`).
 */
export const textBlocks: Migration = {
  version: 41,
  up: async ({ rewriteTexts }) => await rewriteTexts(),
};
