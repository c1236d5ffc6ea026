import type { Migration } from "../upgrade/migrate.ts";
import { createVectorTables } from "../vector-layout.ts";

/**
 * Adds the number that grows with each change of an issue's text. On PostgreSQL also adds the tables of the vectors; on
 * SQLite they are in a file of their own, which exists only while search by meaning is configured.
 */
export const meaning: Migration = {
  version: 59,
  up: async (tools) => {
    const int = tools.dialect === "sqlite" ? "integer" : "bigint";
    await tools.run(`alter table issue add column content_revision ${int} not null default 1`);
    // The text of an issue may be long, so what tells whether its vectors are current is read from an index.
    await tools.index(
      "issue_content",
      "issue",
      "id, uid, project_uid, content_revision, deleted_at",
    );
    if (tools.dialect === "postgres") await createVectorTables(tools);
  },
};
