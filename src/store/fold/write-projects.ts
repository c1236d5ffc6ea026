import type { ProjectRow } from "../../domain/state.ts";
import type { Inserts } from "../../domain/tables/tables.ts";
import { type Connection, together } from "../connection.ts";
import { insertion } from "../rows/insertion.ts";
import { removal } from "../rows/removal.ts";
import { initial, unparsed } from "../rows/rows.ts";
import { statement } from "../rows/statement.ts";
import { update } from "../rows/update.ts";
import { type Deferrable, WriteBehind } from "../rows/write-behind.ts";

export function projectValues(row: ProjectRow): Inserts["project"] {
  return { ...unparsed("project", row), ...initial("project") };
}

export const insertProject = insertion("project", { rank: 0 });
export const updateProject = update("project", insertProject, 0);
export const removeProject = removal("project", insertProject);

interface ProjectCounts {
  readonly uid: string;
  readonly open: number;
  readonly closed: number;
}

/** Adds to a project's counts of live issues by status. Several deferred additions to one project become one update. */
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
    if (connection instanceof WriteBehind) await connection.hold(addToProject, [sum]);
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

export const addToLabel = insertion("label_count", {
  rank: 3,
  conflict: {
    set: { count: "label_count.count + excluded.count" },
    joined: (earlier, later) => ({ ...later, count: earlier.count + later.count }),
  },
});

export const removeLabelCounts = statement((db, p: { uid: string }) =>
  db.deleteFrom("label_count").where("project_uid", "=", p.uid),
);
