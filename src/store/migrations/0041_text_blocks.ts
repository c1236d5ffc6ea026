import type { Migration } from "../migrate.ts";

/**
 * For search: the running daemon writes the full-text index again, with a word for deleted issues and, on PostgreSQL,
 * words for blocks of ids (`text/blocks.ts`).
 */
export const textBlocks: Migration = {
  version: 41,
  up: async ({ rewriteTexts }) => await rewriteTexts(),
};
