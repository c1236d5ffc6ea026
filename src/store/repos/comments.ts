import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { rowsWith, statement } from "../rows/statement.ts";
import type { CommentPlace, Comments } from "../types/issues.ts";

export function comments(connection: Connection): Comments {
  return {
    find: async (issue_uid, uid) => await byUid.one(connection, { issue_uid, uid }),
    of: async (issue_uid) => await ofIssue.all(connection, { issue_uid }),
    newest: async (issue_uid, limit, { created_at, uid } = AFTER_ALL) =>
      (await newest.all(connection, { issue_uid, created_at, uid, limit })).toReversed(),
    count: async (issue_uid, { created_at, uid } = AFTER_ALL) =>
      (await counted.one(connection, { issue_uid, created_at, uid }))?.count ?? 0,
  };
}

/** Sorts after every comment, because "~" sorts after each instant. */
const AFTER_ALL: CommentPlace = { created_at: "~", uid: "" };

const byUid = rowsWith("comment", ["uid", "issue_uid"]);

const ofIssue = rowsWith("comment", ["issue_uid"], ["created_at", "uid"]);

interface Before extends CommentPlace {
  readonly issue_uid: string;
}

/** Selects the rows without their texts, because the comments of an issue may have megabytes. */
const newest = statement((db, p: Before & { readonly limit: number }) =>
  db
    .selectFrom("comment")
    .selectAll()
    .where("id", "in", (of) =>
      of
        .selectFrom("comment")
        .select("id")
        .where("issue_uid", "=", p.issue_uid)
        .where(isBefore(p))
        .orderBy("created_at", "desc")
        .orderBy("uid", "desc")
        .limit(p.limit),
    )
    .orderBy("created_at", "desc")
    .orderBy("uid", "desc"),
);

const counted = statement((db, p: Before) =>
  db
    .selectFrom("comment")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("issue_uid", "=", p.issue_uid)
    .where(isBefore(p)),
);

function isBefore({ created_at, uid }: CommentPlace) {
  return sql<boolean>`(created_at, uid) < (${created_at}, ${uid})`;
}
