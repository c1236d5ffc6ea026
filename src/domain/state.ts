import type { Place } from "./order.ts";
import type { FoldedTable, Key, OneKeyTable, ProjectTable, Row, Rows } from "./tables/tables.ts";

/** The rows that events fold into. Columns have the names of the API; local integer ids exist only in the database. */
export type ProjectRow = Row<"project">;
export type AliasRow = Row<"alias">;
export type IssueRow = Row<"issue">;
export type RecurrenceRow = Row<"recurrence">;
export type LabelRow = Row<"label">;
export type LinkRow = Row<"link">;
export type LinkType = LinkRow["type"];
export type LinkEnds = Pick<LinkRow, "from_uid" | "to_uid" | "type">;
export type CommentRow = Row<"comment">;
export type IdempotencyRow = Row<"idempotency">;
export type ImportRow = Row<"import">;
export type FormerRow = Row<"former">;
export type LeaseRow = Row<"lease">;
export type CronJobRow = Row<"cron_jobs">;
/** A workflow, or those columns of a job that workflows have too. */
export type CronDefinitionRow = Row<"cron_workflows">;
export type CronRunRow = Row<"cron_runs">;
export type ExternalRootRow = Row<"external_root">;
export type TokenRow = Row<"api_token">;

/** A change that an evolver returns: a row to write, or the key of a row to remove. */
export type Change = { [T in FoldedTable]: ChangeOf<T> }[FoldedTable];

export type ChangeOf<T extends FoldedTable> =
  | { readonly table: T; readonly put: Rows[T] }
  | { readonly table: T; readonly remove: Key<T> };

/** The state that `decide` and `evolve` may read. Missing rows are `undefined`; lists are in creation order. */
export interface State {
  project(uid: string): ProjectRow | undefined;
  issue(uid: string): IssueRow | undefined;
  comment(uid: string): CommentRow | undefined;
  label(issueUid: string, label: string): LabelRow | undefined;
  link(fromUid: string, toUid: string, type: LinkType): LinkRow | undefined;
  parentLink(childUid: string): LinkRow | undefined;
  waitingLink(fromUid: string, toUid: string, type: LinkType): LinkRow | undefined;
  /** All waiting links with an end at the issue. The issue may be missing. */
  waitingLinksOf(issueUid: string): readonly LinkRow[];
  /** The link to the child's parent, if it waits. */
  waitingParent(childUid: string): LinkRow | undefined;
  /** All waiting parent links. */
  waitingParents(): readonly LinkRow[];
  isPurged(issueUid: string): boolean;
  /** Whether the project has a baseline that is folded before the event. */
  isFederatedBefore(projectUid: string, event: Place): boolean;
  /** The origin of the hub's address, if this daemon has a copy of the project. */
  hubOf(projectUid: string): string | undefined;
  /**
   * Whether an event of this daemon has set the link. The answer is right only for links that lead from an issue of a
   * copy out of the projects of its hub (`LinkChanges`).
   */
  isMadeHere(ends: LinkEnds): boolean;
  /** Whether another issue has the mapping already, and keeps it (`rankOfMappings`). */
  isMappedBefore(row: ImportRow): boolean;
  recurrence(uid: string): RecurrenceRow | undefined;
  /** A row of any other table with a key of one column. */
  row<T extends LoadedTable>(table: T, key: string): Rows[T] | undefined;
  of<T extends ListedTable>(table: T, projectUid: string): readonly Rows[T][];
  issuesOf(projectUid: string): readonly IssueRow[];
  authored(projectUid: string, name: string): AuthoredRows;
}

/** Tables whose rows `State.of` lists by project, because one event can change all of them. Issues have `issuesOf`. */
export type ListedTable = Exclude<ProjectTable, "issue"> | "import";

/** Rows of a project with a person's name: issues (author or owner), their comments and outgoing links (author). */
export interface AuthoredRows {
  readonly issues: readonly IssueRow[];
  readonly comments: readonly CommentRow[];
  readonly links: readonly LinkRow[];
  readonly waitingLinks: readonly LinkRow[];
}

/** The keys of the rows that an evolver needs, so that the store can load them first. */
export interface Touches {
  readonly projects?: readonly string[];
  readonly issues?: readonly string[];
  readonly comments?: readonly string[];
  readonly labels?: readonly (readonly [issueUid: string, label: string])[];
  readonly links?: readonly (readonly [fromUid: string, toUid: string, type: LinkType])[];
  /** Uids of children whose parent link is needed. */
  readonly parentsOf?: readonly string[];
  /**
   * Uids of other issues that the event names as ends of links. If one is missing, the store loads whether it was
   * purged.
   */
  readonly peers?: readonly string[];
  /** Uids of issues whose waiting links are needed. */
  readonly waitingOf?: readonly string[];
  /**
   * Children whose parent changes, each with its new parents. If the child has children itself, the ancestors of its
   * old and new parents are needed, to detect a circle.
   */
  readonly ancestorsOf?: readonly (readonly [childUid: string, newParents: readonly string[]])[];
  /** Set if all waiting parent links are needed, with the ancestors of their children. */
  readonly waitingParents?: true;
  /** Set if the baselines of the log are needed (`isFederatedBefore`). */
  readonly baselines?: true;
  /** Keys of rows of other tables. */
  readonly rows?: { readonly [T in LoadedTable]?: readonly string[] };
  /** For each table, the uids of the projects whose rows are all needed. */
  readonly of?: { readonly [T in ListedTable]?: readonly string[] };
  /** Uids of the projects whose issues are all needed. */
  readonly issuesOf?: readonly string[];
  readonly authored?: readonly (readonly [projectUid: string, name: string])[];
}

/** Tables with a key of one column, except those with a method of their own in `State`. */
export type LoadedTable = Exclude<OneKeyTable, "project" | "issue" | "comment">;
