import { sql } from "kysely";
import type { Instant } from "../../base/clock.ts";
import type { Dialect } from "../connection.ts";
import { isIn, sqlStatement, unindexed } from "../rows/statement.ts";
import type { Generation, IndexedIssue, Restamp } from "../types/vectors.ts";

/** The statements on the tables of the vectors, which are alike in the file of SQLite and on PostgreSQL. */

export interface MetaRow {
  readonly value: string;
}

export const findMeta = sqlStatement<{ key: string }, MetaRow>(
  (p) => sql`select value from vector_meta where key = ${p.key}`,
);

export const putMeta = sqlStatement<{ key: string; value: string }, unknown>(
  (p) =>
    sql`insert into vector_meta (key, value) values (${p.key}, ${p.value})
      on conflict (key) do update set value = excluded.value`,
);

export const deleteMeta = sqlStatement<{ key: string }, unknown>(
  (p) => sql`delete from vector_meta where key = ${p.key}`,
);

/** Reserves `count` numbers that nobody had before. Returns the last of them. */
export const takeNumbers = sqlStatement<{ count: number }, MetaRow>(
  (p) =>
    sql`insert into vector_meta (key, value) values ('last_number', cast(cast(${p.count} as bigint) as text))
      on conflict (key) do update
      set value = cast(cast(vector_meta.value as bigint) + cast(excluded.value as bigint) as text)
      returning value`,
);

const GENERATION = sql`id, fingerprint, model, dims, state, started_at, activated_at`;

export const allGenerations = sqlStatement<Record<never, never>, Generation>(
  () => sql`select ${GENERATION} from vector_generation order by id`,
);

export const insertGeneration = sqlStatement<Generation, unknown>(
  (p) =>
    sql`insert into vector_generation (id, fingerprint, model, dims, state, started_at, activated_at)
      values (${p.id}, ${p.fingerprint}, ${p.model}, ${p.dims}, ${p.state}, ${p.started_at}, ${p.activated_at})`,
);

export const retireOthers = sqlStatement<{ id: number }, unknown>(
  (p) =>
    sql`update vector_generation set state = 'retired' where state = 'active' and id <> ${p.id}`,
);

export const activate = sqlStatement<{ id: number; now: Instant }, unknown>(
  (p) =>
    sql`update vector_generation set state = 'active', activated_at = ${p.now} where id = ${p.id}`,
);

export const deleteGeneration = sqlStatement<{ id: number }, unknown>(
  (p) => sql`delete from vector_generation where id = ${p.id}`,
);

/** On PostgreSQL keeps the generation from being deleted until the transaction ends. */
export const lockGeneration = sqlStatement<{ id: number }, Pick<Generation, "dims">>(
  (p, dialect) => sql`select dims from vector_generation where id = ${p.id}${forKeyShare(dialect)}`,
);

/** On PostgreSQL waits until nobody else writes to the generation. If that was its removal, there is no row. */
export const seizeGeneration = sqlStatement<{ id: number }, Pick<Generation, "dims">>(
  (p) => sql`select dims from vector_generation where id = ${p.id} for update`,
);

const ISSUE = sql`issue_id, issue_uid, project_uid, content_revision, text_hash, state, reason, chunk_count`;

export const issuesInRange = sqlStatement<
  { generation: number; after: number; up_to: number; most: number },
  IndexedIssue
>(
  (p) =>
    sql`select ${ISSUE} from vector_issue
      where generation = ${p.generation} and issue_id > ${p.after} and issue_id <= ${p.up_to}
      order by issue_id limit ${p.most}`,
);

export const issuesByUid = sqlStatement<
  { generation: number; uids: readonly string[] },
  IndexedIssue
>(
  (p, dialect) =>
    sql`select ${ISSUE} from vector_issue
      where ${isIn(dialect, sql.ref("issue_uid"), p.uids)} and ${unindexed(dialect, "generation")} = ${p.generation}
      order by issue_id`,
);

/** SQL: the issues, by the index of their projects. SQLite would read the issues of all projects in their order. */
export function byProject(dialect: Dialect) {
  return dialect === "sqlite"
    ? sql`vector_issue indexed by vector_issue_project`
    : sql`vector_issue`;
}

export const issuesOfProject = sqlStatement<
  { generation: number; project_uid: string; after: number; most: number },
  IndexedIssue
>(
  (p, dialect) =>
    sql`select ${ISSUE} from ${byProject(dialect)}
      where generation = ${p.generation} and project_uid = ${p.project_uid} and issue_id > ${p.after}
      order by issue_id limit ${p.most}`,
);

export const skippedIssues = sqlStatement<{ generation: number; most: number }, IndexedIssue>(
  (p) =>
    sql`select ${ISSUE} from vector_issue
      where generation = ${p.generation} and state = 'skipped' order by issue_id desc limit ${p.most}`,
);

