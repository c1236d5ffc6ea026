import type { Budget } from "../base/budget.ts";
import type { Instant } from "../base/clock.ts";
import type { EventDraft, EventKind, StoredEvent } from "../contract/events.ts";
import type { SlotWrite } from "../domain/inbox/request.ts";
import type {
  AliasRow,
  CommentRow,
  CronDefinitionRow,
  CronJobRow,
  CronRunRow,
  IdempotencyRow,
  ImportRow,
  IssueRow,
  LabelRow,
  LeaseRow,
  LinkRow,
  LinkType,
  ProjectRow,
  RecurrenceRow,
  Touches,
} from "../domain/state.ts";
import type { Derived as DerivedOf, Key, Rows, UnfoldedTable } from "../domain/tables/tables.ts";
import type { Events, PastEvents } from "./event-types.ts";
import type { Selected } from "./schema.ts";

/** The number of rows that a merge of the project moves. */
export interface ProjectContents {
  readonly issues: number;
  readonly aliases: number;
  readonly events: number;
  readonly purge_logs: number;
}

export interface AuthoredCounts {
  readonly issue_authors: number;
  readonly issue_owners: number;
  readonly comment_authors: number;
  readonly link_authors: number;
}

/** A row with its local integer id, which is not part of the fold. */
export type WithId<T> = T & { readonly id: number };

/** The derived columns of an issue, by which lists filter and sort (docs/architecture.md, Readiness). */
export type Derived = DerivedOf<"issue">;

export type StoredIssue = WithId<IssueRow> &
  Derived & {
    readonly recurrence_id: number | null;
    readonly project_id: number;
    readonly project_name: string;
    /** When the project was archived, which also hides the issue. */
    readonly project_deleted_at: Instant | null;
  };
export type StoredProject = WithId<ProjectRow>;
export type StoredRecurrence = WithId<RecurrenceRow>;

/** Filters of issue lists (facts http-api 3.3). An absent field does not filter. */
export interface IssueFilter {
  readonly project_uid?: string;
  readonly status?: "open" | "closed";
  /** `null` selects issues without a priority. */
  readonly priority?: number | null;
  readonly max_priority?: number;
  readonly owner?: string;
  readonly unowned?: boolean;
  /** The issue must have all of these labels. */
  readonly labels?: readonly string[];
  /** The issue must have none of these labels. */
  readonly exclude_labels?: readonly string[];
  /** Each key must be present and, with `value`, equal to that string. */
  readonly meta?: readonly { readonly key: string; readonly value?: string }[];
  /** The issue must be one of these. */
  readonly uids?: readonly string[];
  /** Only what this actor may take: without an owner or with this one, and without a live lease at `now`. */
  readonly takeable?: { readonly by: string; readonly now: Instant };
  /** Only issues after this place in the list's order; ready lists use the order `recent`. */
  readonly after?: ListPlace;
  readonly limit?: number;
}

/** `recent`: last changed first. `created`: last created first. */
export type ListOrder = "recent" | "created";

/** The sort key of a list entry, from which the next page continues. */
export interface ListPlace {
  /** `updated_at` or `created_at`, depending on the list's order. */
  readonly at: Instant;
  readonly id: number;
}

export type IssuePeer = Pick<
  StoredIssue,
  "id" | "uid" | "short_id" | "project_name" | "deleted_at" | "project_deleted_at"
>;

/** The fields of a blocking or parent issue that explain why another one is not ready. */
export type IssueOutline = Pick<
  StoredIssue,
  | "uid"
  | "project_uid"
  | "short_id"
  | "title"
  | "status"
  | "owner"
  | "metadata"
  | "deleted_at"
  | "recurrence_uid"
  | "project_name"
  | "project_deleted_at"
>;

