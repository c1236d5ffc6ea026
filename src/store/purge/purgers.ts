import { sql } from "kysely";
import type { StoredEvent } from "../../contract/events.ts";
import { type Connection, rowsOf } from "../connection.ts";
import { allBaselines } from "../repos/all-baselines.ts";
import { isIn, listAs } from "../rows/statement.ts";

type Baseline = Pick<StoredEvent<"project.federation_enabled">, "project_uid" | "payload">;

/** The uids of projects, by the uid of an issue. */
export type ProjectsOf = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns, for each of these issues, the projects that have a purge record in this database which names the issue. */
export async function recordedPurges(
  connection: Connection,
  uids: readonly string[],
): Promise<ProjectsOf> {
  const { dialect } = connection;
  const position = sql.raw(dialect === "sqlite" ? "instr" : "strpos");
  const found = await rowsOf<{ issue_uid: string; project_uid: string }>(
    connection,
    sql`select issue_uid, project_uid from purge_log where ${isIn(dialect, sql.ref("issue_uid"), uids)}
      union select asked.value, project_uid from project_purge_log, ${listAs(dialect, uids, "asked")}
        where ${position}(issue_uids, asked.value) > 0`,
  );
  const projects = new Map<string, Set<string>>();
  for (const { issue_uid, project_uid } of found) add(projects, issue_uid, project_uid);
  return projects;
}

/**
 * Returns, for each of these issues, the projects with a baseline that lists the issue as purged. The baseline is in
 * the log or among `more`.
 */
export async function listedPurges(
  connection: Connection,
  uids: readonly string[],
  more: readonly Baseline[] = [],
): Promise<ProjectsOf> {
  const wanted = new Set(uids);
  const projects = new Map<string, Set<string>>();
  for (const { project_uid, payload } of [...(await allBaselines(connection)), ...more])
    for (const uid of payload.purged_uids) if (wanted.has(uid)) add(projects, uid, project_uid);
  return projects;
}

function add(projects: Map<string, Set<string>>, issue: string, project: string): void {
  const known = projects.get(issue);
  if (known === undefined) projects.set(issue, new Set([project]));
  else known.add(project);
}
