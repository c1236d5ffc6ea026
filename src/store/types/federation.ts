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
  /** Active enrollments for the project, and those for all projects. */
  readonly enrollments: number;
  /** Leases of its issues that were not released and have not expired. */
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
  /** The page has every event of the project up to this id. */
  readonly upTo: number;
  /** Whether there are no more. */
  readonly last: boolean;
}

/** An event that the hub of a copy has yet to get. Its payload is the JSON text of the log, which is not parsed. */
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

/** A part of the log was searched, up to an id. */
interface Searched {
  readonly upTo: number;
  /** Whether the log ends with `upTo`. */
  readonly last: boolean;
}

export interface UnsentEvents extends Searched {
  readonly events: readonly UnsentEvent[];
}

/**
 * Which events of a project its hub has yet to get: those that this daemon wrote after the cursor, and that are sent to
 * other daemons.
 */
export interface UnsentRange {
  readonly project: string;
  readonly after: number;
}

/** Which of the events of a project that a hub and its copies both have. All ids are those of the hub. */
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

/** What a hash is computed of: an issue with its labels, links and comments, or one other row. */
export type HashedRow = "issue" | keyof typeof TABLES_OF_PROJECTS;

/** Rows of a project, by their uids. */
export interface RowRange {
  readonly project: string;
  readonly row: HashedRow;
  readonly after: string;
  /** Undefined: to the end. */
  readonly through: string | undefined;
  readonly limit: number;
}

export interface RowHash {
  readonly uid: string;
  readonly hash: string;
}

/** Events that only one of hub and copy has: on a hub those after an id, in a copy those that it has yet to send. */
export interface LaterEvents {
  readonly project: string;
  readonly side: "hub" | "spoke";
  /** An id of this log. */
  readonly after: number;
  readonly limit: number;
}

/** Federated projects, archived ones too, by their role if they are enabled. */
export interface BindingCounts {
  readonly hub: number;
  readonly spoke: number;
  readonly disabled: number;
}

export interface Federation {
  bindings(): Promise<BindingCounts>;
  /** The uids of the projects of which this daemon has a copy, whether the binding is enabled or not. */
  copies(): Promise<ReadonlySet<string>>;
  /** For each of these projects: the origin of the address of its hub. */
  hubs(): Promise<ReadonlyMap<string, string>>;
  /** These, and whose own links are shown that lead out of the projects of a hub. */
  borders(): Promise<Borders>;
  /** Which of these projects are federated, or were: those with a binding or a baseline. */
  federatedAmong(projectUids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The enrollment with this hash of a token, revoked or not. */
  byToken(hash: string): Promise<EnrollmentRow | undefined>;
  /** All enrollments, revoked ones included, sorted by id. */
  enrollments(): Promise<readonly StoredEnrollment[]>;
  /** The highest id of an enrollment; 0 if there never was one. */
  lastEnrollmentId(): Promise<number>;
  /** The ids of the active enrollments that a caller with this API token made, sorted. */
  madeWith(tokenUid: string): Promise<readonly number[]>;
  /** `now` is the time by which leases expire. */
  counts(projectUid: string, now: Instant): Promise<FederationCounts>;
  /**
   * All events of the project after the cursor, sorted by id, of kinds that readers here are not shown too. The page ends
   * before its payloads exceed `maxBytes`, but it has at least one event if there is any.
   */
  eventsOf(
    projectUid: string,
    afterId: number,
    limit: number,
    maxBytes: number,
  ): Promise<ProjectEvents>;
  /** Batches of the project that its hub refused, newest first: at most `limit`. `active`: nobody has decided yet. */
  quarantines(
    projectUid: string,
    which: "active" | "all",
    limit: number,
  ): Promise<readonly QuarantineRow[]>;
  /** Those of these events that the log has, sorted by id. */
  outlines(eventUids: readonly string[]): Promise<readonly EventOutline[]>;
  /** The content hash of each of these events that the log has, by uid. */
  hashesOf(eventUids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The first of these events, sorted by their ids on the hub. */
  hubHashes(range: HashRange): Promise<readonly HashedEvent[]>;
  /** A hash for each of the rows, over what of it crosses; sorted by uid. */
  rowHashes(range: RowRange): Promise<readonly RowHash[]>;
  /**
   * The uids of the issues that these events name, and of the other rows that they change; undefined if there are as many
   * events as the limit.
   */
  namedLater(later: LaterEvents): Promise<ReadonlySet<string> | undefined>;
  /** Which of these issues are purged. */
  purgedAmong(issueUids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The projects for which the instance has an active enrollment; `null` stands for all projects. */
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
  /** The clock of the newest event of the project that the instance wrote, by the order of arrival. */
  lastClockFrom(instanceUid: string, projectUid: string): Promise<HybridClock | undefined>;
  /** Whether the project has an event of one of these kinds that its hub is not known to have, and that was not skipped. */
  hasUnsent(projectUid: string, kinds: readonly string[]): Promise<boolean>;
  /**
   * The next of these events, sorted by id. One call searches a bounded part of the log. It ends before the payloads exceed
   * `maxBytes`, but has at least one event if there is any in that part.
   */
  unsent(range: UnsentRange, limit: number, maxBytes: number): Promise<UnsentEvents>;
  /** Counts these events in a bounded part of the log. `highest` is the id of the last one; 0 without one. */
  countUnsent(
    range: UnsentRange,
  ): Promise<Searched & { readonly count: number; readonly highest: number }>;
  /** How many events the project has after one and up to another, sent or not. */
  countEvents(range: UnsentRange & { readonly upTo: number }): Promise<number>;
  /** The project of this daemon that is being handed over to this one. Its issues belong to either of the two. */
  handedOverTo(projectUid: string): Promise<string | undefined>;
  /** When the first of these events was written. */
  firstUnsentAt(range: UnsentRange): Promise<Instant | undefined>;
  /** The copies that send their events and have such events in a bounded part of the log. */
  projectsWithUnsent(after: number): Promise<Searched & { readonly projects: readonly string[] }>;
  /** The batch of the project that its hub has refused, and about which nobody has decided yet. */
  activeQuarantine(projectUid: string): Promise<Row<"federation_quarantine"> | undefined>;
  /** The highest id of a quarantine of the project; 0 if it never had one. */
  lastQuarantineId(projectUid: string): Promise<number>;
  /** The open request of the same holder for a lease of the same issue. */
  pendingLeaseOf(
    lease: Pick<PendingLease, "issue_uid" | "holder" | "holder_instance_uid" | "client_kind">,
  ): Promise<PendingLease | undefined>;
  /** The requests for leases of the project that are open, or were rejected and not given back yet, oldest first. */
  pendingLeases(projectUid: string): Promise<readonly PendingLease[]>;
  /** The leases of the project that its hub has given this instance, as far as it has said. */
  heldAtHub(projectUid: string, instanceUid: string): Promise<readonly MirroredLease[]>;
  /** The last event by which this instance made somebody the owner of the issue, of those after `afterId` that are not skipped. */
  ownClaimAfter(
    issueUid: string,
    instanceUid: string,
    afterId: number,
  ): Promise<Pick<StoredEvent, "id" | "uid"> | undefined>;
  /** Whether the project has, or had, a job, a workflow or a run. */
  hasCron(projectUid: string): Promise<boolean>;
  /** Whether an issue of the project has the progress of a job that creates issues, or was created by one. */
  hasProgress(projectUid: string): Promise<boolean>;
  /** The documents of the project's jobs that may be native ones, deleted jobs included. */
  jobsWithIssues(projectUid: string): Promise<readonly JsonObject[]>;
}
