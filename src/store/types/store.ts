import type { Budget } from "../../base/budget.ts";
import type { Instant } from "../../base/clock.ts";
import type { JsonObject } from "../../base/json.ts";
import type { EventDraft, EventKind, StoredEvent } from "../../contract/events.ts";
import type { Snapshot } from "../../domain/federation/baseline.ts";
import type { IdempotencyRow, ImportRow, LeaseRow, Touches } from "../../domain/state.ts";
import type { Key, Rows, UnfoldedTable } from "../../domain/tables/tables.ts";
import type { Selected } from "../schema.ts";
import type { AdoptionWrites } from "./adoption.ts";
import type { Baselines } from "./baselines.ts";
import type { BridgeClaim, Bridges, StoredBridge } from "./bridges.ts";
import type { Contents } from "./contents.ts";
import type { Election, Term } from "./elections.ts";
import type { Events, Folds, PastEvents } from "./events.ts";
import type { Federation } from "./federation.ts";
import type { Imports } from "./imports.ts";
import type { Comments, Issues, Labels, Links, Search } from "./issues.ts";
import type { Projects } from "./projects.ts";
import type { StoredIssue, StoredProject } from "./rows.ts";
import type { Cron, Recurrences, Runs } from "./schedules.ts";
import type { Tokens } from "./tokens.ts";
import type { Holders, Inbox, Leases } from "./work.ts";

/** Which requests the database answers within a second. `reads`: it answers reads, but no writes. */
export type Answering = "all" | "reads" | "nothing";

/** Reads rows that are not folded from the log, of tables whose description (`domain/tables`) says `writable`. */
export interface UnfoldedRows {
  find<T extends UnfoldedTable>(table: T, key: Key<T>): Promise<Rows[T] | undefined>;
  /** Up to `limit` rows in the order of their keys, beginning after the key `after`. */
  list<T extends UnfoldedTable>(
    table: T,
    limit: number,
    after?: Key<T>,
  ): Promise<readonly Rows[T][]>;
}

/**
 * Writes rows without an event. An export contains them only if the description of their table names a kind of export
 * record.
 */
export interface UnfoldedWrites extends UnfoldedRows {
  /** Inserts the row or replaces the one with the same key. */
  put<T extends UnfoldedTable>(table: T, row: Rows[T]): Promise<void>;
  /** Like `put` for each row, with few statements. No two rows have the same key. */
  putAll<T extends UnfoldedTable>(table: T, rows: readonly Rows[T][]): Promise<void>;
  /** Does nothing when there is no such row. */
  remove<T extends UnfoldedTable>(table: T, key: Key<T>): Promise<void>;
}

/** An imported issue: the provider of its binding, and the external id that contains its number at the provider. */
export interface SyncedIssue {
  readonly provider: string;
  readonly config: JsonObject;
  /** The source from which the issue was imported; `external_id` is its id there. */
  readonly source: string;
  readonly external_id: string;
}

