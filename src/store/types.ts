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

/** How much a merge of the project moves. */
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

/** A row with its local integer id, which the fold does not know. */
export type WithId<T> = T & { readonly id: number };

/** What the projection keeps on an issue beside its fold, for lists to filter and sort by (docs/architecture.md, Readiness). */
export type Derived = DerivedOf<"issue">;

export type StoredIssue = WithId<IssueRow> &
  Derived & {
    readonly recurrence_id: number | null;
    readonly project_id: number;
    readonly project_name: string;
    /** When its project was archived: the issue is hidden with it. */
    readonly project_deleted_at: Instant | null;
  };
export type StoredProject = WithId<ProjectRow>;
export type StoredRecurrence = WithId<RecurrenceRow>;

/** Filters of the issue lists (facts http-api 3.3). Absent means "not filtered". */
export interface IssueFilter {
  readonly project_uid?: string;
  readonly status?: "open" | "closed";
  /** `null`: those without one. */
  readonly priority?: number | null;
  readonly max_priority?: number;
  readonly owner?: string;
  readonly unowned?: boolean;
  /** All of them. */
  readonly labels?: readonly string[];
  /** None of them. */
  readonly exclude_labels?: readonly string[];
  /** Key present, or string equality. All of them. */
  readonly meta?: readonly { readonly key: string; readonly value?: string }[];
  /** One of these. */
  readonly uids?: readonly string[];
  /** Behind this place of the list's order; of ready lists, that of `recent`. */
  readonly after?: ListPlace;
  readonly limit?: number;
}

/** The last changed first, or the last created. */
export type ListOrder = "recent" | "created";

/** What a list is sorted by, of the issue that stood there. */
export interface ListPlace {
  /** Of the change, or of the creation. */
  readonly at: Instant;
  readonly id: number;
}

export type IssuePeer = Pick<
  StoredIssue,
  "id" | "uid" | "short_id" | "project_name" | "deleted_at" | "project_deleted_at"
>;

/** What is told of an issue that stands in the way of others. */
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
  /** Up to `limit` issues whose uid starts with the upper-case prefix. */
  byUidPrefix(prefix: string, limit: number): Promise<readonly StoredIssue[]>;
  many(uids: readonly string[]): Promise<ReadonlyMap<string, StoredIssue>>;
  outlines(uids: readonly string[]): Promise<ReadonlyMap<string, IssueOutline>>;
  /** What a link shows of its other end, hidden ones included. */
  peers(uids: readonly string[]): Promise<ReadonlyMap<string, IssuePeer>>;
  /** `recent`: updated_at, id descending (project lists); `created`: created_at, id descending (across projects). */
  list(filter: IssueFilter, order: ListOrder): Promise<readonly StoredIssue[]>;
  ready(filter: IssueFilter, now: Instant, containers: boolean): Promise<readonly StoredIssue[]>;
  /** How many bytes the texts of each issue of that list have; none of them is read. */
  sizes(filter: IssueFilter, order: ListOrder): Promise<readonly number[]>;
  readySizes(filter: IssueFilter, now: Instant, containers: boolean): Promise<readonly number[]>;
  /** The ready issue to take first that is under no live lease: highest priority, then the one that changed last. */
  takeable(filter: TakeFilter, now: Instant): Promise<StoredIssue | undefined>;
  /** Live children, oldest first. */
  children(uid: string): Promise<readonly StoredIssue[]>;
  /** Whether a short id was ever given in the project (deleted, moved and purged ones too); `except` may have its own. */
  shortIdTaken(projectUid: string, shortId: string, except?: string): Promise<boolean>;
  /** Which of the short ids were ever given in one of the projects. */
  takenShortIds(
    projectUids: readonly string[],
    shortIds: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** Short ids of the project's issues, deleted ones too, that also the other project has or had. */
  sharedShortIds(
    projectUid: string,
    otherUid: string,
  ): Promise<readonly { readonly uid: string; readonly short_id: string }[]>;
  /** Whether the issue was in the project and moved out. */
  wasIn(projectUid: string, uid: string): Promise<boolean>;
  /** The issue that had the short id in the project until it moved out. */
  findByFormerId(projectUid: string, shortId: string): Promise<StoredIssue | undefined>;
}

