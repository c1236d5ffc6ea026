import { type RawBuilder, sql } from "kysely";
import type { Connection } from "../connection.ts";
import { statement } from "../rows/statement.ts";

/**
 * Carries out the parts of a project merge that are not folded. The source's events move to the target's feed but keep
 * their `project_uid`, because their hash covers it. The source's purge records move to the target. So do its spent
 * short ids, except those that an issue of the target has or had, because no other issue gets these anyway. The local
 * id of the source is never assigned again either.
 */
export async function mergeFeeds(
  connection: Connection,
  source: string,
  target: string,
): Promise<void> {
  for (const move of [events, purges, spentIds, issueRecords, projectRecords])
    await move.run(connection, { source, target });
  for (const end of [movedSpentIds, spentProject]) await end.run(connection, { source });
}

interface Merge {
  readonly source: string;
  readonly target: string;
}

const events = statement((db, p: Merge) =>
  db.updateTable("event").set({ feed_uid: p.target }).where("feed_uid", "=", p.source),
);

const purges = statement((db, p: Merge) =>
  db.updateTable("purge_log").set({ project_uid: p.target }).where("project_uid", "=", p.source),
);

/**
 * A restore computes from the purge records which short ids are never assigned again, so the records must name the
 * target as their project.
 */
const issueRecords = statement((db, p: Merge) =>
  db
    .updateTable("purge_log")
    .set({ spent_ids: sql<string>`replace(spent_ids, ${p.source}, ${p.target})` }),
);

const projectRecords = statement((db, p: Merge) =>
  db
    .updateTable("project_purge_log")
    .set({ spent_ids: sql<string>`replace(spent_ids, ${p.source}, ${p.target})` }),
);

const spentIds = statement((db, p: Merge) =>
  db
    .insertInto("spent_id")
    .columns(["project_uid", "short_id"])
    .expression((from) =>
      from
        .selectFrom("spent_id")
        .select([sql<string>`cast(${p.target} as text)`.as("project_uid"), "short_id"])
        .where("project_uid", "=", p.source)
        .where(isOfNoIssue(sql`${p.target}`)),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

/** SQL: no issue of the project has or had the short id of the row in `spent_id`. */
export function isOfNoIssue(project: RawBuilder<unknown>): RawBuilder<boolean> {
  const has = (table: "issue" | "former") =>
    sql`exists (select 1 from ${sql.table(table)} as held
      where held.project_uid = ${project} and held.short_id = spent_id.short_id)`;
  return sql<boolean>`not ${has("issue")} and not ${has("former")}`;
}

const movedSpentIds = statement((db, p: Pick<Merge, "source">) =>
  db.deleteFrom("spent_id").where("project_uid", "=", p.source),
);

const spentProject = statement((db, p: Pick<Merge, "source">) =>
  db
    .insertInto("spent_project")
    .columns(["id"])
    .expression((from) => from.selectFrom("project").select("id").where("uid", "=", p.source)),
);
