import { sql } from "kysely";
import { canonicalJson } from "../../base/json.ts";
import type { AliasRow, FormerRow, ProjectRow } from "../../domain/state.ts";
import type { Connection } from "../connection.ts";
import { nextId } from "../migrate.ts";
import { statement } from "../statement.ts";
import { updateDiffering } from "./differing.ts";

/** The statements by which the projection writes projects and what belongs to them. Nothing else writes them. */

type ProjectValues = Omit<ProjectRow, "metadata"> & { readonly metadata: string };

export async function insertProject(connection: Connection, row: ProjectRow): Promise<void> {
  await projectInsert.run(connection, { ...row, metadata: canonicalJson(row.metadata) });
}

const projectInsert = statement((db, p: ProjectValues) =>
  db.insertInto("project").values({
    id: nextId("project"),
    uid: p.uid,
    name: p.name,
    metadata: p.metadata,
    revision: p.revision,
    created_at: p.created_at,
    deleted_at: p.deleted_at,
    open_issues: 0,
    closed_issues: 0,
  }),
);

export async function updateProject(
  connection: Connection,
  before: ProjectRow,
  after: ProjectRow,
): Promise<void> {
  const [old, now] = [before, after].map((row) => ({
    ...row,
    metadata: canonicalJson(row.metadata),
  }));
  if (old !== undefined && now !== undefined)
    await updateDiffering(connection, "project", old, now);
}

/** Counts of live issues by status. */
export const addToProject = statement((db, p: { uid: string; open: number; closed: number }) =>
  db
    .updateTable("project")
    .set(({ eb }) => ({
      open_issues: eb("open_issues", "+", p.open),
      closed_issues: eb("closed_issues", "+", p.closed),
    }))
    .where("uid", "=", p.uid),
);

export const removeProject = statement((db, p: Pick<ProjectRow, "uid">) =>
  db.deleteFrom("project").where("uid", "=", p.uid),
);

export const putAlias = statement((db, p: AliasRow) =>
  db
    .insertInto("alias")
    .values({
      id: nextId("alias"),
      alias_identity: p.alias_identity,
      alias_kind: p.alias_kind,
      project_uid: p.project_uid,
      created_at: p.created_at,
    })
    .onConflict((conflict) =>
      conflict.column("alias_identity").doUpdateSet({
        alias_kind: p.alias_kind,
        project_uid: p.project_uid,
        created_at: p.created_at,
      }),
    ),
);

export const removeAlias = statement((db, p: Pick<AliasRow, "alias_identity">) =>
  db.deleteFrom("alias").where("alias_identity", "=", p.alias_identity),
);

export const putFormer = statement((db, p: FormerRow) =>
  db
    .insertInto("former")
    .values({ project_uid: p.project_uid, short_id: p.short_id, issue_uid: p.issue_uid })
    .onConflict((conflict) =>
      conflict.columns(["project_uid", "short_id"]).doUpdateSet({ issue_uid: p.issue_uid }),
    ),
);

export const removeFormer = statement((db, p: Pick<FormerRow, "project_uid" | "short_id">) =>
  db
    .deleteFrom("former")
    .where("project_uid", "=", p.project_uid)
    .where("short_id", "=", p.short_id),
);

export const addToLabel = statement(
  (db, p: { project_uid: string; label: string; count: number }) =>
    db
      .insertInto("label_count")
      .values({ project_uid: p.project_uid, label: p.label, count: p.count })
      .onConflict((conflict) =>
        conflict
          .columns(["project_uid", "label"])
          .doUpdateSet({ count: sql`label_count.count + excluded.count` }),
      ),
);

export const removeLabelCounts = statement((db, p: Pick<ProjectRow, "uid">) =>
  db.deleteFrom("label_count").where("project_uid", "=", p.uid),
);
