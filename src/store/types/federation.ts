import type { Instant } from "../../base/clock.ts";
import type { JsonObject } from "../../base/json.ts";
import type { EventKind, StoredEvent } from "../../contract/events.ts";
import type { TABLES_OF_PROJECTS } from "../../domain/federation/crossing.ts";
import type { Borders } from "../../domain/memory.ts";
import type { HybridClock } from "../../domain/order.ts";
import type { Row } from "../../domain/tables/tables.ts";
import type { Selected } from "../schema.ts";

export type EnrollmentRow = Row<"federation_enrollment">;
export type PendingLease = Row<"pending_lease">;
export type MirroredLease = Row<"mirrored_lease">;

export interface StoredEnrollment extends EnrollmentRow {
  readonly last_used_at: Instant | null;
}

/** What the status of a federated project counts. */
export interface FederationCounts {
  /** Active enrollments for this project or for all projects. */
  readonly enrollments: number;
  /** Leases of the project's issues that were not released and have not expired. */
  readonly leases: number;
  readonly pending_leases: number;
  readonly quarantines: number;
}

export type QuarantineRow = Row<"federation_quarantine">;

/** An event without its payload. */
export type EventOutline = Pick<
  StoredEvent,
  "id" | "uid" | "type" | "issue_uid" | "created_at" | "skipped_at"
>;

export interface ProjectEvents {
  readonly events: readonly StoredEvent[];
  /** The page has every event of the project between the cursor and this id. */
  readonly upTo: number;
  /** False if the page is full, so that more events may follow. */
  readonly last: boolean;
}

/** An event that the hub of a copy does not have yet. The payload is the JSON text in the log, not parsed. */
export type UnsentEvent = Pick<
  Selected<"event">,
  | "id"
  | "uid"
  | "project_uid"
  | "origin_instance_uid"
  | "issue_uid"
  | "related_issue_uid"
  | "actor"
  | "payload"
  | "hlc_physical_ms"
  | "hlc_counter"
  | "content_hash"
  | "created_at"
> & { readonly type: EventKind };

/** A search of the log up to the id `upTo`. */
interface Searched {
  readonly upTo: number;
  /** Whether the search has reached the end of the log. */
  readonly last: boolean;
}

export interface UnsentEvents extends Searched {
  readonly events: readonly UnsentEvent[];
}

/**
 * The unsent events of a project: events after the cursor that this daemon wrote, whose kind is sent to other daemons,
 * and that the hub is not known to have.
 */
export interface UnsentRange {
  readonly project: string;
  readonly after: number;
}

/** A range of the events of a project that a hub and its copies both have. All ids are ids on the hub. */
export interface HashRange {
  readonly project: string;
  /** Whether this database is the hub of the project, or has a copy of it. */
  readonly side: "hub" | "spoke";
  readonly after: number;
  readonly through: number;
  readonly limit: number;
}

export interface HashedEvent {
  /** The id on the hub. */
  readonly event_id: number;
  readonly uid: string;
  readonly content_hash: string;
}

/** The kinds of rows that get a hash. The hash of an issue also covers its labels, links and comments. */
export type HashedRowKind = "issue" | keyof typeof TABLES_OF_PROJECTS;

/** A range of the rows of a project, in the order of their uids. */
export interface RowRange {
  readonly project: string;
  readonly row: HashedRowKind;
  readonly after: string;
  /** The last uid of the range; undefined for all rows after `after`. */
  readonly through: string | undefined;
  readonly limit: number;
}

export interface RowHash {
  readonly uid: string;
  readonly hash: string;
}

/**
 * Events that only one side has. On a hub, these are the events after an id; in a copy, they are the unsent events
 * after an id.
 */
export interface LaterEvents {
  readonly project: string;
  readonly side: "hub" | "spoke";
  /** An id of this log. */
  readonly after: number;
  readonly limit: number;
}

/** The numbers of federated projects, archived ones too: enabled ones by role, and disabled ones. */
export interface BindingCounts {
  readonly hub: number;
  readonly spoke: number;
  readonly disabled: number;
}

