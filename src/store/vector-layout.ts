import type { SchemaTools } from "./upgrade/migrate.ts";

/**
 * Creates the tables of the vectors, in layout 1. On SQLite they are in a file of their own; on PostgreSQL they stand
 * beside the tables of svc. The first migration calls this function, so a later layout needs another function.
 *
 * - `bits` has the sign bits of all chunks of the issue, one chunk after another.
 * - The chunks of an issue have consecutive ids, from `first_chunk` on.
 * - `version` grows with every write, so that a reader can find the issues that changed since it last looked.
 *
 * On PostgreSQL a deleted issue takes its vectors along, also when they are being written at the same time.
 */
export async function createVectorTables({
  dialect,
  table,
  index,
}: Pick<SchemaTools, "dialect" | "table" | "index">): Promise<void> {
  const isServer = dialect === "postgres";
  const ofIssue = isServer ? " references issue (uid) on delete cascade" : "";
  await table("vector_meta", "key text not null, value text not null", "primary key (key)");
  await table(
    "vector_generation",
    `id int primary key, fingerprint text not null, model text not null, dims int not null,
     state text not null, started_at text not null, activated_at text`,
  );
  await table(
    "vector_issue",
    `generation int not null, issue_id int not null, issue_uid text not null${ofIssue}, project_uid text not null,
     content_revision int not null, text_hash text not null, state text not null, reason text,
     chunk_count int not null, first_chunk int not null, version int not null, bits bytes not null`,
    "primary key (generation, issue_id), unique (issue_uid, generation)",
  );
  await index("vector_issue_project", "vector_issue", "generation, project_uid, issue_id");
  await index("vector_issue_version", "vector_issue", "generation, version");
  await index("vector_issue_state", "vector_issue", "generation, state, issue_id, chunk_count");
  const ofVectors = isServer
    ? ", foreign key (issue_uid, generation) references vector_issue (issue_uid, generation) on delete cascade"
    : "";
  await table(
    "vector_chunk",
    `id int primary key, generation int not null, issue_uid text not null, number int not null,
     vector bytes not null${ofVectors}`,
  );
  if (isServer) await index("vector_chunk_issue", "vector_chunk", "issue_uid, generation");
}