export type LinkEnds = Pick<LinkRow, "from_uid" | "to_uid" | "type">;

export interface Links {
  find(fromUid: string, toUid: string, type: LinkType): Promise<WithId<LinkRow> | undefined>;
  get(id: number): Promise<WithId<LinkRow> | undefined>;
  parentOf(childUid: string): Promise<WithId<LinkRow> | undefined>;
  /** Every link that touches one of the issues, by id. */
  touching(uids: readonly string[]): Promise<readonly WithId<LinkRow>[]>;
  /** The same links, of each only its ends and its type: the indexes have these, and no row is read. */
  endsTouching(uids: readonly string[]): Promise<readonly LinkEnds[]>;
  /** Whether the issues have more links than that, counted no further; one between two of them counts twice. */
  touchMoreThan(uids: readonly string[], count: number): Promise<boolean>;
  /**
   * The links that may keep the issues from being ready: to their open blockers, to their parents and, for
   * `childrenOf`, to open children; by id.
   */
  inTheWay(uids: readonly string[], childrenOf: readonly string[]): Promise<readonly LinkEnds[]>;
  /** Ancestors by parent links, nearest first; stops at a repeated one. */
  ancestors(uid: string): Promise<readonly string[]>;
  /** Every pair of an open live issue and one that it blocks, across projects. */
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
  /** Labels of live issues with how many carry each, by name. */
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
  /** How often the name stands in the project's issues, comments and links, as `State.authored` finds them. */
  authored(uid: string, name: string): Promise<AuthoredCounts>;
  /** Whether it has more issues, or more events in its feed, deleted ones too: counted no further than that. */
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
  /** Live issues of the project whose title shares words with the given one, best first, for the look-alike check. Sees the writes of its own transaction. */
  similar(
    projectUid: string,
    text: { readonly title: string; readonly body: string },
    limit: number,
  ): Promise<readonly StoredIssue[]>;
}

export interface Leases {
  /** The last lease of the issue, over or not. */
  of(issueUid: string): Promise<WithId<LeaseRow> | undefined>;
  /** Leases of these issues that nobody ended, by issue. */
  unreleased(issueUids: readonly string[]): Promise<ReadonlyMap<string, WithId<LeaseRow>>>;
  /** Leases that ran out by `now` and were not cleared away, those that ran out first before others. */
  expired(now: Instant, limit: number): Promise<readonly WithId<LeaseRow>[]>;
  /** Live timed leases that were given or renewed after `now`, which happens where the clock was set back since. */
  ahead(now: Instant, limit: number): Promise<readonly WithId<LeaseRow>[]>;
  /** When the next timed lease runs out. */
  nextExpiry(): Promise<Instant | undefined>;
}

/** An issue as a list of who works on what tells it. */
export interface HeldIssue {
  readonly uid: string;
  readonly short_id: string;
  readonly title: string;
  readonly status: IssueRow["status"];
  readonly owner: string | null;
  readonly project_id: number;
  readonly project_name: string;
}

/** Who works on what. Without a project it is asked of all. */
export interface Holders {
  /** Issues under a lease that nobody ended, the oldest lease first. */
  leased(projectUid: string | undefined, limit: number): Promise<readonly (HeldIssue & LeaseRow)[]>;
  /** Everybody who owns an open issue. */
  owners(projectUid: string | undefined): Promise<readonly string[]>;
  /** Open issues of these owners, owner after owner. */
  owned(
    owners: readonly string[],
    projectUid: string | undefined,
    limit: number,
  ): Promise<readonly HeldIssue[]>;
  /** What each of the actors did last. */
  lastEvents(
    actors: readonly string[],
  ): Promise<
    readonly Pick<Selected<"event">, "id" | "actor" | "type" | "created_at" | "issue_uid">[]
  >;
  /** Whether an event after this one gave the issue an owner or none. */
  hasNewOwner(issueUid: string, afterEventId: number): Promise<boolean>;
  /** When each of the issues got the owner that it has, or was made when it has none. */
  ownedSince(
    issueUids: readonly string[],
  ): Promise<readonly { readonly issue_uid: string | null; readonly since: Instant }[]>;
}

