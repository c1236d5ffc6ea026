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
  Touches,
} from "../domain/state.ts";
import type { Connection } from "./connection.ts";
import {
  aliasByIdentity,
  aliasesByProject,
  commentsByName,
  commentsByUid,
  cronJobByUid,
  cronJobsByProject,
  cronRunByUid,
  cronRunsByProject,
  cronWorkflowByUid,
  cronWorkflowsByProject,
  importsByProject,
  issuesByName,
  issuesByUid,
  labelByKey,
  leaseOf,
  linkByKey,
  linksByName,
  parentLink,
  projectsByUid,
  recurrenceByUid,
  recurrencesByProject,
  uidsByProject,
} from "./loads.ts";
import {
  cronJobOf,
  cronWorkflowOf,
  derivedOf,
  issueRow,
  projectRow,
  recurrenceOf,
  runOf,
} from "./rows.ts";
import type { Derived } from "./types.ts";

/** An issue as the projection works on it: its fold and what is derived beside it. */
export interface LoadedIssue {
  readonly row: IssueRow;
  readonly derived: Derived;
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
    ])
      map.clear();
  }

  /** Makes sure that what the event touches is here. An issue that does not exist has nothing to load for it. */
  async load(connection: Connection, touches: Touches): Promise<void> {
    const {
      projects = [],
      issues = [],
      comments = [],
      labels = [],
      links = [],
      parentsOf = [],
      aliases = [],
      leases = [],
      recurrences = [],
      recurrencesOf = [],
      cronJobs = [],
      cronWorkflows = [],
      cronRuns = [],
      cronOf = [],
      aliasesOf = [],
      issuesOf = [],
      importsOf = [],
      authored = [],
    } = touches;
    await Promise.all([
      this.loadIssues(connection, issues),
      this.loadProjects(connection, projects),
      this.#loadComments(connection, comments),
      this.#loadAliases(connection, aliases, aliasesOf),
    ]);
    for (const uid of leases) {
      if (!this.leases.has(uid)) this.leases.set(uid, await leaseOf.one(connection, { uid }));
    }
    await this.loadRecurrences(connection, recurrences);
    for (const uid of recurrencesOf) {
      for (const row of await recurrencesByProject.all(connection, { uid }))
        this.recurrences.set(row.uid, localOff(recurrenceOf(row)));
    }
    await this.#loadCron(connection, cronJobs, cronWorkflows, cronOf);
    await this.#loadRuns(connection, cronRuns, cronOf);
    for (const uid of issuesOf) await this.#loadProjectIssues(connection, uid);
    for (const uid of importsOf)
      this.projectImports.set(uid, await importsByProject.all(connection, { uid }));
    for (const [uid, name] of authored) await this.#loadAuthored(connection, uid, name);
    const exists = (uid: string): boolean =>
      !this.issues.has(uid) || this.issues.get(uid) !== undefined;
    await Promise.all([
      this.#loadLabels(
        connection,
        labels.filter(([uid]) => exists(uid)),
      ),
      this.#loadLinks(
        connection,
        links.filter(([from, to]) => exists(from) && exists(to)),
      ),
      this.#loadParents(connection, parentsOf.filter(exists)),
    ]);
  }

  async loadProjects(connection: Connection, uids: readonly string[]): Promise<void> {
    const missing = unknown(this.projects, uids);
    if (missing.length === 0) return;
    for (const row of await projectsByUid.all(connection, { uids: missing }))
      this.projects.set(row.uid, projectRow(row));
  }

  async loadIssues(connection: Connection, uids: readonly string[]): Promise<void> {
    const missing = unknown(this.issues, uids);
    if (missing.length === 0) return;
    for (const row of await issuesByUid.all(connection, { uids: missing })) {
      this.issues.set(row.uid, { row: issueRow(row), derived: derivedOf(row) });
    }
  }

  /** Lists are read each time: what is loaded is written by then. */
  async #loadProjectIssues(connection: Connection, uid: string): Promise<void> {
    const uids = (await uidsByProject.all(connection, { uid })).map((row) => row.uid);
    await this.loadIssues(connection, uids);
    this.projectIssues.set(uid, uids);
  }

  async #loadAuthored(connection: Connection, uid: string, name: string): Promise<void> {
    const [issues, comments, links] = [
      await issuesByName.all(connection, { uid, name }),
      await commentsByName.all(connection, { uid, name }),
      await linksByName.all(connection, { uid, name }),
    ];
    const uids = issues.map((row) => row.uid);
    await this.loadIssues(connection, uids);
    for (const row of comments) this.comments.set(row.uid, row);
    for (const row of links) this.links.set(keyOf(row.from_uid, row.type, row.to_uid), row);
    this.named.set(keyOf(uid, name), { issues: this.#present(uids), comments, links });
  }

  async loadRecurrences(connection: Connection, uids: readonly string[]): Promise<void> {
    for (const uid of unknown(this.recurrences, uids)) {
      const row = await recurrenceByUid.one(connection, { uid });
      if (row !== undefined) this.recurrences.set(uid, localOff(recurrenceOf(row)));
    }
  }

  async #loadCron(
    connection: Connection,
    jobs: readonly string[],
    workflows: readonly string[],
    projects: readonly string[],
  ): Promise<void> {
    for (const uid of unknown(this.cronJobs, jobs)) {
      const row = await cronJobByUid.one(connection, { uid });
      if (row !== undefined) this.cronJobs.set(uid, localOff(cronJobOf(row)));
    }
    for (const uid of unknown(this.cronWorkflows, workflows)) {
      const row = await cronWorkflowByUid.one(connection, { uid });
      if (row !== undefined) this.cronWorkflows.set(uid, localOff(cronWorkflowOf(row)));
    }
    for (const uid of projects) {
      for (const row of await cronJobsByProject.all(connection, { uid }))
        this.cronJobs.set(row.uid, localOff(cronJobOf(row)));
      for (const row of await cronWorkflowsByProject.all(connection, { uid }))
        this.cronWorkflows.set(row.uid, localOff(cronWorkflowOf(row)));
    }
  }

  async #loadRuns(
    connection: Connection,
    uids: readonly string[],
    projects: readonly string[],
  ): Promise<void> {
    for (const uid of unknown(this.cronRuns, uids)) {
      const row = await cronRunByUid.one(connection, { uid });
      if (row !== undefined) this.cronRuns.set(uid, localOff(runOf(row)));
    }
    for (const uid of projects) {
      for (const row of await cronRunsByProject.all(connection, { uid }))
        this.cronRuns.set(row.uid, localOff(runOf(row)));
    }
  }

  async #loadComments(connection: Connection, uids: readonly string[]): Promise<void> {
    const missing = unknown(this.comments, uids);
    if (missing.length === 0) return;
    for (const row of await commentsByUid.all(connection, { uids: missing }))
      this.comments.set(row.uid, row);
  }

  async #loadLabels(
    connection: Connection,
    keys: readonly (readonly [string, string])[],
  ): Promise<void> {
    for (const [issue_uid, label] of keys) {
      const key = keyOf(issue_uid, label);
      if (!this.labels.has(key))
        this.labels.set(key, await labelByKey.one(connection, { issue_uid, label }));
    }
  }

  async #loadLinks(
    connection: Connection,
    keys: readonly (readonly [string, string, LinkType])[],
  ): Promise<void> {
    for (const [from_uid, to_uid, type] of keys) {
      const key = keyOf(from_uid, type, to_uid);
      if (!this.links.has(key))
        this.links.set(key, await linkByKey.one(connection, { from_uid, to_uid, type }));
    }
  }

  async #loadParents(connection: Connection, uids: readonly string[]): Promise<void> {
    for (const uid of uids) {
      if (!this.parents.has(uid)) this.parents.set(uid, await parentLink.one(connection, { uid }));
    }
  }

  async #loadAliases(
    connection: Connection,
    identities: readonly string[],
    projects: readonly string[],
  ): Promise<void> {
    for (const identity of identities) {
      if (!this.aliases.has(identity))
        this.aliases.set(identity, await aliasByIdentity.one(connection, { identity }));
    }
    for (const uid of projects)
      this.projectAliases.set(uid, await aliasesByProject.all(connection, { uid }));
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

/** The local id is the database's own. */
function localOff<T extends { readonly id: number }>({ id: _local, ...row }: T): Omit<T, "id"> {
  return row;
}

/** Marks the keys as looked for, and returns those that were not before. */
function unknown<T>(known: Map<string, T | undefined>, keys: readonly string[]): readonly string[] {
  const missing = keys.filter((key) => !known.has(key));
  for (const key of missing) known.set(key, undefined);
  return missing;
}
