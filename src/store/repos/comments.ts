import type { Connection } from "../connection.ts";
import { rowsWith } from "../rows/statement.ts";
import type { Comments } from "../types/issues.ts";

export function comments(connection: Connection): Comments {
  return {
    find: async (issue_uid, uid) => await byUid.one(connection, { issue_uid, uid }),
    of: async (issue_uid) => await ofIssue.all(connection, { issue_uid }),
  };
}

const byUid = rowsWith("comment", ["uid", "issue_uid"]);

const ofIssue = rowsWith("comment", ["issue_uid"], ["created_at", "id"]);