/** An issue that has a metadata key, and the text under it. */
export interface InboxPlace {
  readonly issue_uid: string;
  readonly value: string;
  /** Open and live in an active project. */
  readonly open: boolean;
}

/** What the inbox asks beside issues' metadata, which holds the requests. */
export interface Inbox {
  /** The last event of each of the issues whose payload names the metadata key. */
  lastNaming(issueUids: readonly string[], key: string): Promise<readonly SlotWrite[]>;
  /** Every event of the issue whose payload names the metadata key, the last one first. */
  naming(issueUid: string, key: string): Promise<readonly SlotWrite[]>;
  /** Issues with a text up to `until` under the key, in the order of the texts, then of their uids. */
  dated(
    key: string,
    until: string,
    after: Pick<InboxPlace, "issue_uid" | "value">,
    limit: number,
  ): Promise<readonly InboxPlace[]>;
  /** The first metadata key that begins so, behind the one that was read last. */
  nextKey(prefix: string, after?: string): Promise<string | undefined>;
  /** Issues with an object under the key, in the order of their uids. */
  holding(key: string, afterUid: string, limit: number): Promise<readonly InboxPlace[]>;
  /** Which issues the events after the id are about; `null` where one is about something larger. */
  touchedAfter(
    id: number,
    limit: number,
  ): Promise<readonly { readonly id: number; readonly issue_uid: string | null }[]>;
}

/** Jobs and workflows, tombstones included; lists by name, then uid. */
export interface Cron {
  job(uid: string): Promise<WithId<CronJobRow> | undefined>;
  workflow(uid: string): Promise<WithId<CronDefinitionRow> | undefined>;
  jobs(projectUid: string): Promise<readonly WithId<CronJobRow>[]>;
  workflows(projectUid: string): Promise<readonly WithId<CronDefinitionRow>[]>;
  /** Live native recurring jobs of active projects, by project and uid. */
  nativeJobs(): Promise<readonly WithId<CronJobRow>[]>;
  /** The native recurring jobs of a parent, deleted ones too. */
  nativeJobsOf(parentUid: string): Promise<readonly WithId<CronJobRow>[]>;
  /** Every event of the job, in order. */
  definitionEvents(
    uid: string,
  ): Promise<readonly StoredEvent<Extract<EventKind, `cron.job.${string}`>>[]>;
  /** When the issue was closed, reopened, deleted and restored, and its project archived and restored. */
  lifeEvents(
    issueUid: string,
    projectUid: string,
  ): Promise<readonly Pick<StoredEvent, "type" | "created_at">[]>;
  /** Changes of the issue's metadata before an event, the newest first. */
  metadataEvents(
    issueUid: string,
    beforeId: number,
    limit: number,
  ): Promise<readonly StoredEvent<"issue.metadata_updated">[]>;
}

type LastKeyOf = Pick<RecurrenceRow, "uid" | "next_occurrence_key">;

export interface Recurrences {
  /** Deleted ones too. */
  find(uid: string): Promise<StoredRecurrence | undefined>;
  /** Those of a project that are not deleted, newest first. */
  list(projectUid: string): Promise<readonly StoredRecurrence[]>;
  /**
   * The last day for which the series has an issue. A deleted one counts, unless the series waits at its day or before
   * it: then the issue was taken back.
   */
  lastKey(series: LastKeyOf): Promise<string | undefined>;
  /** The issue that a series has for the day, deleted or not. */
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
  /** The last run that was seen. */
  readonly before?: StoredRun | undefined;
  readonly limit: number;
}

