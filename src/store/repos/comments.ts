import type { Connection } from "../connection.ts";
import { statement } from "../statement.ts";
import type { Comments } from "../types.ts";

export function comments(connection: Connection): Comments {
  return {
    find: async (issue_uid, uid) => await byUid.one(connection, { issue_uid, uid }),
    of: async (issue_uid) => await ofIssue.all(connection, { issue_uid }),
  };
}

const byUid = statement((db, p: { issue_uid: string; uid: string }) =>
  db
    .selectFrom("comment")
    .selectAll()
    .where("uid", "=", p.uid)
    .where("issue_uid", "=", p.issue_uid),
);

const ofIssue = statement((db, p: { issue_uid: string }) =>
  db
    .selectFrom("comment")
    .selectAll()
    .where("issue_uid", "=", p.issue_uid)
    .orderBy("created_at")
    .orderBy("id"),
);
