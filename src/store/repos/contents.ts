import { sql } from "kysely";
import type { EventKind } from "../../contract/event-kinds.ts";
import type { Connection, Dialect } from "../connection.ts";
import { isIn, sqlStatement, unindexed } from "../rows/statement.ts";
import type { ContentMark, Contents, ContentText, EventRange } from "../types/contents.ts";

export function contents(connection: Connection): Contents {
  return {
    marks: async (after, most) => await marksAfter.all(connection, { after, most }),
    marksOf: async (uids) => (uids.length === 0 ? [] : await marksOf.all(connection, { uids })),
    idsOf: async (uids) =>
      uids.length === 0 ? [] : (await idsOf.all(connection, { uids })).map(({ id }) => id),
    texts: async (ids) => (ids.length === 0 ? [] : await textsOf.all(connection, { ids })),
    count: async () => Number((await live.one(connection, {}))?.count ?? 0),
    touched: async ({ after, upTo }) =>
      (await touched.all(connection, { after, upTo })).flatMap(({ uid }) => uid ?? []),
    touchedProjects: async ({ after, upTo }) =>
      (await touchedProject.one(connection, { after, upTo })) !== undefined,
    purgedAfter: async (id) => {
      const issues = await purgedIssues.all(connection, { id });
      const projects = await purgedProjects.all(connection, { id });
      const together = projects.flatMap(({ uids }) => uids.split(" ").filter((uid) => uid !== ""));
      return [...issues.map(({ uid }) => uid), ...together];
    },
  };
}

/** The columns of the index `issue_content`, which answers without reading the issues, whose bodies may be long. */
const MARK = sql`id, uid, project_uid, content_revision`;

/** SQL: neither the issue nor its project is deleted. SQLite would read all issues of the projects and sort them. */
const isLive = (dialect: Dialect) =>
  sql<boolean>`deleted_at is null
    and ${unindexed(dialect, "project_uid")} in (select uid from project where deleted_at is null)`;

const marksAfter = sqlStatement<{ after: number; most: number }, ContentMark>(
  (p, dialect) =>
    sql`select ${MARK} from issue where id > ${p.after} and ${isLive(dialect)} order by id limit ${p.most}`,
);

const marksOf = sqlStatement<{ uids: readonly string[] }, ContentMark>(
  (p, dialect) =>
    sql`select ${MARK} from issue where ${isIn(dialect, sql.ref("uid"), p.uids)} and ${isLive(dialect)}`,
);

const idsOf = sqlStatement<{ uids: readonly string[] }, { readonly id: number }>(
  (p, dialect) => sql`select id from issue where ${isIn(dialect, sql.ref("uid"), p.uids)}`,
);

const textsOf = sqlStatement<{ ids: readonly number[] }, ContentText>(
  (p, dialect) =>
    sql`select ${MARK}, title, body from issue
      where ${isIn(dialect, sql.ref("id"), p.ids, "bigint")} and ${isLive(dialect)}`,
);

const live = sqlStatement<Record<never, never>, { readonly count: number | string }>(
  () =>
    sql`select coalesce(sum(open_issues + closed_issues), 0) as count from project where deleted_at is null`,
);

const ISSUE_KINDS: readonly EventKind[] = [
  "issue.created",
  "issue.snapshot",
  "issue.updated",
  "issue.imported",
  "issue.soft_deleted",
  "issue.restored",
  "issue.moved",
];
const PROJECT_KINDS: readonly EventKind[] = [
  "project.removed",
  "project.restored",
  "project.merged",
];

/** SQL: the event is one of these kinds. SQLite shall read the range of ids, not all events of the kinds. */
const inRange = (dialect: Dialect, { after, upTo }: EventRange, kinds: readonly EventKind[]) =>
  sql<boolean>`id > ${after} and id <= ${upTo}
    and ${unindexed(dialect, "type")} in (${sql.join(kinds.map((kind) => sql.lit(kind)))})`;

const touched = sqlStatement<{ after: number; upTo: number }, { readonly uid: string | null }>(
  (p, dialect) =>
    sql`select distinct issue_uid as uid from event where ${inRange(dialect, p, ISSUE_KINDS)}`,
);

const touchedProject = sqlStatement<{ after: number; upTo: number }, { readonly id: number }>(
  (p, dialect) => sql`select id from event where ${inRange(dialect, p, PROJECT_KINDS)} limit 1`,
);

const purgedIssues = sqlStatement<{ id: number }, { readonly uid: string }>(
  (p) => sql`select issue_uid as uid from purge_log where purge_reset_after_event_id > ${p.id}`,
);

const purgedProjects = sqlStatement<{ id: number }, { readonly uids: string }>(
  (p) =>
    sql`select issue_uids as uids from project_purge_log where purge_reset_after_event_id > ${p.id}`,
);
