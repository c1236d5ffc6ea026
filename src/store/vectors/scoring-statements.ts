import { sql } from "kysely";
import { isIn, sqlStatement } from "../rows/statement.ts";
import type { IssueChunks } from "./project-vectors.ts";
import { byProject } from "./statements.ts";

/** The statements with which the scoring thread reads the tables of the vectors. */

interface Of {
  readonly generation: number;
  readonly project_uid: string;
}

export const lastVersion = sqlStatement<
  Pick<Of, "generation">,
  { readonly version: number | null }
>((p) => sql`select max(version) as version from vector_issue where generation = ${p.generation}`);

const CHUNKS = sql`issue_id, issue_uid, first_chunk, chunk_count`;

interface IssueRow extends IssueChunks {
  readonly issue_id: number;
}

export const chunksOfProject = sqlStatement<
  Of & { readonly after: number; readonly most: number },
  IssueRow
>(
  (p, dialect) =>
    sql`select ${CHUNKS}, bits from ${byProject(dialect)}
      where generation = ${p.generation} and project_uid = ${p.project_uid} and issue_id > ${p.after}
      order by issue_id limit ${p.most}`,
);

/**
 * At most `most` issues of all projects that changed, by version and then by their local id, after `issue` with the
 * version `after`. `bits` is null unless they are in the project now.
 */
export const changedChunks = sqlStatement<
  Of & { readonly after: number; readonly issue: number; readonly most: number },
  Omit<IssueRow, "bits"> & { readonly version: number; readonly bits: Uint8Array | null }
>(
  (p) =>
    sql`select ${CHUNKS}, version, case when project_uid = ${p.project_uid} then bits end as bits from vector_issue
      where generation = ${p.generation} and version >= ${p.after} and (version, issue_id) > (${p.after}, ${p.issue})
      order by version, issue_id limit ${p.most}`,
);

interface VectorRow {
  readonly id: number;
  readonly vector: Uint8Array;
}

/**
 * PostgreSQL sends them as base64: to read its hexadecimal digits takes twice the processor time, and the driver (pg 8)
 * reads binary results as UTF-8 text, which spoils them.
 */
export const vectorsByChunk = sqlStatement<
  { readonly ids: readonly number[] },
  { readonly id: number; readonly vector: Uint8Array | string }
>((p, dialect) => {
  const vector = dialect === "sqlite" ? sql.ref("vector") : sql`encode(vector, 'base64') as vector`;
  return sql`select id, ${vector} from vector_chunk where ${isIn(dialect, sql.ref("id"), p.ids, "bigint")}`;
}).map(
  ({ id, vector }): VectorRow => ({
    id,
    vector: typeof vector === "string" ? Buffer.from(vector, "base64") : vector,
  }),
);
