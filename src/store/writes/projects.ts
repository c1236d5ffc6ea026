import { canonicalJson } from "../../base/json.ts";
import type { AliasRow, FormerRow, ProjectRow } from "../../domain/state.ts";
import { type Connection, together } from "../connection.ts";
import { insertion } from "../insertion.ts";
import { nextId } from "../migrate.ts";
import type { Tables } from "../schema.ts";
import { statement } from "../statement.ts";
import { type Deferrable, WriteBehind } from "../write-behind.ts";
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

interface ProjectCounts {
  readonly uid: string;
  readonly open: number;
  readonly closed: number;
}

/** Counts of live issues by status: what waits together is added up first. */
export const addToProject: Deferrable<ProjectCounts> & {
  run(connection: Connection, sum: ProjectCounts): Promise<void>;
} = {
  rank: 3,
  sendsAtOnce: () => true,
  keyOf: ({ uid }) => uid,
  joined: (earlier, later) => ({
    uid: later.uid,
    open: earlier.open + later.open,
    closed: earlier.closed + later.closed,
  }),
  write: async (connection, sums) => {
    await together(
      connection,
      sums.map((sum) => async () => await addProjectCounts.run(connection, sum)),
    );
  },
  run: async (connection, sum) => {
    if (connection instanceof WriteBehind) await connection.hold(addToProject, sum);
    else await addProjectCounts.run(connection, sum);
  },
};

const addProjectCounts = statement((db, p: ProjectCounts) =>
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

export const putFormer = insertion<FormerRow>("former", ["project_uid", "short_id", "issue_uid"], {
  rank: 3,
  conflict: { key: ["project_uid", "short_id"], set: { issue_uid: "excluded.issue_uid" } },
});

export const removeFormer = statement((db, p: Pick<FormerRow, "project_uid" | "short_id">) =>
  db
    .deleteFrom("former")
    .where("project_uid", "=", p.project_uid)
    .where("short_id", "=", p.short_id),
);

export const addToLabel = insertion<Tables["label_count"]>(
  "label_count",
  ["project_uid", "label", "count"],
  {
    rank: 3,
    conflict: {
      key: ["project_uid", "label"],
      set: { count: "label_count.count + excluded.count" },
      joined: (earlier, later) => ({ ...later, count: earlier.count + later.count }),
    },
  },
);

export const removeLabelCounts = statement((db, p: Pick<ProjectRow, "uid">) =>
  db.deleteFrom("label_count").where("project_uid", "=", p.uid),
);
