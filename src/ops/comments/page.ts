import { jsonBytes } from "../../base/json-bytes.ts";
import { invalidField } from "../../contract/errors.ts";
import type { CommentRow } from "../../domain/state.ts";
import type { Comments } from "../../store/types/issues.ts";
import type { WithId } from "../../store/types/rows.ts";

type Comment = WithId<CommentRow>;

/** Which comments of an issue a request asks for. Without any of these fields, it asks for all comments. */
export interface CommentQuery {
  readonly comment?: string | undefined;
  readonly comments_before?: string | undefined;
  readonly comments_limit?: number | undefined;
  /**
   * The maximum size of the whole answer in bytes; 0 means no limit. No more comments are read than could fit into it.
   */
  readonly max_bytes?: number | undefined;
}

export interface CommentPage {
  /** Oldest first. */
  readonly rows: readonly Comment[];
  /** How many comments the issue has. */
  readonly all: number;
  /** How many comments are older than the first one in `rows`; `undefined` if the request asked for no page. */
  readonly older?: number;
}

/** The size in bytes of the JSON of a comment without text. */
const LEAST_COMMENT_BYTES = jsonBytes({
  id: 0,
  uid: "",
  issue_id: 0,
  author: "",
  body: "",
  created_at: "",
});

/** Reads the comments that a request asks for, and only these: an issue may have tens of thousands. */
export async function readComments(
  comments: Comments,
  issueUid: string,
  query: CommentQuery,
): Promise<CommentPage> {
  const limit = limitOf(query);
  if (limit === undefined) {
    const rows = await comments.of(issueUid);
    return { rows, all: rows.length };
  }
  const all = await comments.count(issueUid);
  if (query.comment !== undefined) {
    const only = await requireComment(comments, issueUid, "comment", query.comment);
    return { rows: [only], all, older: await comments.count(issueUid, only) };
  }
  const before =
    query.comments_before === undefined
      ? undefined
      : await requireComment(comments, issueUid, "comments_before", query.comments_before);
  const rows = await comments.newest(issueUid, limit, before);
  const candidates = before === undefined ? all : await comments.count(issueUid, before);
  return { rows, all, ...(isPage(query) ? { older: candidates - rows.length } : {}) };
}

async function requireComment(
  comments: Comments,
  issueUid: string,
  field: string,
  uid: string,
): Promise<Comment> {
  const found = await comments.find(issueUid, uid.toUpperCase());
  if (found === undefined) throw noComment(field, uid);
  return found;
}

/** Does the same as `readComments` for comments that are in memory, such as those of a past issue. */
export function pageOfComments(rows: readonly Comment[], query: CommentQuery): CommentPage {
  const placeOf = (field: string, uid: string): number => {
    const at = rows.findIndex((row) => row.uid === uid.toUpperCase());
    if (at === -1) throw noComment(field, uid);
    return at;
  };
  const { comment, comments_before: before } = query;
  const end =
    comment !== undefined
      ? placeOf("comment", comment) + 1
      : before !== undefined
        ? placeOf("comments_before", before)
        : rows.length;
  const limit = comment === undefined ? (limitOf(query) ?? end) : 1;
  const older = Math.max(0, end - limit);
  return {
    rows: rows.slice(older, end),
    all: rows.length,
    ...(isPage(query) ? { older } : {}),
  };
}

function isPage({ comment, comments_before, comments_limit }: CommentQuery): boolean {
  return (comment ?? comments_before ?? comments_limit) !== undefined;
}

/** Returns how many comments to read at most; `undefined` if all are asked for. */
function limitOf(query: CommentQuery): number | undefined {
  const { comments_limit, max_bytes = 0 } = query;
  if (!isPage(query) && max_bytes === 0) return undefined;
  const fitting = max_bytes === 0 ? MOST_ROWS : Math.ceil(max_bytes / LEAST_COMMENT_BYTES);
  return Math.min(comments_limit ?? MOST_ROWS, fitting, MOST_ROWS);
}

/** No issue has this many comments, so this limit cuts nothing. */
const MOST_ROWS = 2 ** 31 - 1;

function noComment(field: string, uid: string) {
  return invalidField(field, `the issue has no comment ${JSON.stringify(uid)}`);
}
