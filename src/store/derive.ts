import { sql } from "kysely";
import { readyFrom } from "../domain/readiness.ts";
import type { Change, IssueRow, LabelRow, LinkRow, ProjectRow } from "../domain/state.ts";
import type { Connection } from "./connection.ts";
import { loadIssues, loadProjects } from "./load.ts";
import type { Loaded, LoadedIssue } from "./loaded.ts";
import type { Projection } from "./projection.ts";
import { isIn, statement } from "./statement.ts";
import type { Derived } from "./types.ts";

/**
 * Keeps the derived columns of issues while events are projected (docs/architecture.md, Readiness). Counts move by
 * the difference between what a link told before the event and what it tells after it; `held` follows the parents
 * down. `domain/readiness.ts` computes the same from a whole state.
 */

export interface IssueEffect {
  readonly before: LoadedIssue | undefined;
  readonly after: LoadedIssue;
}

export interface LinkEffect {
  readonly ends: Pick<LinkRow, "from_uid" | "to_uid" | "type">;
  readonly before: LinkRow | undefined;
  readonly after: LinkRow | undefined;
}

export interface LabelEffect {
  readonly issue_uid: string;
  readonly label: string;
  readonly before: LabelRow | undefined;
  readonly after: LabelRow | undefined;
}

/** The rows that an event changed. */
export interface Effect {
  readonly issues: Map<string, IssueEffect>;
  readonly links: Map<string, LinkEffect>;
  readonly labels: Map<string, LabelEffect>;
  readonly projects: { readonly before: ProjectRow | undefined; readonly after: ProjectRow }[];
  readonly rest: Change[];
}

const NOTHING: Derived = {
  open_blockers: 0,
  open_children: 0,
  total_children: 0,
  parked: 0,
  held: 0,
  ready_from: null,
};

/** What follows from the issue's own row, its dates read in `timezone`; the rest is kept as it was. */
export function ownDerived(
  before: LoadedIssue | undefined,
  row: IssueRow,
  timezone: string,
): Derived {
  const known = before?.derived ?? NOTHING;
  const sameSeries = (before?.row.recurrence_uid ?? null) === row.recurrence_uid;
  if (before?.row.metadata === row.metadata && sameSeries) return known;
  return {
    ...known,
    parked: row.metadata["someday"] === true ? 1 : 0,
    ready_from: readyFrom(row, timezone),
  };
}

/** An issue whose own row stays and whose dates are read in another zone. */
export function replanIssue(loaded: Loaded, effect: Effect, uid: string, zone: string): void {
  const row = loaded.issue(uid);
  if (row === undefined) return;
  const ready_from = readyFrom(row, zone);
  change(loaded, effect, uid, (derived) =>
    derived.ready_from === ready_from ? derived : { ...derived, ready_from },
  );
}

/** Before the rows are written: moves the counts of blocked issues and parents, and gives moved children their `held`. */
export async function derive(projection: Projection, effect: Effect): Promise<void> {
  const { connection, loaded } = projection;
  const told = await toldLinks(connection, loaded, effect);
  await loadIssues(
    connection,
    loaded,
    told.flatMap(({ ends }) => [ends.from_uid, ends.to_uid]),
  );
  await loadProjectsOf(
    connection,
    loaded,
    told.flatMap(({ ends }) => [ends.from_uid, ends.to_uid]),
  );
  for (const link of told) moveCounts(loaded, effect, link);
  for (const { ends } of effect.links.values())
    if (ends.type === "parent") inherit(loaded, effect, ends.from_uid);
}

interface ToldLink {
  readonly ends: LinkEffect["ends"];
  readonly before: boolean;
  readonly after: boolean;
}

/** The blocking and parent links whose tale may differ: those that changed, and all of an issue that came to life or went. */
async function toldLinks(
  connection: Connection,
  loaded: Loaded,
  effect: Effect,
): Promise<readonly ToldLink[]> {
  const told = new Map<string, ToldLink>();
  for (const [key, { ends, before, after }] of effect.links) {
    if (ends.type !== "related")
      told.set(key, { ends, before: before !== undefined, after: after !== undefined });
  }
  for (const [uid, { before, after }] of effect.issues) {
    if (
      before === undefined ||
      (before.row.status === after.row.status && before.row.deleted_at === after.row.deleted_at)
    )
      continue;
    const links = loaded.attached.get(uid)?.links.values();
    for (const ends of links ?? (await linksFrom.all(connection, { uid }))) {
      const key = `${ends.from_uid} ${ends.type} ${ends.to_uid}`;
      if (!told.has(key)) told.set(key, { ends, before: true, after: true });
    }
  }
  return [...told.values()];
}

const linksFrom = statement((db, p: { uid: string }) =>
  db
    .selectFrom("link")
    .select(["from_uid", "to_uid", "type"])
    .where("from_uid", "=", p.uid)
    .where("type", "in", ["blocks", "parent"]),
);

async function loadProjectsOf(
  connection: Connection,
  loaded: Loaded,
  issues: readonly string[],
): Promise<void> {
  const uids = issues.flatMap((uid) => loaded.issue(uid)?.project_uid ?? []);
  await loadProjects(connection, loaded, [...new Set(uids)]);
}

