import type { EventKind, StoredEvent } from "../contract/events.ts";
import { evolve } from "./evolve/evolve.ts";
import {
  type AliasRow,
  type Authored,
  type Change,
  type CommentRow,
  type CronDefinitionRow,
  type CronJobRow,
  type CronRunRow,
  type ImportRow,
  type IssueRow,
  KEYS,
  type LabelRow,
  type LeaseRow,
  type LinkRow,
  type LinkType,
  type ProjectRow,
  type RecurrenceRow,
  type Rows,
  type State,
  type TableName,
} from "./state.ts";

/**
 * The rows of a log, or of the part of one that an event touches, in memory. The store loads one per event, doctor
 * folds the whole log into one, and tests compare it with the tables.
 */
export class MemoryState implements State {
  readonly #tables: { readonly [T in TableName]: Map<string, Rows[T]> } = {
    project: new Map(),
    alias: new Map(),
    recurrence: new Map(),
    issue: new Map(),
    label: new Map(),
    link: new Map(),
    comment: new Map(),
    idempotency: new Map(),
    import: new Map(),
    former: new Map(),
    lease: new Map(),
    cron_jobs: new Map(),
    cron_workflows: new Map(),
    cron_runs: new Map(),
  };
  readonly #linksByIssue = new Map<string, Map<string, LinkRow>>();

  put<T extends TableName>(table: T, row: Rows[T]): void {
    const key = rowKey(table, row);
    this.#tables[table].set(key, row);
    if (table === "link") this.#indexLink(key, row as LinkRow);
  }

  remove<T extends TableName>(table: T, keys: Partial<Rows[T]>): void {
    const key = rowKey(table, keys);
    const row = this.#tables[table].get(key);
    this.#tables[table].delete(key);
    if (table !== "link" || row === undefined) return;
    const { from_uid, to_uid } = row as LinkRow;
    this.#linksByIssue.get(from_uid)?.delete(key);
    this.#linksByIssue.get(to_uid)?.delete(key);
  }

  apply(changes: readonly Change[]): void {
    for (const change of changes) {
      if ("put" in change) this.put(change.table, change.put);
      else this.remove(change.table, change.remove);
    }
  }

  rows<T extends TableName>(table: T): Iterable<Rows[T]> {
    return this.#tables[table].values();
  }

  project(uid: string): ProjectRow | undefined {
    return this.#tables.project.get(uid);
  }

  issue(uid: string): IssueRow | undefined {
    return this.#tables.issue.get(uid);
  }

  comment(uid: string): CommentRow | undefined {
    return this.#tables.comment.get(uid);
  }

  label(issueUid: string, label: string): LabelRow | undefined {
    return this.#tables.label.get(joinKey([issueUid, label]));
  }

  link(fromUid: string, toUid: string, type: LinkType): LinkRow | undefined {
    return this.#tables.link.get(joinKey([fromUid, toUid, type]));
  }

  /** Every link that has the issue at one of its ends. */
  linksOf(uid: string): readonly LinkRow[] {
    const links = this.#linksByIssue.get(uid);
    return links === undefined ? [] : [...links.values()];
  }

  parentLink(childUid: string): LinkRow | undefined {
    return this.linksOf(childUid).find(
      (link) => link.type === "parent" && link.from_uid === childUid,
    );
  }

  alias(identity: string): AliasRow | undefined {
    return this.#tables.alias.get(identity);
  }

  lease(issueUid: string): LeaseRow | undefined {
    return this.#tables.lease.get(issueUid);
  }

  recurrence(uid: string): RecurrenceRow | undefined {
    return this.#tables.recurrence.get(uid);
  }

  recurrencesOf(projectUid: string): readonly RecurrenceRow[] {
    return [...this.#tables.recurrence.values()].filter((row) => row.project_uid === projectUid);
  }

  cronJob(uid: string): CronJobRow | undefined {
    return this.#tables.cron_jobs.get(uid);
  }

  cronWorkflow(uid: string): CronDefinitionRow | undefined {
    return this.#tables.cron_workflows.get(uid);
  }

  cronJobsOf(projectUid: string): readonly CronJobRow[] {
    return [...this.#tables.cron_jobs.values()].filter((row) => row.project_uid === projectUid);
  }

  cronRun(uid: string): CronRunRow | undefined {
    return this.#tables.cron_runs.get(uid);
  }

  cronRunsOf(projectUid: string): readonly CronRunRow[] {
    return [...this.#tables.cron_runs.values()].filter((row) => row.project_uid === projectUid);
  }

  cronWorkflowsOf(projectUid: string): readonly CronDefinitionRow[] {
    return [...this.#tables.cron_workflows.values()].filter(
      (row) => row.project_uid === projectUid,
    );
  }

  aliasesOf(projectUid: string): readonly AliasRow[] {
    return [...this.#tables.alias.values()].filter((alias) => alias.project_uid === projectUid);
  }

  issuesOf(projectUid: string): readonly IssueRow[] {
    return [...this.#tables.issue.values()].filter((issue) => issue.project_uid === projectUid);
  }

  importsOf(projectUid: string): readonly ImportRow[] {
    return [...this.#tables.import.values()].filter((row) => row.project_uid === projectUid);
  }

  authored(projectUid: string, name: string): Authored {
    const inProject = (uid: string): boolean => this.issue(uid)?.project_uid === projectUid;
    return {
      issues: this.issuesOf(projectUid).filter(
        ({ author, owner }) => author === name || owner === name,
      ),
      comments: [...this.#tables.comment.values()].filter(
        ({ author, issue_uid }) => author === name && inProject(issue_uid),
      ),
      links: [...this.#tables.link.values()].filter(
        ({ author, from_uid }) => author === name && inProject(from_uid),
      ),
    };
  }

  #indexLink(key: string, link: LinkRow): void {
    for (const uid of [link.from_uid, link.to_uid]) {
      const links = this.#linksByIssue.get(uid) ?? new Map<string, LinkRow>();
      links.set(key, link);
      this.#linksByIssue.set(uid, links);
    }
  }
}

/** What a log says, from its first event to its last (facts federation, 8). */
export function foldLog(events: Iterable<StoredEvent<EventKind>>): MemoryState {
  const state = new MemoryState();
  for (const event of events) state.apply(evolve(state, event));
  return state;
}

/** The identity of a row inside its table. */
export function rowKey<T extends TableName>(table: T, row: Partial<Rows[T]>): string {
  const values: Readonly<Record<string, unknown>> = row;
  return joinKey(KEYS[table].map((column) => String(values[column])));
}

function joinKey(parts: readonly string[]): string {
  return parts.join("\u0000");
}