export interface Runs {
  find(uid: string): Promise<StoredRun | undefined>;
  /** By time of creation and uid, the newest first. */
  list(projectUid: string, page: RunPage): Promise<readonly StoredRun[]>;
  /** Days are included. */
  report(
    projectUid: string,
    by: RunGrouping,
    days: { readonly since?: string | undefined; readonly until?: string | undefined },
  ): Promise<readonly RunGroup[]>;
}

/** Which ready issue is to be taken: filters as for lists, and who may own it. */
export interface TakeFilter extends Pick<IssueFilter, "project_uid" | "labels" | "exclude_labels"> {
  readonly containers: boolean;
  /** Besides issues that nobody owns, also those of this owner. */
  readonly owner?: string;
}

/** Rows that are not folded from the log, of any table whose description says `writable`. */
export interface UnfoldedRows {
  find<T extends UnfoldedTable>(table: T, key: Key<T>): Promise<Rows[T] | undefined>;
  /** In the order of their keys, behind the row that was read last. */
  list<T extends UnfoldedTable>(
    table: T,
    limit: number,
    after?: Key<T>,
  ): Promise<readonly Rows[T][]>;
}

/** The second door of a write, beside `append`. What goes through it is in no event, and in no export but by a record of its own. */
export interface UnfoldedWrites extends UnfoldedRows {
  /** In the place of the row with the same key. */
  put<T extends UnfoldedTable>(table: T, row: Rows[T]): Promise<void>;
  /** Nothing happens where there is none. */
  remove<T extends UnfoldedTable>(table: T, key: Key<T>): Promise<void>;
}

