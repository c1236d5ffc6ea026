import { invalid } from "../../contract/errors.ts";
import type { Payload, StoredEvent } from "../../contract/events.ts";
import { differingIdentity, type RunIdentity } from "../../domain/cron/run.ts";
import { touches } from "../../domain/evolve/evolve.ts";
import type { Connection } from "../connection.ts";
import type { FoldContext } from "../fold/context.ts";
import { load } from "../load/load.ts";
import type { Loaded } from "../load/loaded.ts";
import { type ProjectLevelRow, projectLevelRowOf } from "../refold/project-level-rows.ts";
import { isIn, statement } from "../rows/statement.ts";
import type { AdmitOptions, ForeignEvent } from "../types/store.ts";

/**
 * Throws for an event that would change something that does not belong to it: an issue, a job, a workflow or a run of
 * another project, or the comment of another issue. A daemon that may send events of one project must not change
 * another project. Also throws for the event of a run that has the uid of a different run
 * (docs/contract/federation.md#73-what-a-hub-accepts).
 *
 * A link that starts at an issue of another project is refused only if the event is not from the hub. The fold ignores
 * such a link in any case (`isOwnLink`), and a copy must not stop reading because of it.
 */
export async function checkSubjects(
  { connection, loaded }: FoldContext,
  events: readonly ForeignEvent[],
  { fromHub }: Pick<AdmitOptions, "fromHub">,
): Promise<void> {
  const rows = events.flatMap((event) => projectLevelRowOf(event) ?? []);
  const uidsOf = (table: ProjectLevelRow["table"]): string[] =>
    rows.flatMap((row) => (row.table === table ? row.uid : []));
  await load(connection, loaded, {
    issues: events.flatMap((event) => [
      ...(event.issue_uid === undefined ? [] : [event.issue_uid]),
      ...(fromHub ? [] : otherStarts(event)),
    ]),
    comments: events.flatMap(commentsOf),
    rows: {
      cron_jobs: uidsOf("cron_jobs"),
      cron_workflows: uidsOf("cron_workflows"),
      cron_runs: uidsOf("cron_runs"),
    },
  });
  const subjects = new Subjects(loaded, await projectsOfMissing(connection, loaded, events));
  for (const event of events) {
    subjects.check(event);
    if (!fromHub) subjects.checkLinks(event);
  }
}

/**
 * The project of each issue and row, and the issue of each comment, according to the stored rows and to the events of
 * the page so far.
 */
class Subjects {
  readonly #loaded: Loaded;
  readonly #projects: Map<string, string>;
  readonly #issuesOfComments = new Map<string, string>();
  readonly #runs = new Map<string, RunIdentity>();

  constructor(loaded: Loaded, projects: Map<string, string>) {
    this.#loaded = loaded;
    this.#projects = projects;
  }

  check(event: ForeignEvent): void {
    if (event.issue_uid !== undefined) this.#checkIssue(event, event.issue_uid);
    const row = projectLevelRowOf(event);
    if (row !== undefined && row.table !== "project") this.#checkRow(event, row.table, row.uid);
  }

  checkLinks(event: ForeignEvent): void {
    for (const uid of otherStarts(event)) {
      const home = this.#loaded.issue(uid)?.project_uid ?? this.#projects.get(uid);
      if (home !== event.project_uid)
        throw refused(event, `its link from ${uid} is one of another project`);
    }
  }

  #checkIssue(event: ForeignEvent, issue: string): void {
    const known = this.#loaded.issue(issue)?.project_uid ?? this.#projects.get(issue);
    if (known !== undefined && known !== event.project_uid)
      throw refused(event, `its issue ${issue} is in another project here`);
    this.#projects.set(issue, event.project_uid);
    for (const comment of commentsOf(event)) {
      const owner =
        this.#loaded.comment(comment)?.issue_uid ?? this.#issuesOfComments.get(comment) ?? issue;
      if (owner !== issue) throw refused(event, `comment ${comment} is one of another issue`);
      this.#issuesOfComments.set(comment, issue);
    }
  }

  #checkRow(
    event: ForeignEvent,
    table: Exclude<ProjectLevelRow["table"], "project">,
    uid: string,
  ): void {
    const known = this.#loaded.row(table, uid)?.project_uid ?? this.#projects.get(uid);
    if (known !== undefined && known !== event.project_uid)
      throw refused(event, `${uid} is in another project here`);
    this.#projects.set(uid, event.project_uid);
    if (table === "cron_runs") this.#checkRun(event, uid);
  }

  #checkRun(event: ForeignEvent, uid: string): void {
    const run = identityOf(event.payload as Payload<"cron.run.observed">);
    const known = this.#loaded.row("cron_runs", uid) ?? this.#runs.get(uid) ?? run;
    const differing = differingIdentity(known, run);
    if (differing !== undefined)
      throw refused(event, `it is another run than ${uid}: its ${differing} is not the same`);
    this.#runs.set(uid, run);
  }
}

/** Returns the start issues of the links that the event sets or removes, without the event's own issue. */
function otherStarts(event: ForeignEvent): readonly string[] {
  const links = touches(event as StoredEvent).links ?? [];
  return links.flatMap(([from]) => (from === event.issue_uid ? [] : from));
}

/** The comments that the event adds or changes. */
function commentsOf({ type, payload }: Pick<ForeignEvent, "type" | "payload">): readonly string[] {
  if (type === "issue.commented" || type === "issue.comment_edited")
    return [(payload as Payload<typeof type>).comment_uid];
  if (type !== "issue.snapshot") return [];
  const { comments = [] } = payload as Payload<typeof type>;
  return comments.map(({ comment_uid }) => comment_uid);
}

/** Returns the fields of a run that never change, with null for absent values as in its row. */
function identityOf(run: Payload<"cron.run.observed">): RunIdentity {
  return {
    job_uid: run.job_uid ?? null,
    definition_event_uid: run.definition_event_uid ?? null,
    workflow_uid: run.workflow_uid ?? null,
    workflow_definition_event_uid: run.workflow_definition_event_uid ?? null,
    issue_uid: run.issue_uid ?? null,
    occurrence_key: run.occurrence_key ?? null,
    teammate: run.teammate ?? null,
    executor_label: run.executor_label ?? null,
  };
}

/**
 * Returns the projects of issues that are not stored, taken from events about these issues in the log: an event may
 * have arrived before the creation of its issue.
 */
async function projectsOfMissing(
  connection: Connection,
  loaded: Loaded,
  events: readonly ForeignEvent[],
): Promise<Map<string, string>> {
  const uids = [...new Set(events.flatMap(({ issue_uid }) => issue_uid ?? []))];
  const missing = uids.filter((uid) => loaded.issue(uid) === undefined);
  if (missing.length === 0) return new Map();
  const found = await projectsOf.all(connection, { uids: missing });
  return new Map(found.map(({ issue_uid, project_uid }) => [issue_uid ?? "", project_uid]));
}

const projectsOf = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("event")
    .select(["issue_uid", "project_uid"])
    .distinct()
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids)),
);

function refused({ uid }: ForeignEvent, why: string) {
  return invalid(`event ${uid}: ${why}`);
}
