import type { FoldedTable, Key, OneKeyTable, ProjectTable, Row, Rows } from "./tables/tables.ts";

/** The rows that events fold into. Names are wire names; local integer ids belong to the database and are not here. */
export type ProjectRow = Row<"project">;
export type AliasRow = Row<"alias">;
export type IssueRow = Row<"issue">;
export type RecurrenceRow = Row<"recurrence">;
export type LabelRow = Row<"label">;
export type LinkRow = Row<"link">;
export type LinkType = LinkRow["type"];
export type CommentRow = Row<"comment">;
export type IdempotencyRow = Row<"idempotency">;
export type ImportRow = Row<"import">;
export type FormerRow = Row<"former">;
export type LeaseRow = Row<"lease">;
export type CronJobRow = Row<"cron_jobs">;
/** A workflow, or what a job has in common with one. */
export type CronDefinitionRow = Row<"cron_workflows">;
export type CronRunRow = Row<"cron_runs">;

/** What an evolver answers: a row as it shall be, or a row that shall be gone. */
export type Change = { [T in FoldedTable]: ChangeOf<T> }[FoldedTable];

export type ChangeOf<T extends FoldedTable> =
  | { readonly table: T; readonly put: Rows[T] }
  | { readonly table: T; readonly remove: Key<T> };

/** What `decide` and `evolve` may look at. Absent rows are `undefined`; lists are in creation order. */
export interface State {
  project(uid: string): ProjectRow | undefined;
  issue(uid: string): IssueRow | undefined;
  comment(uid: string): CommentRow | undefined;
  label(issueUid: string, label: string): LabelRow | undefined;
  link(fromUid: string, toUid: string, type: LinkType): LinkRow | undefined;
  /** The parent link of a child (child → parent). */
  parentLink(childUid: string): LinkRow | undefined;
  recurrence(uid: string): RecurrenceRow | undefined;
  /** The row of any other table whose rows one column identifies. */
  row<T extends LoadedTable>(table: T, key: string): Rows[T] | undefined;
  of<T extends ListedTable>(table: T, projectUid: string): readonly Rows[T][];
  issuesOf(projectUid: string): readonly IssueRow[];
  authored(projectUid: string, name: string): Authored;
}

/** Tables of whose rows an event may touch all of a project; issues have a list of their own. */
export type ListedTable = Exclude<ProjectTable, "issue"> | "import";

/** What in a project bears a name: issues by author or owner, their comments by author, links from them by author. */
export interface Authored {
  readonly issues: readonly IssueRow[];
  readonly comments: readonly CommentRow[];
  readonly links: readonly LinkRow[];
}

/** The rows an evolver needs, named before it runs, so that a database can load them. */
export interface Touches {
  readonly projects?: readonly string[];
  readonly issues?: readonly string[];
  readonly comments?: readonly string[];
  readonly labels?: readonly (readonly [issueUid: string, label: string])[];
  readonly links?: readonly (readonly [fromUid: string, toUid: string, type: LinkType])[];
  /** Children whose parent link is wanted. */
  readonly parentsOf?: readonly string[];
  /** Rows of other tables, by what identifies them. */
  readonly rows?: { readonly [T in LoadedTable]?: readonly string[] };
  /** Projects all of whose rows are wanted. */
  readonly of?: { readonly [T in ListedTable]?: readonly string[] };
  /** Projects all of whose issues are wanted. */
  readonly issuesOf?: readonly string[];
  readonly authored?: readonly (readonly [projectUid: string, name: string])[];
}

/** Tables whose rows one column identifies, those apart that are named above. */
export type LoadedTable = Exclude<OneKeyTable, "project" | "issue" | "comment">;