/** What lets a repeated request or import be recognised. */
export interface Marks {
  findIdempotency(
    scopeUid: string,
    operation: IdempotencyRow["operation"],
    key: string,
  ): Promise<IdempotencyRow | undefined>;
  /** The last take under the key, whichever issue it took. */
  findTake(key: string): Promise<IdempotencyRow | undefined>;
  /** The stored rows of the given keys; a key that was never used has none. */
  idempotencyKeys(
    operation: IdempotencyRow["operation"],
    keys: readonly Pick<IdempotencyRow, "scope_uid" | "key">[],
  ): Promise<readonly IdempotencyRow[]>;
  /** The sources that the project has imports of, by name. */
  importSources(projectUid: string): Promise<readonly string[]>;
  /** Imported records that both projects have. */
  sharedImports(
    projectUid: string,
    otherUid: string,
  ): Promise<readonly { readonly source: string; readonly external_id: string }[]>;
  findImport(
    projectUid: string,
    source: string,
    externalId: string,
  ): Promise<ImportRow | undefined>;
  /** The uids of the issues that these records became, by external id. */
  findImports(
    projectUid: string,
    source: string,
    externalIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
}

/** One coherent state of the database. */
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

/** A write in progress. Await nothing but this inside a write. */
export interface Tx extends Reader {
  /** The instant of this write: `created_at` of its events. */
  readonly now: Instant;
  /** Loads what coming events touch: one statement for each kind of row instead of several for each event. */
  preload(touches: Touches): Promise<void>;
  /** Loads what hangs on issues of which many are about to be deleted, closed or moved. */
  preloadAttached(issueUids: readonly string[]): Promise<void>;
  /** The last lease of the issue, over or not: as it is loaded, or looked up. */
  lease(issueUid: string): Promise<LeaseRow | undefined>;
  readonly unfolded: UnfoldedWrites;
  /** The one door to folded rows: writes the event and folds it into them. */
  append<K extends EventKind>(draft: EventDraft<K>): Promise<StoredEvent<K>>;
  /** The same for many issues that are new and have no links, in less time. */
  appendNewIssues(drafts: readonly EventDraft<"issue.created">[]): Promise<void>;
  /** The instant by which leases run: on a shared PostgreSQL the server's, since the daemons' clocks may differ. */
  leaseNow(): Promise<Instant>;
  /** Whether the term lasts; if so nobody begins the next one before this write has ended. */
  holdsTerm(term: Term): Promise<boolean>;
  /**
   * Takes the subject out of the log and the tables, for ever: its events and rows go, an event id is reserved for
   * the readers' reset (facts http-api 5.3) and the record of it is kept.
   */
  purgeIssue(issue: StoredIssue, by: PurgeBy): Promise<PurgeLogRow>;
  /** The project must be archived: what else depends on it counts it as gone already. */
  purgeProject(project: StoredProject, by: PurgeBy): Promise<ProjectPurgeLogRow>;
}

/**
 * Checks that a write is held to, made inside its transaction. They know nothing of the work; one that throws refuses
 * the write, and nothing of it stays.
 */
export interface WriteGuard {
  /** Before the work begins. */
  begin?(tx: Tx): Promise<void>;
  /** Before each event is written. */
  append?(tx: Tx, draft: EventDraft): Promise<void>;
  /** Before an issue is purged. */
  purgeIssue?(tx: Tx, issue: StoredIssue, by: PurgeBy): Promise<void>;
  /** After work that wrote no event, purged nothing and found no idempotency key that was used before. */
  unchanged?(tx: Tx): Promise<void>;
}

/** The right of this daemon to do a work that one of those on the database does for all. */
export interface Term {
  readonly name: string;
  readonly number: number;
}

/** Which daemon does a work, as this one last saw it. */
export interface Election {
  readonly name: string;
  /** Host, process and a random mark of the daemon; empty when the work is nobody's. */
  readonly holder: string;
  /** Whether that is this daemon. */
  readonly here: boolean;
  readonly term: number;
  readonly since: Instant;
  readonly until: Instant;
  /** The daemon whose term ran out before: it hangs, was killed or lost the database. */
  readonly taken_from: string | null;
}

export interface PurgeBy {
  readonly actor: string;
  readonly reason: string | null;
}

export type PurgeLogRow = Selected<"purge_log">;
export type ProjectPurgeLogRow = Selected<"project_purge_log">;

/**
 * `erased`: no file holds anything that was purged. `held`: a reader needs the write-ahead log, the rest is done
 * later. `unsupported`: the database has no way to do it (PostgreSQL).
 */
export type Erased = "erased" | "held" | "unsupported";

export interface Store {
  readonly dialect: "sqlite" | "postgres";
  /** ULID of this database's instance. */
  readonly instanceUid: string;
  readonly schemaVersion: number;
  write<T>(work: (tx: Tx) => Promise<T>, guard?: WriteGuard): Promise<T>;
  /** One snapshot. Where it has a budget it throws `NeedsWorker` when that is used up. */
  read<T>(work: (reader: Reader) => Promise<T>, budget?: Budget): Promise<T>;
  /** Called after each commit (also of another daemon on the same PostgreSQL database) with the last visible event id. Returns the unsubscribe. */
  onCommit(listener: (lastEventId: number) => void): () => void;
  /** The instant by which leases run, as in a write. */
  leaseNow(): Promise<Instant>;
  /**
   * The term of this daemon for the named work, if it is the one that does it; asked anew before each pass of an
   * engine, which writes under that term alone (`ops/term.ts`). Of the daemons on one PostgreSQL database one has it,
   * and loses it ten seconds after it was last able to renew it; on SQLite it is always this one.
   */
  elect(name: string): Promise<Term | undefined>;
  /** Empty on SQLite. */
  elections(): readonly Election[];
  /**
   * Makes the files of the database lose what was purged, and answers how far that came. Other writes are done
   * between its steps.
   */
  erase(): Promise<Erased>;
  /** Whether the database can be used at this moment; one that has not said so within a second cannot. */
  answers(): Promise<boolean>;
  close(): Promise<void>;
}