/** Rows by which a repeated request or import is recognised. */
export interface Marks {
  findIdempotency(
    scopeUid: string,
    operation: IdempotencyRow["operation"],
    key: string,
  ): Promise<IdempotencyRow | undefined>;
  /** The latest request with this key that took an issue, whichever issue it was. */
  findTake(key: string): Promise<IdempotencyRow | undefined>;
  /** The issues that were imported under this id, from any tracker. */
  importedAs(projectUid: string, externalId: string): Promise<readonly ImportRow[]>;
  /** The uids of issues with a link, recorded by an import, to an issue that was not imported yet. */
  waitingIssues(): Promise<readonly string[]>;
  /** The external id that each of these issues has in the source, by issue uid. */
  externalIds(source: string, uids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Which of these issues a code host owns: those that an enabled binding of issue sync reads. */
  syncedIssues(uids: readonly string[]): Promise<ReadonlyMap<string, SyncedIssue>>;
  /** All records that the project imported from the source, sorted by external id. */
  importsOf(projectUid: string, source: string): Promise<readonly ImportRow[]>;
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
  /**
   * The issues of the project that were imported under one of these ids, from any source. The prefix up to the first
   * dash may be left out, if the source begins all its ids with it.
   */
  importedUnder(
    projectUid: string,
    externalIds: readonly string[],
  ): Promise<readonly Pick<ImportRow, "source" | "issue_uid">[]>;
  /** The issues of the project that were imported under a UUID with these first eight digits; at most a few. */
  importedByUuid(
    projectUid: string,
    firstDigits: string,
  ): Promise<readonly Pick<ImportRow, "source" | "issue_uid">[]>;
  /** The uids of at most `limit` issues that were closed by this commit. `sha` may be a shortened hash. */
  closedBy(sha: string, limit: number): Promise<readonly string[]>;
  /** The issue uid of each of these imported records, by the record's external id. */
  findImports(
    projectUid: string,
    source: string,
    externalIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
}

/** Reads one consistent state of the database. */
export interface Reader {
  readonly unfolded: UnfoldedRows;
  readonly projects: Projects;
  readonly issues: Issues;
  readonly links: Links;
  readonly labels: Labels;
  readonly comments: Comments;
  readonly contents: Contents;
  readonly leases: Leases;
  readonly holders: Holders;
  readonly recurrences: Recurrences;
  readonly cron: Cron;
  readonly runs: Runs;
  readonly inbox: Inbox;
  readonly events: Events;
  readonly past: PastEvents;
  readonly folds: Folds;
  readonly baselines: Baselines;
  readonly search: Search;
  readonly marks: Marks;
  readonly imports: Imports;
  readonly tokens: Tokens;
  readonly federation: Federation;
  readonly bridges: Bridges;
}

/** A write in progress. Inside `write`, await only calls on this object: any other wait blocks every writer. */
export interface Tx extends Reader {
  /** The time of this write, which its events get as `created_at`. */
  readonly now: Instant;
  /** False if this daemon has no copy of another daemon's project, so that a write need not look for one. */
  readonly hasCopies: boolean;
  /** Loads the rows that later events will touch, with one statement per kind of row instead of several per event. */
  preload(touches: Touches): Promise<void>;
  /** Loads the links, children and labels of these issues, before many of them are deleted, closed or moved. */
  preloadAttached(issueUids: readonly string[]): Promise<void>;
  /** The latest lease of the issue, expired and released ones included. */
  lease(issueUid: string): Promise<LeaseRow | undefined>;
  readonly unfolded: UnfoldedWrites;
  /** Writes the event and folds it. Folded rows change only by events and by purges. */
  append<K extends EventKind>(draft: EventDraft<K>): Promise<StoredEvent<K>>;
  /**
   * Appends the events, with the same result as repeated calls of `append`. The rows that the events need are loaded
   * once and the changed rows are written once, so many events cost a fraction. The checks of the write see the state
   * before the first event.
   */
  appendAll(drafts: readonly EventDraft[]): Promise<readonly StoredEvent[]>;
  /** A faster `append` for many new issues without links. */
  appendNewIssues(drafts: readonly EventDraft<"issue.created">[]): Promise<void>;
  /** Writes the first event of a project's baseline. */
  beginBaseline(first: EventDraft<"project.federation_enabled">): Promise<Baseline>;
  /** Turns a project of this daemon into a copy, in several writes. */
  readonly adoption: AdoptionWrites;
  /**
   * Writes snapshots of a baseline, in this write or in a later one. They are not folded, so they must say what the
   * rows said when the baseline began. Returns the id of the last event.
   */
  appendSnapshots(baseline: Baseline, snapshots: readonly Snapshot[]): Promise<number>;
  /**
   * Adds events of another daemon to the log and folds them at their places in the order of the fold. If one event of
   * the page is refused, throws, and nothing is written:
   * - `validation`: the event does not match its hash, or is about something that does not belong to its project or
   *   issue.
   * - `conflict` or `unavailable`, with one of `AdmitFault` in `data.fault` and the event in `data.event_uid`.
   */
  admit(events: readonly ForeignEvent[], options: AdmitOptions): Promise<AdmitResult>;
  /**
   * Deletes the copy of a hub's project: the events that the hub has, and the rows that they made. Readers of the
   * project must start again.
   */
  clearReplica(projectUid: string, options: ClearOptions): Promise<void>;
  /** Forgets which events of this daemon the hub of the project has, so that all of them are sent again. */
  sendAgain(projectUid: string): Promise<void>;
  /**
   * Takes back what these events changed, since the hub never gets them. The events stay in the log with a mark. Events
   * that the hub is known to have are left alone. If an issue disappears, everything that was written here about the
   * issue is marked too. Readers of the project must start again. Returns the number of newly marked events.
   */
  skipEvents(uids: readonly string[]): Promise<number>;
  /**
   * Rewrites the events of the project that its hub does not have: appends them in the name of `boundActor`, and
   * deletes the originals. Readers of the project must start again. Returns the number of events.
   */
  writeAgain(projectUid: string, boundActor: string): Promise<number>;
  /** Lets the hub of the project send issues again that were purged on this daemon. */
  forgetLocalPurges(projectUid: string): Promise<void>;
  /**
   * Folds the events of these issues again and writes the rows that differ. Returns the number of rows. Rows can only
   * differ if an event was added that belongs before an event which was already folded.
   */
  refold(issueUids: readonly string[]): Promise<number>;
  /**
   * Lets this write change what the root of the bridge owns: the title and body of its issue, and comments that were
   * imported from it. Throws `external_root_claim_lost` unless the bridge is active and enabled and the claim is its
   * own. Called in each write of a run, also if only rows of the bridge are written.
   */
  asExternalRoot(claim: BridgeClaim): Promise<StoredBridge>;
  /** The time by which leases expire: on PostgreSQL the server's, since the daemons' clocks may differ. */
  leaseNow(): Promise<Instant>;
  /** Whether the term is still valid. If so, no other daemon can begin a term before this write ends. */
  holdsTerm(term: Term): Promise<boolean>;
  /**
   * Permanently deletes the issue's events and rows. Reserves an event id at which readers reset
   * (docs/contract/http-api.md#53-purge-and-reset) and stores a purge record.
   */
  purgeIssue(issue: StoredIssue, by: PurgeBy): Promise<PurgeLogRow>;
  /**
   * Purges a project. The project must be archived: its issues then no longer count as blockers or children of issues
   * in other projects, so the purge changes no other project.
   */
  purgeProject(project: StoredProject, by: PurgeBy): Promise<ProjectPurgeLogRow>;
}

/** A baseline that was begun: the id of its first event, and what all its events have in common. */
export interface Baseline
  extends Pick<
    StoredEvent,
    "project_uid" | "actor" | "hlc_physical_ms" | "hlc_counter" | "created_at"
  > {
  readonly horizon: number;
}

/** The checks that the store makes inside the transaction of a write. A check that throws refuses the whole write. */
export interface WriteGuard {
  /** Called before the write begins. */
  begin?(tx: Tx): Promise<void>;
  /** Called before each event is written. */
  append?(tx: Tx, draft: EventDraft): Promise<void>;
  /** Called before an issue is purged. */
  purgeIssue?(tx: Tx, issue: StoredIssue, by: PurgeBy): Promise<void>;
  /** Called after a write that wrote no event, purged nothing and found no used idempotency key. */
  unchanged?(tx: Tx): Promise<void>;
}

/** An event as another daemon sends it. Its place in this log is decided when it is added. */
export type ForeignEvent = Omit<StoredEvent, "id" | "chain" | "feed_uid" | "assigned_ids">;

export interface AdmitOptions {
  /**
   * Whether the hub of their project sent the events. Their ids in the hub's log (`hub_event_id`) are used only then.
   */
  readonly fromHub: boolean;
  /**
   * The last event id of the hub's baseline at the last join or reset, as the hub said. If this database was restored
   * from a backup, own events are missing here. Own events are accepted from the hub up to this id, although this
   * database cannot verify that it wrote them. Missing own events with higher ids are refused.
   */
  readonly ownUpTo?: number;
}

export interface ClearOptions {
  /** The hub has accepted this daemon's own events up to this id. */
  readonly sentUpTo: number;
  /**
   * Whether the events stay in the log, marked as skipped, because the hub has another log now that may lack them.
   * Events that the hub sends again then count again (`admit`).
   */
  readonly keepsEvents?: boolean;
}

/**
 * Why a page of events of another daemon cannot be added:
 * - `remote_event_conflict` (409): an event with this uid and another content is known.
 * - `own_event_missing` (409): this database wrote the event, and lost it or shares its identity with a copy.
 * - `clock_ahead` (503): the event is not from a hub, and its clock is more than 24 hours ahead of this machine's clock
 *   and of its project's clock. A later try may succeed.
 */
export type AdmitFault = "remote_event_conflict" | "own_event_missing" | "clock_ahead";

/** The numbers of events that were added, known already, and dropped because they are about purged issues. */
export interface AdmitResult {
  readonly accepted: number;
  readonly duplicates: number;
  readonly dropped: number;
}

export interface PurgeBy {
  readonly actor: string;
  readonly reason: string | null;
}

export type PurgeLogRow = Selected<"purge_log">;

export type ProjectPurgeLogRow = Selected<"project_purge_log">;

/**
 * `erased`: no file contains purged text. `held`: a reader still needs the write-ahead log, so a later call must finish
 * the erasure. `unsupported`: the database cannot erase (PostgreSQL).
 */
export type EraseResult = "erased" | "held" | "unsupported";

export interface Store {
  readonly dialect: "sqlite" | "postgres";
  /** ULID of this database's instance. */
  readonly instanceUid: string;
  readonly schemaVersion: number;
  write<T>(work: (tx: Tx) => Promise<T>, guard?: WriteGuard): Promise<T>;
  /**
   * Reads one snapshot. Throws `NeedsWorker` when the rows that it reads exceed `budget`, a limit on their size in
   * bytes.
   */
  read<T>(work: (reader: Reader) => Promise<T>, budget?: Budget): Promise<T>;
  /** Like `read`, for a single statement. On PostgreSQL it runs without a transaction, which saves two statements. */
  readOne<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Calls the listener with the last visible event id after each commit, including commits of other daemons on the same
   * PostgreSQL database. Returns the function that unsubscribes.
   */
  onCommit(listener: (lastEventId: number) => void): () => void;
  leaseNow(): Promise<Instant>;
  /**
   * This daemon's term for the named engine, or undefined when another daemon has the term. An engine calls this before
   * each sweep and writes only under that term (`ops/term.ts`). On PostgreSQL a daemon loses its term ten seconds after
   * the last renewal; on SQLite the daemon always has the term.
   */
  elect(name: string): Promise<Term | undefined>;
  /** Ends this daemon's term for the named engine, so that another daemon may run the engine at once. */
  resign(name: string): Promise<void>;
  /** The elections as this daemon last read them; empty on SQLite. */
  elections(): readonly Election[];
  /**
   * Writes the next full-text rows, if an upgrade or a purge has requested that all of them are written again. Returns
   * whether more are left.
   */
  rewriteTexts(): Promise<boolean>;
  /** Removes purged text from the database files and returns how far it got. Other writes run between its steps. */
  erase(): Promise<EraseResult>;
  answering(): Promise<Answering>;
  close(): Promise<void>;
}
