import type { SchemaTools } from "../../upgrade/migrate.ts";
import { createVectorTables } from "../../vector-layout.ts";

/**
 * Creates the tables of the search by words, and on PostgreSQL those of the search by meaning. On SQLite the vectors are
 * in a file of their own, which exists only while search by meaning is configured.
 *
 * `scope` contains the project's id as a word, so that a search reads only issues of that project. SQLite stores no
 * second copy of the texts; PostgreSQL stores one vector per issue, which svc builds (`text/vector.ts`).
 */
export async function searchTables(schema: SchemaTools): Promise<void> {
  const { dialect, run, table } = schema;
  await table("text_word", "word text not null", "primary key (word)");
  if (dialect === "sqlite") {
    await run(
      `create virtual table issue_text using fts5(scope, title, body, comments,
         content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2')`,
    );
    return;
  }
  await run("create table issue_text (issue_id bigint primary key, words tsvector not null)");
  await run(
    "create index issue_text_words on issue_text using gin (words) with (fastupdate = off)",
  );
  await createVectorTables(schema);
}
