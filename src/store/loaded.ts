import type {
  AliasRow,
  Authored,
  CommentRow,
  CronDefinitionRow,
  CronJobRow,
  CronRunRow,
  ImportRow,
  IssueRow,
  LabelRow,
  LeaseRow,
  LinkRow,
  LinkType,
  ProjectRow,
  RecurrenceRow,
  State,
} from "../domain/state.ts";
import type { Derived } from "./types.ts";

/** An issue as the projection works on it: its fold and what is derived beside it. */
export interface LoadedIssue {
  readonly row: IssueRow;
  readonly derived: Derived;
}

export type Ends = Pick<LinkRow, "from_uid" | "to_uid" | "type">;

/** What hangs on an issue: its own blocking and parent links by their other end, its children and its labels. */
export interface Attached {
  readonly links: Map<string, Ends>;
  readonly children: Set<string>;
  readonly labels: Set<string>;
}

/**
 * The rows that the current batch of writes has looked at or written, as they are now. Only the projection writes
 * rows, and it writes here too, so nothing is loaded twice. A rollback empties it.
 */
export class Loaded implements State {
  readonly projects = new Map<string, ProjectRow | undefined>();
  readonly issues = new Map<string, LoadedIssue | undefined>();
  readonly comments = new Map<string, CommentRow | undefined>();
  readonly labels = new Map<string, LabelRow | undefined>();
  readonly links = new Map<string, LinkRow | undefined>();
  readonly parents = new Map<string, LinkRow | undefined>();
  readonly aliases = new Map<string, AliasRow | undefined>();
  readonly leases = new Map<string, LeaseRow | undefined>();
  readonly recurrences = new Map<string, RecurrenceRow | undefined>();
  readonly cronJobs = new Map<string, CronJobRow | undefined>();
  readonly cronWorkflows = new Map<string, CronDefinitionRow | undefined>();
  readonly cronRuns = new Map<string, CronRunRow | undefined>();
  readonly projectAliases = new Map<string, readonly AliasRow[]>();
  readonly projectIssues = new Map<string, readonly string[]>();
  readonly projectImports = new Map<string, readonly ImportRow[]>();
  readonly named = new Map<string, Authored>();
  readonly attached = new Map<string, Attached>();

  project(uid: string): ProjectRow | undefined {
    return this.projects.get(uid);
  }

  issue(uid: string): IssueRow | undefined {
    return this.issues.get(uid)?.row;
  }

  comment(uid: string): CommentRow | undefined {
    return this.comments.get(uid);
  }

  label(issueUid: string, label: string): LabelRow | undefined {
    return this.labels.get(keyOf(issueUid, label));
  }

  link(fromUid: string, toUid: string, type: LinkType): LinkRow | undefined {
    return this.links.get(keyOf(fromUid, type, toUid));
  }

  parentLink(childUid: string): LinkRow | undefined {
    return this.parents.get(childUid);
  }

  alias(identity: string): AliasRow | undefined {
    return this.aliases.get(identity);
  }

  lease(issueUid: string): LeaseRow | undefined {
    return this.leases.get(issueUid);
  }

  recurrence(uid: string): RecurrenceRow | undefined {
    return this.recurrences.get(uid);
  }

  recurrencesOf(projectUid: string): readonly RecurrenceRow[] {
    return ofProject(this.recurrences, projectUid);
  }

  cronJob(uid: string): CronJobRow | undefined {
    return this.cronJobs.get(uid);
  }

  cronWorkflow(uid: string): CronDefinitionRow | undefined {
    return this.cronWorkflows.get(uid);
  }

  cronJobsOf(projectUid: string): readonly CronJobRow[] {
    return ofProject(this.cronJobs, projectUid);
  }

  cronWorkflowsOf(projectUid: string): readonly CronDefinitionRow[] {
    return ofProject(this.cronWorkflows, projectUid);
  }

  cronRun(uid: string): CronRunRow | undefined {
    return this.cronRuns.get(uid);
  }

  cronRunsOf(projectUid: string): readonly CronRunRow[] {
    return ofProject(this.cronRuns, projectUid);
  }

  aliasesOf(projectUid: string): readonly AliasRow[] {
    return this.projectAliases.get(projectUid) ?? [];
  }

  issuesOf(projectUid: string): readonly IssueRow[] {
    return this.#present(this.projectIssues.get(projectUid) ?? []);
  }

  importsOf(projectUid: string): readonly ImportRow[] {
    return this.projectImports.get(projectUid) ?? [];
  }

  authored(projectUid: string, name: string): Authored {
    return this.named.get(keyOf(projectUid, name)) ?? { issues: [], comments: [], links: [] };
  }

  #present(uids: readonly string[]): readonly IssueRow[] {
    return uids.flatMap((uid) => this.issue(uid) ?? []);
  }

  clear(): void {
    for (const map of [
      this.projects,
      this.issues,
      this.comments,
      this.labels,
      this.links,
      this.parents,
      this.aliases,
      this.leases,
      this.recurrences,
      this.cronJobs,
      this.cronWorkflows,
      this.cronRuns,
      this.projectAliases,
      this.projectIssues,
      this.projectImports,
      this.named,
      this.attached,
    ])
      map.clear();
  }
}

/** The parts of a key in one text; a uid and a link type never hold the separator, and a free part comes last. */
export function keyOf(...parts: readonly string[]): string {
  return parts.join(" ");
}

/** Whatever was written since is here already, so all of a project's are, once they were asked for. */
function ofProject<T extends { readonly project_uid: string }>(
  known: ReadonlyMap<string, T | undefined>,
  projectUid: string,
): readonly T[] {
  return [...known.values()].filter((row) => row?.project_uid === projectUid) as T[];
}
