import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { isIn, rowsWith, statement } from "../statement.ts";
import type { Labels } from "../types/issues.ts";

export function labels(connection: Connection): Labels {
  return {
    of: async (issue_uid) => await ofIssue.all(connection, { issue_uid }),
    many: async (uids) => {
      if (uids.length === 0) return new Map();
      return Map.groupBy(await ofIssues.all(connection, { uids }), ({ issue_uid }) => issue_uid);
    },
    counts: async (project_uid) => await countsOf.all(connection, { project_uid }),
  };
}

const ofIssue = rowsWith("label", ["issue_uid"], ["label"]);

const ofIssues = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("label")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids))
    .orderBy("issue_uid")
    .orderBy("label"),
);

const countsOf = statement((db, p: { project_uid: string }) =>
  db
    .selectFrom("label_count")
    .select(["label", "count"])
    .where("project_uid", "=", p.project_uid)
    .where("count", ">", sql.lit(0))
    .orderBy("label"),
);