/** What is needed to remove an issue: its key, and the ids of its chunks. */
export interface StoredChunks {
  readonly generation: number;
  readonly issue_id: number;
  readonly first_chunk: number;
  readonly chunk_count: number;
}

const CHUNKS = sql`generation, issue_id, first_chunk, chunk_count`;

/** The rows of an issue in a generation: that of its uid, and that of an earlier issue with the same local id. */
export const rowsInTheWay = sqlStatement<
  { generation: number; issue_id: number; issue_uid: string },
  StoredChunks & Pick<IndexedIssue, "issue_uid">
>(
  (p) =>
    sql`select ${CHUNKS}, issue_uid from vector_issue where generation = ${p.generation} and issue_id = ${p.issue_id}
      union select ${CHUNKS}, issue_uid from vector_issue
      where issue_uid = ${p.issue_uid} and generation = ${p.generation}`,
);

export const chunksOfIssues = sqlStatement<{ uids: readonly string[] }, StoredChunks>(
  (p, dialect) =>
    sql`select ${CHUNKS} from vector_issue
      where ${isIn(dialect, sql.ref("issue_uid"), p.uids)}${lockFree(dialect)}`,
);

export const chunksOfGeneration = sqlStatement<{ generation: number; most: number }, StoredChunks>(
  (p, dialect) =>
    sql`select ${CHUNKS} from vector_issue where generation = ${p.generation}
      order by issue_id limit ${p.most}${lockFree(dialect)}`,
);

export const anyOfGeneration = sqlStatement<{ generation: number }, Pick<StoredChunks, "issue_id">>(
  (p) => sql`select issue_id from vector_issue where generation = ${p.generation} limit 1`,
);

export const deleteChunks = sqlStatement<{ from: number; before: number }, unknown>(
  (p) => sql`delete from vector_chunk where id >= ${p.from} and id < ${p.before}`,
);

export const deleteIssue = sqlStatement<{ generation: number; issue_id: number }, unknown>(
  (p) =>
    sql`delete from vector_issue where generation = ${p.generation} and issue_id = ${p.issue_id}`,
);

export const insertIssue = sqlStatement<
  IndexedIssue & {
    generation: number;
    first_chunk: number;
    version: number;
    bits: Uint8Array;
  },
  unknown
>(
  (p) =>
    sql`insert into vector_issue (generation, issue_id, issue_uid, project_uid, content_revision, text_hash, state,
        reason, chunk_count, first_chunk, version, bits)
      values (${p.generation}, ${p.issue_id}, ${p.issue_uid}, ${p.project_uid}, ${p.content_revision}, ${p.text_hash},
        ${p.state}, ${p.reason}, ${p.chunk_count}, ${p.first_chunk}, ${p.version}, ${p.bits})`,
);

export const insertChunk = sqlStatement<
  { id: number; generation: number; issue_uid: string; number: number; vector: Uint8Array },
  unknown
>(
  (p) =>
    sql`insert into vector_chunk (id, generation, issue_uid, number, vector)
      values (${p.id}, ${p.generation}, ${p.issue_uid}, ${p.number}, ${p.vector})`,
);

export const updateStamp = sqlStatement<Restamp & { generation: number; version: number }, unknown>(
  (p) =>
    sql`update vector_issue set issue_id = ${p.issue_id}, project_uid = ${p.project_uid},
        content_revision = ${p.content_revision}, text_hash = ${p.text_hash}, version = ${p.version}
      where issue_uid = ${p.issue_uid} and generation = ${p.generation}`,
);

export interface TextRow {
  readonly id: number;
  readonly uid: string;
  readonly content_revision: number;
  /** The same as `hashOf(textOf(issue))`. */
  readonly text_hash: string;
}

const TEXT = sql`case when body = '' then title else title || E'\\n\\n' || body end`;

/**
 * PostgreSQL only: reads the issues of svc, and keeps them from being deleted until the transaction ends. Leaves out
 * issues that are being deleted. The hash is computed there, since a text may have 1 MB.
 */
export const lockIssues = sqlStatement<{ uids: readonly string[] }, TextRow>(
  (p, dialect) =>
    sql`select id, uid, content_revision, encode(sha256(convert_to(${TEXT}, 'UTF8')), 'hex') as text_hash
      from issue where ${isIn(dialect, sql.ref("uid"), p.uids)} for key share skip locked`,
);

function forKeyShare(dialect: Dialect) {
  return dialect === "sqlite" ? sql`` : sql` for key share`;
}

/**
 * On PostgreSQL, leaves out rows that another session is deleting. A session that waited for such rows could block the
 * purge that deletes them, which then waits for it.
 */
function lockFree(dialect: Dialect) {
  return dialect === "sqlite" ? sql`` : sql` for update skip locked`;
}