export interface Federation {
  bindings(): Promise<BindingCounts>;
  /** The uids of the projects of which this daemon has a copy, even if the binding is disabled. */
  copies(): Promise<ReadonlySet<string>>;
  /** For each project of which this daemon has a copy: the origin of the address of its hub. */
  hubs(): Promise<ReadonlyMap<string, string>>;
  /**
   * The result of `hubs`, and the uid of this database, whose own links are shown even if they lead out of the projects
   * of a hub.
   */
  borders(): Promise<Borders>;
  /** Which of these projects are or were federated: they have a binding or a baseline. */
  federatedAmong(projectUids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The enrollment with this hash of a token, revoked or not. */
  byToken(hash: string): Promise<EnrollmentRow | undefined>;
  /** All enrollments, revoked ones included, sorted by id. */
  enrollments(): Promise<readonly StoredEnrollment[]>;
  /** The highest id of an enrollment; 0 if there never was one. */
  lastEnrollmentId(): Promise<number>;
  /** The ids of the active enrollments that were made by requests with this API token, sorted. */
  madeWith(tokenUid: string): Promise<readonly number[]>;
  /** `now` decides which leases have expired. */
  counts(projectUid: string, now: Instant): Promise<FederationCounts>;
  /**
   * All events of the project after the cursor, sorted by id, including the kinds that readers on this daemon are not
   * shown. The page ends before its payloads exceed `maxBytes`, but it has at least one event if any is left.
   */
  eventsOf(
    projectUid: string,
    afterId: number,
    limit: number,
    maxBytes: number,
  ): Promise<ProjectEvents>;
  /** Batches of the project that its hub refused, newest first, at most `limit`. `active`: only the undecided ones. */
  quarantines(
    projectUid: string,
    which: "active" | "all",
    limit: number,
  ): Promise<readonly QuarantineRow[]>;
  /** The events among these that the log has, sorted by id. */
  outlines(eventUids: readonly string[]): Promise<readonly EventOutline[]>;
  /** The content hash of each of these events that the log has, by uid. */
  hashesOf(eventUids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The first events of the range, with their hashes, sorted by their ids on the hub. */
  hubHashes(range: HashRange): Promise<readonly HashedEvent[]>;
  /** A hash of each row in the range, over the columns that hub and copy share; sorted by uid. */
  rowHashes(range: RowRange): Promise<readonly RowHash[]>;
  /**
   * The uids of the issues that these events name, and of the other rows that they change. Undefined if there are
   * `limit` events or more.
   */
  namedLater(later: LaterEvents): Promise<ReadonlySet<string> | undefined>;
  /** Which of these issues are purged. */
  purgedAmong(issueUids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The projects for which the instance has an active enrollment; `null` means all projects. */
  grantedTo(spokeInstanceUid: string): Promise<ReadonlySet<string | null>>;
  /** The active enrollments of the instance, sorted by id. */
  grantsTo(spokeInstanceUid: string): Promise<readonly EnrollmentRow[]>;
  /** Leases of issues here that the instance has and that were not released, sorted by id. */
  leasesOfSpoke(
    spokeInstanceUid: string,
    afterId: number,
    limit: number,
  ): Promise<
    readonly { readonly id: number; readonly issue_uid: string; readonly project_uid: string }[]
  >;
  /** The clock of the last event of the project, in the order of arrival, that the instance wrote. */
  lastClockFrom(instanceUid: string, projectUid: string): Promise<HybridClock | undefined>;
  /** Whether the project has an event of these kinds that was not skipped and that its hub is not known to have. */
  hasUnsent(projectUid: string, kinds: readonly string[]): Promise<boolean>;
  /**
   * The next events of the range, sorted by id. One call searches a bounded part of the log. The page ends before its
   * payloads exceed `maxBytes`, but has at least one event if the part has any.
   */
  unsent(range: UnsentRange, limit: number, maxBytes: number): Promise<UnsentEvents>;
  /**
   * Counts the events of the range in a bounded part of the log, also those from before the database got another
   * identity. `highest` is the id of the last of them; 0 if there are none.
   */
  countUnsent(
    range: UnsentRange,
  ): Promise<Searched & { readonly count: number; readonly highest: number }>;
  /** The number of events of the project after the id `after` and up to the id `upTo`, sent or not. */
  countEvents(range: UnsentRange & { readonly upTo: number }): Promise<number>;
  /**
   * The uid of the project of this daemon that is being handed over to this project. The issues belong to one of the
   * two.
   */
  handedOverTo(projectUid: string): Promise<string | undefined>;
  /** When the first event of the range was written; undefined if there is none. */
  firstUnsentAt(range: UnsentRange): Promise<Instant | undefined>;
  /** The uids of the copies that send their events and have unsent events in a bounded part of the log. */
  projectsWithUnsent(after: number): Promise<Searched & { readonly projects: readonly string[] }>;
  /** The batch of the project that its hub has refused and that is still undecided. */
  activeQuarantine(projectUid: string): Promise<Row<"federation_quarantine"> | undefined>;
  /** The highest id of a quarantine of the project; 0 if it never had one. */
  lastQuarantineId(projectUid: string): Promise<number>;
  /** The holder's open request for a lease of the same issue. */
  pendingLeaseOf(
    lease: Pick<PendingLease, "issue_uid" | "holder" | "holder_instance_uid" | "client_kind">,
  ): Promise<PendingLease | undefined>;
  /** The open requests for leases of the project, and the rejected ones that were not given back yet, oldest first. */
  pendingLeases(projectUid: string): Promise<readonly PendingLease[]>;
  /** The leases of the project that its hub has given this instance, as far as the hub has reported them. */
  heldAtHub(projectUid: string, instanceUid: string): Promise<readonly MirroredLease[]>;
  /** The last unskipped event after `afterId` by which this instance made somebody the owner of the issue. */
  ownClaimAfter(
    issueUid: string,
    instanceUid: string,
    afterId: number,
  ): Promise<Pick<StoredEvent, "id" | "uid"> | undefined>;
  /** Whether the project has, or had, a job, a workflow or a run. */
  hasCron(projectUid: string): Promise<boolean>;
  /** Whether an issue of the project has the progress of a job that creates issues, or was created by such a job. */
  hasProgress(projectUid: string): Promise<boolean>;
  /** The definitions of the project's jobs that may be native, deleted jobs included. */
  jobsWithIssues(projectUid: string): Promise<readonly JsonObject[]>;
}
