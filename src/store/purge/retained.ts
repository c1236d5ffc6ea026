import { type RawBuilder, sql } from "kysely";
import { addTo } from "../../base/lists.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { type Connection, rowsOf } from "../connection.ts";
import { eventOf } from "../rows/rows.ts";
import type { Selected } from "../schema.ts";

type ProjectMerged = StoredEvent<"project.merged">;
type WholeProject = StoredEvent<"project.author_rewritten"> | ProjectMerged;

export interface RetainedEvent {
  readonly id: number;
  /** The current project of an issue that needs the event. The event moves to the feed of this project. */
  readonly feed_uid: string;
}

/**
 * Returns the events of the purged project's feed that moved issues still need. These are author rewrites and merges:
 * they change all issues of a project without naming any. Without such an event, the fold would give a moved issue a
 * wrong author, or the record of its import a wrong project.
 */
export async function retainedEvents(
  connection: Connection,
  project: string,
): Promise<readonly RetainedEvent[]> {
  const changes = await eventsOf<WholeProject>(
    connection,
    sql`feed_uid = ${project} and issue_uid is null and type in ('project.author_rewritten', 'project.merged')`,
  );
  if (changes.length === 0) return [];
  const gone = await movedIssues(connection, project);
  return changes.flatMap((event) => {
    const needs = gone.find((issue) => isNeeded(event, issue));
    return needs === undefined ? [] : [{ id: event.id, feed_uid: needs.project_uid }];
  });
}

/**
 * Whether the issue needs the event. A merge matters even after the issue left the source project, since it also moves
 * the record of the issue's import.
 */
function isNeeded(event: WholeProject, { places, first, last }: MovedIssue): boolean {
  if (event.id < first) return false;
  return event.type === "project.merged"
    ? places.has(event.payload.source_uid)
    : places.has(event.project_uid) && event.id < last;
}

/**
 * An issue that is now in another project. `places` are the projects that it was in, `first` is the id of its first
 * event, and `last` is the id of the event of its last move.
 */
interface MovedIssue {
  readonly project_uid: string;
  readonly places: ReadonlySet<string>;
  readonly first: number;
  readonly last: number;
}

async function movedIssues(
  connection: Connection,
  project: string,
): Promise<readonly MovedIssue[]> {
  const issues = await rowsOf<{ uid: string; now_in: string; first: number; last: number }>(
    connection,
    sql`select i.uid, i.project_uid as now_in, min(e.id) as first,
        max(case when e.type = 'issue.moved' then e.id else 0 end) as last
      from issue i join event e on e.issue_uid = i.uid
      where i.project_uid <> ${project} and i.uid in (select issue_uid from former)
      group by i.uid, i.project_uid order by i.uid`,
  );
  const places = await placesOf(connection);
  // Search the events of all projects, because an earlier purge may have moved the event of a merge to the feed of
  // another project.
  const merges = await eventsOf<ProjectMerged>(
    connection,
    sql`issue_uid is null and type = 'project.merged'`,
  );
  return issues.map(({ uid, now_in, first, last }) => {
    const been = new Set(places.get(uid));
    for (const { project_uid, payload } of merges)
      if (been.has(payload.source_uid)) been.add(project_uid);
    return { project_uid: now_in, places: been, first, last };
  });
}

/** For each issue that moved: every project in which it has events or from which it moved out. */
async function placesOf(connection: Connection): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await rowsOf<{ issue_uid: string; project_uid: string }>(
    connection,
    sql`select issue_uid, project_uid from former
      union select e.issue_uid, e.project_uid from event e where e.issue_uid in (select issue_uid from former)`,
  );
  const places = new Map<string, string[]>();
  for (const { issue_uid, project_uid } of found) addTo(places, issue_uid, project_uid);
  return places;
}

async function eventsOf<E extends WholeProject>(
  connection: Connection,
  which: RawBuilder<unknown>,
): Promise<readonly E[]> {
  const found = await rowsOf<Selected<"event">>(
    connection,
    sql`select * from event where ${which} order by id`,
  );
  return found.map((row) => eventOf(row) as E);
}
