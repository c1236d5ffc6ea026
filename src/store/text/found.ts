import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { isIn, statement } from "../rows/statement.ts";
import type { SearchHit, SearchQuery } from "../types/issues.ts";
import type { Place, Texts } from "./rank.ts";

export interface ScoredIssue {
  readonly id: number;
  readonly score: number;
  readonly matched: NonNullable<SearchHit["matched"]>;
  /**
   * The parts of the issue (title, body, comments) in which a word of the search was found. Only the beginning of a
   * long text was compared with the search.
   */
  readonly places: readonly Place[];
  /** The number of UTF-16 code units of the body and the comments that were compared with the search. */
  readonly characters: number;
}

/** How many characters of a body are compared with the search. */
const BODY_CHARS = sql.lit(2000);
/** How many characters of each comment are compared with the search. */
const COMMENT_CHARS = sql.lit(500);
/** The maximum number of comments that one search reads for all issues together. */
const MAX_COMMENTS = sql.lit(400);

/**
 * Reads the beginning of the texts of these issues. Leaves out issues of other projects, and deleted issues unless the
 * search includes them.
 */
export async function foundTexts(
  connection: Connection,
  ids: readonly number[],
  { project_uid, include_deleted }: SearchQuery,
): Promise<readonly (Texts & { readonly id: number })[]> {
  const rows = (await texts.all(connection, { ids })).filter(
    (row) => row.project_uid === project_uid && (include_deleted || row.deleted_at === null),
  );
  const uids = rows.map(({ uid }) => uid);
  const comments = Map.groupBy(
    await commentTexts.all(connection, { uids }),
    ({ issue_uid }) => issue_uid,
  );
  return rows.map(({ id, uid, title, body }) => ({
    id,
    title,
    body,
    comments: (comments.get(uid) ?? []).map(({ text }) => text).join(" "),
  }));
}

const texts = statement((db, p: { ids: readonly number[] }, dialect) =>
  db
    .selectFrom("issue")
    .select(["id", "uid", "project_uid", "deleted_at", "title"])
    .select(sql<string>`substr(body, 1, ${BODY_CHARS})`.as("body"))
    .where(({ ref }) => isIn(dialect, ref("id"), p.ids, "bigint")),
);

const commentTexts = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("comment")
    .select(["issue_uid", sql<string>`substr(body, 1, ${COMMENT_CHARS})`.as("text")])
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids))
    .orderBy("id")
    .limit(MAX_COMMENTS),
);