function moveCounts(loaded: Loaded, effect: Effect, { ends, before, after }: ToldLink): void {
  const from = effect.issues.get(ends.from_uid);
  const now = loaded.issues.get(ends.from_uid);
  const old = from === undefined ? now : from.before;
  const openBy = Number(after && isOpen(loaded, now)) - Number(before && isOpen(loaded, old));
  const liveBy = Number(after && isLive(loaded, now)) - Number(before && isLive(loaded, old));
  if (openBy === 0 && liveBy === 0) return;
  change(loaded, effect, ends.to_uid, (derived) =>
    ends.type === "blocks"
      ? { ...derived, open_blockers: derived.open_blockers + openBy }
      : {
          ...derived,
          open_children: derived.open_children + openBy,
          total_children: derived.total_children + liveBy,
        },
  );
}

/** A child that got, lost or changed its parent. */
function inherit(loaded: Loaded, effect: Effect, child: string): void {
  const link = loaded.parentLink(child);
  const held = link !== undefined && holds(loaded, loaded.issues.get(link.to_uid)) ? 1 : 0;
  change(loaded, effect, child, (derived) =>
    derived.held === held ? derived : { ...derived, held },
  );
}

function change(
  loaded: Loaded,
  effect: Effect,
  uid: string,
  by: (derived: Derived) => Derived,
): void {
  const issue = loaded.issues.get(uid);
  if (issue === undefined) return;
  const derived = by(issue.derived);
  if (derived === issue.derived) return;
  const after = { row: issue.row, derived };
  const known = effect.issues.get(uid);
  effect.issues.set(uid, { before: known === undefined ? issue : known.before, after });
  loaded.issues.set(uid, after);
}

function isLive(loaded: Loaded, issue: LoadedIssue | undefined): boolean {
  return (
    issue !== undefined &&
    issue.row.deleted_at === null &&
    loaded.project(issue.row.project_uid)?.deleted_at === null
  );
}

function isOpen(loaded: Loaded, issue: LoadedIssue | undefined): boolean {
  return issue?.row.status === "open" && isLive(loaded, issue);
}

/** Whether the issue holds its children back. */
function holds(loaded: Loaded, issue: LoadedIssue | undefined): boolean {
  if (issue === undefined || !isOpen(loaded, issue)) return false;
  const { open_blockers, parked, held } = issue.derived;
  return open_blockers > 0 || parked === 1 || held === 1;
}

/** After the rows are written: `held` of the descendants of issues that began or ceased to hold. */
export async function settle(projection: Projection, effect: Effect): Promise<void> {
  const { connection, loaded } = projection;
  for (const { before, after } of effect.projects) {
    if (before !== undefined && (before.deleted_at === null) !== (after.deleted_at === null)) {
      await settleProject(connection, after.uid);
      loaded.clear();
      return;
    }
  }
  await loadProjectsOf(connection, loaded, [...effect.issues.keys()]);
  const turned = [...effect.issues]
    .filter(
      ([uid, { before, after }]) =>
        before !== undefined &&
        holds(loaded, before) !== holds(loaded, after) &&
        loaded.attached.get(uid)?.children.size !== 0,
    )
    .map(([uid]) => uid);
  for (const [uid, held] of await settleHeld(connection, turned)) {
    const issue = loaded.issues.get(uid);
    if (issue !== undefined)
      loaded.issues.set(uid, { row: issue.row, derived: { ...issue.derived, held } });
  }
}

/**
 * Sets `held` of the children of these issues by what their parents are now, then of the children of those that
 * changed, and so on down. Each issue turns once at most, so a circle in a damaged log ends as well.
 */
export async function settleHeld(
  connection: Connection,
  parents: readonly string[],
): Promise<ReadonlyMap<string, Derived["held"]>> {
  const turned = new Map<string, Derived["held"]>();
  let level = parents;
  while (level.length > 0) {
    const rows = await turnChildren.all(connection, { parents: level });
    level = rows.map(({ uid }) => uid).filter((uid) => !turned.has(uid));
    for (const { uid, held } of rows) turned.set(uid, held);
  }
  return turned;
}

/** An issue that holds its children: open, live, and blocked, parked or held itself. */
const HOLDS = sql<number>`case when p.status = 'open' and p.deleted_at is null and pp.deleted_at is null
  and (p.open_blockers > 0 or p.parked = 1 or p.held = 1) then 1 else 0 end`;

const turnChildren = statement((db, p: { parents: readonly string[] }, dialect) =>
  db
    .updateTable("issue")
    .set({ held: sql<0 | 1>`1 - held` })
    .where("uid", "in", (inner) =>
      inner
        .selectFrom("link as l")
        .innerJoin("issue as c", "c.uid", "l.from_uid")
        .innerJoin("issue as p", "p.uid", "l.to_uid")
        .innerJoin("project as pp", "pp.uid", "p.project_uid")
        .where("l.type", "=", sql.lit("parent"))
        .where(({ ref }) => isIn(dialect, ref("l.to_uid"), p.parents))
        .where(({ ref }) => sql<boolean>`${ref("c.held")} <> ${HOLDS}`)
        .select("c.uid"),
    )
    .returning(["uid", "held"]),
);

/** A project was archived or restored: all of its issues went or came at once, for issues of other projects too. */
async function settleProject(connection: Connection, uid: string): Promise<void> {
  await recountTargets.run(connection, { project_uid: uid });
  const parents = await parentsNear.all(connection, { project_uid: uid });
  await settleHeld(
    connection,
    parents.map((parent) => parent.uid),
  );
}

/** How many live issues point at `issue` by links of the type; `onlyOpen` counts the open ones. */
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

/** Parents in the project, and parents anywhere that something in the project blocks. */
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
