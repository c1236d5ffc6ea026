import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { isIn, optionalStatement, rowsWith, statement } from "../rows/statement.ts";
import type { Labels } from "../types/issues.ts";

export function labels(connection: Connection): Labels {
  return {
    of: async (issue_uid) => await ofIssue.all(connection, { issue_uid }),
    many: async (uids) => {
      if (uids.length === 0) return new Map();
      return Map.groupBy(await ofIssues.all(connection, { uids }), ({ issue_uid }) => issue_uid);
    },
    names: async (project_uid) =>
      (await namesIn.all(connection, { project_uid })).map(({ label }) => label),
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

const namesIn = optionalStatement(["project_uid"], (db, p: { project_uid: string | undefined }) => {
  const used = db
    .selectFrom("label_count as c")
    .innerJoin("project as p", "p.uid", "c.project_uid")
    .select("c.label")
    .distinct()
    .where("c.count", ">", sql.lit(0))
    .where("p.deleted_at", "is", null)
    .orderBy("c.label");
  return p.project_uid === undefined ? used : used.where("c.project_uid", "=", p.project_uid);
});

const countsOf = statement((db, p: { project_uid: string }) =>
  db
    .selectFrom("label_count")
    .select(["label", "count"])
    .where("project_uid", "=", p.project_uid)
    .where("count", ">", sql.lit(0))
    .orderBy("label"),
);
