import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { isIn, statement } from "../rows/statement.ts";
import type { Derived } from "../types/rows.ts";
import type { FoldContext } from "./context.ts";
import { holds, loadProjectsOf } from "./derive.ts";
import type { Effect } from "./effect.ts";

/**
 * Updates `held` of the issues below each issue that began or stopped making its children held. An open issue that is
 * blocked, parked or held itself makes its children held. Must run after rows are written, because SQL computes `held`
 * from them.
 */
export async function propagateHeld(context: FoldContext, effect: Effect): Promise<void> {
  const { connection, loaded } = context;
  for (const { before, after } of effect.projects) {
    if (before !== undefined && (before.deleted_at === null) !== (after.deleted_at === null)) {
      await updateAroundProject(connection, after.uid);
      loaded.clear();
      return;
    }
  }
  await loadProjectsOf(connection, loaded, [...effect.issues.keys()]);
  // If the effect comes from several events, even a new issue may have children already.
  const newParents = new Set(
    [...effect.links.values()].flatMap(({ after }) =>
      after?.type === "parent" ? after.to_uid : [],
    ),
  );
  const changed = [...effect.issues]
    .filter(
      ([uid, { before, after }]) =>
        (before !== undefined || newParents.has(uid)) &&
        holds(loaded, before) !== holds(loaded, after) &&
        loaded.attached.get(uid)?.children.size !== 0,
    )
    .map(([uid]) => uid);
  for (const [uid, held] of await updateHeldBelow(connection, changed)) {
    const issue = loaded.issues.get(uid);
    if (issue !== undefined)
      loaded.issues.set(uid, { row: issue.row, derived: { ...issue.derived, held } });
  }
}

/** Recomputes `held` level by level below these issues. Continues only below issues whose `held` has changed. */
export async function updateHeldBelow(
  connection: Connection,
  parents: readonly string[],
): Promise<ReadonlyMap<string, Derived["held"]>> {
  const changed = new Map<string, Derived["held"]>();
  let level: string[] = [...parents];
  while (level.length > 0) {
    const children = await childrenOf.all(connection, { parents: level });
    level = [];
    for (const held of [0, 1] as const) {
      const uids = children.filter((child) => child.held === held).map(({ uid }) => uid);
      if (uids.length === 0) continue;
      for (const { uid } of await setHeld.all(connection, { uids, held })) {
        level.push(uid);
        changed.set(uid, held);
      }
    }
  }
  return changed;
}

/**
 * Selects the children of these issues, each with the `held` that it should have. The statement does not compare this
 * with the children's stored `held`: if PostgreSQL assumes that the tables are empty, it would join their rows with all
 * parents.
 */
const childrenOf = statement((db, p: { parents: readonly string[] }, dialect) =>
  db
    .selectFrom("link as l")
    .innerJoin("issue as p", "p.uid", "l.to_uid")
    .innerJoin("project as pp", "pp.uid", "p.project_uid")
    .where("l.type", "=", sql.lit("parent"))
    .where(({ ref }) => isIn(dialect, ref("l.to_uid"), p.parents))
    .select("l.from_uid as uid")
    .select(
      sql<0 | 1>`case when p.status = 'open' and p.deleted_at is null and pp.deleted_at is null
        and (p.open_blockers > 0 or p.parked = 1 or p.held = 1) then 1 else 0 end`.as("held"),
    ),
);

/** Sets `held`, and returns the issues where it was different. */
const setHeld = statement((db, p: { uids: readonly string[]; held: 0 | 1 }, dialect) =>
  db
    .updateTable("issue")
    .set({ held: p.held })
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids))
    .where("held", "<>", p.held)
    .returning("uid"),
);

/**
 * Recomputes counts and `held` after a project was archived or restored, including those of linked issues in other
 * projects.
 */
async function updateAroundProject(connection: Connection, uid: string): Promise<void> {
  await recountTargets.run(connection, { project_uid: uid });
  const found = await parentsNear.all(connection, { project_uid: uid });
  await updateHeldBelow(
    connection,
    found.map((parent) => parent.uid),
  );
}

function count(type: "blocks" | "parent", onlyOpen: boolean) {
  const open = onlyOpen ? sql`and f.status = 'open'` : sql``;
  return sql<number>`(select count(*) from link l join issue f on f.uid = l.from_uid join project fp on fp.uid = f.project_uid
    where l.to_uid = issue.uid and l.type = ${sql.lit(type)} and f.deleted_at is null and fp.deleted_at is null ${open})`;
}

export const COUNTS = {
  open_blockers: count("blocks", true),
  open_children: count("parent", true),
  total_children: count("parent", false),
} as const;

const recountTargets = statement((db, p: { project_uid: string }) =>
  db
    .updateTable("issue")
    .set(COUNTS)
    .where("uid", "in", (inner) =>
      inner
        .selectFrom("issue as f")
        .innerJoin("link as l", "l.from_uid", "f.uid")
        .where("f.project_uid", "=", p.project_uid)
        .where("l.type", "in", [sql.lit("blocks" as const), sql.lit("parent" as const)])
        .select("l.to_uid"),
    ),
);

/**
 * Selects the issues whose children may become held or stop being held: the parents in the project, and the issues of
 * any project that an issue of the project blocks.
 */
const parentsNear = statement((db, p: { project_uid: string }) =>
  db
    .selectFrom("issue as i")
    .innerJoin("link as l", "l.from_uid", "i.uid")
    .where("i.project_uid", "=", p.project_uid)
    .where("l.type", "=", sql.lit("blocks"))
    .select("l.to_uid as uid")
    .union((more) =>
      more
        .selectFrom("issue as i")
        .innerJoin("link as l", "l.to_uid", "i.uid")
        .where("i.project_uid", "=", p.project_uid)
        .where("l.type", "=", sql.lit("parent"))
        .select("i.uid as uid"),
    ),
);