export interface Issues {
  find(uid: string): Promise<StoredIssue | undefined>;
  findByShortId(projectUid: string, shortId: string): Promise<StoredIssue | undefined>;
  /** Up to `limit` issues whose uid starts with the prefix (upper case). */
  byUidPrefix(prefix: string, limit: number): Promise<readonly StoredIssue[]>;
  many(uids: readonly string[]): Promise<ReadonlyMap<string, StoredIssue>>;
  outlines(uids: readonly string[]): Promise<ReadonlyMap<string, IssueOutline>>;
  /** The fields that a link shows of its other end, also when that issue is deleted. */
  peers(uids: readonly string[]): Promise<ReadonlyMap<string, IssuePeer>>;
  /** `recent` sorts by `updated_at`, `created` by `created_at`; both descending, then by id descending. */
  list(filter: IssueFilter, order: ListOrder): Promise<readonly StoredIssue[]>;
  ready(filter: IssueFilter, now: Instant, containers: boolean): Promise<readonly StoredIssue[]>;
  /** The size in bytes of the texts of each issue that `list` would return, computed without reading the texts. */
  sizes(filter: IssueFilter, order: ListOrder): Promise<readonly number[]>;
  readySizes(filter: IssueFilter, now: Instant, containers: boolean): Promise<readonly number[]>;
  /** The ready issue to take first among those without a live lease: highest priority, then last changed. */
  takeable(filter: TakeFilter, now: Instant): Promise<StoredIssue | undefined>;
  /** Live children, oldest first. */
  children(uid: string): Promise<readonly StoredIssue[]>;
  /** Whether a short id was ever used in the project, also by deleted, moved or purged issues, except by `except`. */
  shortIdTaken(projectUid: string, shortId: string, except?: string): Promise<boolean>;
  /** Those of the short ids that were ever used in one of the projects. */
  takenShortIds(
    projectUids: readonly string[],
    shortIds: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** Issues of the project, deleted ones too, whose short id is or was used in the other project. */
  sharedShortIds(
    projectUid: string,
    otherUid: string,
  ): Promise<readonly { readonly uid: string; readonly short_id: string }[]>;
  /** Whether the issue was in the project and moved out. */
  wasIn(projectUid: string, uid: string): Promise<boolean>;
  /** The issue that had this short id in the project before it moved out. */
  findByFormerId(projectUid: string, shortId: string): Promise<StoredIssue | undefined>;
}

export type LinkEnds = Pick<LinkRow, "from_uid" | "to_uid" | "type">;

export interface Links {
  find(fromUid: string, toUid: string, type: LinkType): Promise<WithId<LinkRow> | undefined>;
  get(id: number): Promise<WithId<LinkRow> | undefined>;
  parentOf(childUid: string): Promise<WithId<LinkRow> | undefined>;
  /** Every link with an end at one of the issues, by id. */
  touching(uids: readonly string[]): Promise<readonly WithId<LinkRow>[]>;
  /** As `touching`, but only ends and type, which the indexes contain, so that no row is read. */
  endsTouching(uids: readonly string[]): Promise<readonly LinkEnds[]>;
  /** Whether the issues have more than `count` links, counting no further. A link between two counts twice. */
  touchMoreThan(uids: readonly string[], count: number): Promise<boolean>;
  /**
   * The links that may keep the issues from being ready, ordered by id. These are the links with open blockers, with
   * parents and, for the issues in `childrenOf`, with open children.
   */
  inTheWay(uids: readonly string[], childrenOf: readonly string[]): Promise<readonly LinkEnds[]>;
  /** Ancestors by parent links, nearest first; stops at a cycle. */
  ancestors(uid: string): Promise<readonly string[]>;
  /** Every pair of an open live issue and an open live issue that it blocks, in all projects. */
  openBlocks(): Promise<readonly OpenBlock[]>;
}

export interface OpenBlock {
  readonly from_uid: string;
  readonly from_project_uid: string;
  readonly to_uid: string;
  readonly to_project_uid: string;
}

export interface Labels {
  of(issueUid: string): Promise<readonly LabelRow[]>;
  many(issueUids: readonly string[]): Promise<ReadonlyMap<string, readonly LabelRow[]>>;
  /** The number of live issues per label, by label name. */
  counts(
    projectUid: string,
  ): Promise<readonly { readonly label: string; readonly count: number }[]>;
}

export interface Comments {
  find(issueUid: string, uid: string): Promise<WithId<CommentRow> | undefined>;
  of(issueUid: string): Promise<readonly WithId<CommentRow>[]>;
}

export interface Projects {
  /** In id order. */
  list(archived: boolean): Promise<readonly StoredProject[]>;
  find(uid: string): Promise<StoredProject | undefined>;
  findById(id: number): Promise<StoredProject | undefined>;
  findByName(name: string): Promise<StoredProject | undefined>;
  aliases(projectUid: string): Promise<readonly WithId<AliasRow>[]>;
  findByAlias(identity: string): Promise<StoredProject | undefined>;
  contents(uid: string): Promise<ProjectContents>;
  /** How often the actor's name occurs in the project's issues, comments and links, as in `State.authored`. */
  authored(uid: string, name: string): Promise<AuthoredCounts>;
  /** Whether the project has more than `count` issues (deleted ones too) or events, counting no further. */
  holdsMoreThan(uid: string, count: number): Promise<boolean>;
  stats(
    uids: readonly string[],
  ): Promise<
    ReadonlyMap<
      string,
      { readonly open: number; readonly closed: number; readonly last_event_at: Instant | null }
    >
  >;
}

export interface SearchHit {
  readonly issue: StoredIssue;
  readonly score: number;
  readonly matched_in: readonly ("title" | "body" | "comments")[];
}

export interface SearchQuery {
  readonly project_uid: string;
  readonly text: string;
  readonly limit: number;
  readonly include_deleted: boolean;
  readonly labels: readonly string[];
  readonly exclude_labels: readonly string[];
}

export interface Search {
  lexical(query: SearchQuery): Promise<readonly SearchHit[]>;
  /**
   * Live issues of the project whose title shares words with the given text, best match first, for the look-alike
   * check. Includes uncommitted writes of its transaction.
   */
  similar(
    projectUid: string,
    text: { readonly title: string; readonly body: string },
    limit: number,
  ): Promise<readonly StoredIssue[]>;
}

export interface Leases {
  /** The latest lease of the issue, expired and released ones included. */
  of(issueUid: string): Promise<WithId<LeaseRow> | undefined>;
  /** Leases of these issues that nobody released, expired ones included, by issue. */
  unreleased(issueUids: readonly string[]): Promise<ReadonlyMap<string, WithId<LeaseRow>>>;
  /** Leases that expired by `now` and are not released yet, earliest expiry first. */
  expired(now: Instant, limit: number): Promise<readonly WithId<LeaseRow>[]>;
  /** Live timed leases that began or were renewed after `now`; they exist when the clock was set back. */
  ahead(now: Instant, limit: number): Promise<readonly WithId<LeaseRow>[]>;
  /** When the next timed lease expires. */
  nextExpiry(): Promise<Instant | undefined>;
}

/** An issue as the list of current work shows it. */
export interface HeldIssue {
  readonly uid: string;
  readonly short_id: string;
  readonly title: string;
  readonly status: IssueRow["status"];
  readonly owner: string | null;
  readonly project_id: number;
  readonly project_name: string;
}

/** Who works on what; without a project, in all projects. */
export interface Holders {
  /** Issues with an unreleased lease, oldest lease first. */
  leased(projectUid: string | undefined, limit: number): Promise<readonly (HeldIssue & LeaseRow)[]>;
  /** All owners of open issues. */
  owners(projectUid: string | undefined): Promise<readonly string[]>;
  /** Open issues of these owners, by owner. */
  owned(
    owners: readonly string[],
    projectUid: string | undefined,
    limit: number,
  ): Promise<readonly HeldIssue[]>;
  /** The latest event of each actor. */
  lastEvents(
    actors: readonly string[],
  ): Promise<
    readonly Pick<Selected<"event">, "id" | "actor" | "type" | "created_at" | "issue_uid">[]
  >;
  /** Whether an event after this one set or cleared the issue's owner. */
  hasNewOwner(issueUid: string, afterEventId: number): Promise<boolean>;
  /** When each issue got its current owner; its creation time when it has none. */
  ownedSince(
    issueUids: readonly string[],
  ): Promise<readonly { readonly issue_uid: string | null; readonly since: Instant }[]>;
}

/** An issue with a metadata key, and the text stored under it. */
export interface InboxPlace {
  readonly issue_uid: string;
  readonly value: string;
  /** Whether the issue is open, live and in an active project. */
  readonly open: boolean;
}

/** The queries by which the inbox finds attention requests in the metadata of issues. */
export interface Inbox {
  /** For each issue, its latest event whose payload names the metadata key. */
  lastNaming(issueUids: readonly string[], key: string): Promise<readonly SlotWrite[]>;
  /** Every event of the issue whose payload names the metadata key, latest first. */
  naming(issueUid: string, key: string): Promise<readonly SlotWrite[]>;
  /** Issues whose text under the key is at most `until`, by text, then uid. */
  dated(
    key: string,
    until: string,
    after: Pick<InboxPlace, "issue_uid" | "value">,
    limit: number,
  ): Promise<readonly InboxPlace[]>;
  /** The first metadata key with this prefix that comes after `after`. */
  nextKey(prefix: string, after?: string): Promise<string | undefined>;
  /** Issues with an object under the key, by uid. */
  holding(key: string, afterUid: string, limit: number): Promise<readonly InboxPlace[]>;
  /** The issue of each event after the id; `null` for an event that is about no single issue. */
  touchedAfter(
    id: number,
    limit: number,
  ): Promise<readonly { readonly id: number; readonly issue_uid: string | null }[]>;
}

/** Jobs and workflows, tombstones included; lists are sorted by name, then uid. */
export interface Cron {
  job(uid: string): Promise<WithId<CronJobRow> | undefined>;
  workflow(uid: string): Promise<WithId<CronDefinitionRow> | undefined>;
  jobs(projectUid: string): Promise<readonly WithId<CronJobRow>[]>;
  workflows(projectUid: string): Promise<readonly WithId<CronDefinitionRow>[]>;
  /** Live native recurring jobs of active projects, by project and uid. */
  nativeJobs(): Promise<readonly WithId<CronJobRow>[]>;
  /** The native recurring jobs with this parent, deleted ones too. */
  nativeJobsOf(parentUid: string): Promise<readonly WithId<CronJobRow>[]>;
  /** Every event of the job, by id. */
  definitionEvents(
    uid: string,
  ): Promise<readonly StoredEvent<Extract<EventKind, `cron.job.${string}`>>[]>;
  /** Events that closed, reopened, deleted or restored the issue, or archived or restored its project. */
  lifeEvents(
    issueUid: string,
    projectUid: string,
  ): Promise<readonly Pick<StoredEvent, "type" | "created_at">[]>;
  /** Metadata changes of the issue before an event, latest first. */
  metadataEvents(
    issueUid: string,
    beforeId: number,
    limit: number,
  ): Promise<readonly StoredEvent<"issue.metadata_updated">[]>;
}

type LastKeyOf = Pick<RecurrenceRow, "uid" | "next_occurrence_key">;

export interface Recurrences {
  /** Finds deleted series too. */
  find(uid: string): Promise<StoredRecurrence | undefined>;
  /** The project's series that are not deleted, newest first. */
  list(projectUid: string): Promise<readonly StoredRecurrence[]>;
  /**
   * The last day for which the series has an issue. A deleted issue counts unless the next day of the series is that
   * issue's day or an earlier one: then the issue's creation was undone.
   */
  lastKey(series: LastKeyOf): Promise<string | undefined>;
  /** The issue of the series for this day, also when deleted. */
  occurrence(uid: string, key: string): Promise<StoredIssue | undefined>;
}

export type StoredRun = WithId<CronRunRow>;

export interface RunSums {
  readonly runs: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly duration_ms: number;
}

export type RunGrouping = "issue" | "parent" | "job" | "actor" | "day";

export type RunGroup = RunSums & { readonly key: string | null };

export interface RunPage {
  readonly job_uid?: string | undefined;
  /** The last run of the previous page. */
  readonly before?: StoredRun | undefined;
  readonly limit: number;
}

export interface Runs {
  find(uid: string): Promise<StoredRun | undefined>;
  /** By creation time and uid, newest first. */
  list(projectUid: string, page: RunPage): Promise<readonly StoredRun[]>;
  /** Both days are included. */
  report(
    projectUid: string,
    by: RunGrouping,
    days: { readonly since?: string | undefined; readonly until?: string | undefined },
  ): Promise<readonly RunGroup[]>;
}

/** Which ready issue to take: list filters, and who may own it. */
export interface TakeFilter extends Pick<IssueFilter, "project_uid" | "labels" | "exclude_labels"> {
  readonly containers: boolean;
  /** Allows issues of this owner in addition to issues without an owner. */
  readonly owner?: string;
}

/** Reads rows outside the fold, of tables whose description has `writable`. */
export interface UnfoldedRows {
  find<T extends UnfoldedTable>(table: T, key: Key<T>): Promise<Rows[T] | undefined>;
  /** Rows by key, after the key `after`. */
  list<T extends UnfoldedTable>(
    table: T,
    limit: number,
    after?: Key<T>,
  ): Promise<readonly Rows[T][]>;
}

/** Writes rows without an event. An export contains them only if their table has its own record kind. */
export interface UnfoldedWrites extends UnfoldedRows {
  /** Inserts the row or replaces the one with the same key. */
  put<T extends UnfoldedTable>(table: T, row: Rows[T]): Promise<void>;
  /** Does nothing when there is no such row. */
  remove<T extends UnfoldedTable>(table: T, key: Key<T>): Promise<void>;
}

/** Rows by which a repeated request or import is recognised. */
export interface Marks {
  findIdempotency(
    scopeUid: string,
    operation: IdempotencyRow["operation"],
    key: string,
  ): Promise<IdempotencyRow | undefined>;
  /** The latest take with this key, whichever issue was taken. */
  findTake(key: string): Promise<IdempotencyRow | undefined>;
  /** The stored rows of these keys; unused keys are missing from the result. */
  idempotencyKeys(
    operation: IdempotencyRow["operation"],
    keys: readonly Pick<IdempotencyRow, "scope_uid" | "key">[],
  ): Promise<readonly IdempotencyRow[]>;
  /** The names of the sources from which the project has imports, sorted. */
  importSources(projectUid: string): Promise<readonly string[]>;
  /** Records that were imported into both projects. */
  sharedImports(
    projectUid: string,
    otherUid: string,
  ): Promise<readonly { readonly source: string; readonly external_id: string }[]>;
  findImport(
    projectUid: string,
    source: string,
    externalId: string,
  ): Promise<ImportRow | undefined>;
  /** The issue uids of these imported records, by external id. */
  findImports(
    projectUid: string,
    source: string,
    externalIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
}

/** The readers of one coherent state of the database. */
export interface Reader {
  readonly unfolded: UnfoldedRows;
  readonly projects: Projects;
  readonly issues: Issues;
  readonly links: Links;
  readonly labels: Labels;
  readonly comments: Comments;
  readonly leases: Leases;
  readonly holders: Holders;
  readonly recurrences: Recurrences;
  readonly cron: Cron;
  readonly runs: Runs;
  readonly inbox: Inbox;
  readonly events: Events;
  readonly past: PastEvents;
  readonly search: Search;
  readonly marks: Marks;
}

/** A write in progress. Inside `write`, await only calls on this object: any other wait blocks every writer. */
export interface Tx extends Reader {
  /** The time of this write, which its events get as `created_at`. */
  readonly now: Instant;
  /** Loads what later events will touch, with one statement per kind of row instead of several per event. */
  preload(touches: Touches): Promise<void>;
  /** Loads links, children and labels of issues of which many are about to be deleted, closed or moved. */
  preloadAttached(issueUids: readonly string[]): Promise<void>;
  /** The latest lease of the issue, expired and released ones included. */
  lease(issueUid: string): Promise<LeaseRow | undefined>;
  readonly unfolded: UnfoldedWrites;
  /** The only way to change folded rows: writes the event and folds it. */
  append<K extends EventKind>(draft: EventDraft<K>): Promise<StoredEvent<K>>;
  /** A faster `append` for many new issues without links. */
  appendNewIssues(drafts: readonly EventDraft<"issue.created">[]): Promise<void>;
  /** The time by which leases expire: on PostgreSQL the server's, since the daemons' clocks may differ. */
  leaseNow(): Promise<Instant>;
  /** Whether the term is still valid. If so, no other daemon can begin a term before this write ends. */
  holdsTerm(term: Term): Promise<boolean>;
  /**
   * Permanently deletes the issue's events and rows. Reserves an event id at which readers reset (facts http-api 5.3)
   * and stores a purge record.
   */
  purgeIssue(issue: StoredIssue, by: PurgeBy): Promise<PurgeLogRow>;
  /** Purges a project. It must be archived, so that issues of other projects already ignore its issues. */
  purgeProject(project: StoredProject, by: PurgeBy): Promise<ProjectPurgeLogRow>;
}

/** Checks inside a write's transaction, whatever the write does. A check that throws refuses the whole write. */
export interface WriteGuard {
  /** Before the write begins. */
  begin?(tx: Tx): Promise<void>;
  /** Before each event is written. */
  append?(tx: Tx, draft: EventDraft): Promise<void>;
  /** Before an issue is purged. */
  purgeIssue?(tx: Tx, issue: StoredIssue, by: PurgeBy): Promise<void>;
  /** After a write that wrote no event, purged nothing and found no used idempotency key. */
  unchanged?(tx: Tx): Promise<void>;
}

/** This daemon's right to run an engine, which only one daemon on the database has at a time. */
export interface Term {
  readonly name: string;
  readonly number: number;
}

/** Which daemon runs an engine, as this daemon last read it. */
export interface Election {
  readonly name: string;
  /** Host name, process id and random mark of the daemon; empty when no daemon has the term. */
  readonly holder: string;
  /** Whether the holder is this daemon. */
  readonly here: boolean;
  readonly term: number;
  readonly since: Instant;
  readonly until: Instant;
  /** The daemon that lost the previous term without releasing it: it hung, was killed or lost the database. */
  readonly taken_from: string | null;
}

export interface PurgeBy {
  readonly actor: string;
  readonly reason: string | null;
}

export type PurgeLogRow = Selected<"purge_log">;
export type ProjectPurgeLogRow = Selected<"project_purge_log">;

/**
 * `erased`: no file contains purged text. `held`: a reader still needs the write-ahead log; the next erasure finishes.
 * `unsupported`: the database cannot erase (PostgreSQL).
 */
export type Erased = "erased" | "held" | "unsupported";

export interface Store {
  readonly dialect: "sqlite" | "postgres";
  /** ULID of this database's instance. */
  readonly instanceUid: string;
  readonly schemaVersion: number;
  write<T>(work: (tx: Tx) => Promise<T>, guard?: WriteGuard): Promise<T>;
  /** Reads one snapshot. Throws `NeedsWorker` when the read exceeds its budget. */
  read<T>(work: (reader: Reader) => Promise<T>, budget?: Budget): Promise<T>;
  /**
   * Calls the listener with the last visible event id after each commit, also of another daemon on the same PostgreSQL
   * database. Returns the function that unsubscribes.
   */
  onCommit(listener: (lastEventId: number) => void): () => void;
  /** The time by which leases expire, as in a write. */
  leaseNow(): Promise<Instant>;
  /**
   * This daemon's term for the named engine, or undefined when another daemon has it. An engine asks before each sweep
   * and writes only under that term (`ops/term.ts`). On PostgreSQL a daemon loses its term ten seconds after its last
   * renewal; on SQLite the daemon always has the term.
   */
  elect(name: string): Promise<Term | undefined>;
  /** Empty on SQLite. */
  elections(): readonly Election[];
  /** Removes purged text from the database files and returns how far it got. Other writes run between its steps. */
  erase(): Promise<Erased>;
  /** Whether the database answers a query within one second. */
  answers(): Promise<boolean>;
  close(): Promise<void>;
}
