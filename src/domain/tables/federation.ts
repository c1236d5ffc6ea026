import {
  flag,
  instant,
  integer,
  nullable,
  oneOf,
  projectUid,
  text,
  texts,
  uid,
} from "./columns.ts";
import { table } from "./table.ts";

/**
 * What becomes of the rows of a federated project: it cannot be merged, its issues cannot be moved to or from another
 * project, and it cannot be purged, since its copies on other machines would not follow
 * (docs/contract/federation.md#89-what-a-federated-project-refuses).
 */
const BOUND = {
  merge: { refuse: "federated_read_only", eitherProject: true },
  move: { refuse: "federated_move_unsupported", eitherProject: true },
  purge: { refuse: "federated_read_only" },
  mergedFile: "leave out",
} as const;

/** For the other rows of a bound project: the binding (`BOUND`) refuses what would separate them from the project. */
const BESIDE_BINDING = {
  merge: "delete",
  move: "stay",
  purge: "delete",
  mergedFile: "leave out",
} as const;

const NOT_IN_LOG = "federation is a setting of this database; the events that it sends are not";

/**
 * Makes a project federated: this daemon owns it (hub), or has a copy of a project of another daemon (spoke). A project
 * has one binding at most.
 */
export const federation_binding = table({
  folded: { not: NOT_IN_LOG, writable: true },
  numbered: false,
  key: ["project_uid"],
  columns: {
    project_uid: projectUid(),
    role: oneOf(["hub", "spoke"]),
    /** This column and the next two are set only for a spoke. */
    hub_url: nullable(text()),
    hub_project_id: nullable(integer(1)),
    hub_project_uid: nullable(uid()),
    /** The id, in the hub's log, of the event with which the baseline begins. Nothing before it is sent. */
    replay_horizon_event_id: integer(0),
    /** The id of the last event of that baseline. */
    baseline_through_event_id: integer(0, { absent: 0 }),
    pull_cursor_event_id: integer(0),
    /** The epoch of the hub's log, and the chain of the event at the cursor. Null before the first page. */
    hub_epoch: nullable(text()),
    hub_chain: nullable(text()),
    /**
     * The stamp of the hub's last answer. By this stamp, the hub notices if this database was duplicated. Null before
     * the first page.
     */
    hub_stamp: nullable(text()),
    push_enabled: flag(),
    push_cursor_event_id: integer(0),
    bound_actor: nullable(text()),
    /**
     * The end of the hub's log when the copy was last cleared to be read again. The hub sends this daemon's own events
     * again up to this id. Null if the copy was never cleared.
     */
    own_through_event_id: nullable(integer(0)),
    /** 1: the copy sends its changes once it has read all that the hub has, since it has events that the hub lacks. */
    pushes_once_read: flag({ absent: 0 }),
    /** The id of the last event with which the project is handed over to the hub. Null if it is not handed over. */
    adopted_through_event_id: nullable(integer(0)),
    allow_insecure: flag({ absent: 0 }),
    enabled: flag(),
    /** A code that says why the binding is disabled; null if it is enabled. */
    disabled_reason: nullable(text()),
    created_at: instant(),
    updated_at: instant(),
    last_sync_at: nullable(instant()),
    /** Of a hub: the request that is writing a baseline now, and when it last wrote a part of the baseline. */
    baseline_claim: nullable(uid()),
    baseline_claimed_at: nullable(instant()),
  },
  belongs: { project: "project_uid" },
  lifecycle: {
    ...BOUND,
    restore: "as exported",
    // If it stayed enabled, there would be a second hub, with other events under the same ids.
    newInstance: { set: { enabled: 0, disabled_reason: "new_instance" } },
  },
  record: { kind: "federation_binding" },
});

/** How the last passes of a spoke went. */
export const federation_sync_status = table({
  folded: { not: "a pass of federation is no change of an issue", writable: true },
  numbered: false,
  key: ["project_uid"],
  columns: {
    project_uid: projectUid(),
    last_pull_started_at: nullable(instant()),
    last_pull_success_at: nullable(instant()),
    last_push_started_at: nullable(instant()),
    last_push_success_at: nullable(instant()),
    last_error_at: nullable(instant()),
    /** The code of the error, never a text of the hub. */
    last_error: nullable(text()),
    last_reset_at: nullable(instant()),
  },
  belongs: { project: "project_uid" },
  lifecycle: { ...BESIDE_BINDING, restore: "as exported" },
  record: { kind: "federation_sync_status" },
});

/** Events of a spoke that its hub refused for good. At most one batch of a project and direction is unresolved. */
export const federation_quarantine = table({
  folded: { not: "a refusal of the hub is no change of an issue", writable: true },
  numbered: false,
  key: ["project_uid", "id"],
  columns: {
    id: integer(1),
    project_uid: projectUid(),
    direction: oneOf(["push", "pull"]),
    first_event_id: integer(1),
    last_event_id: integer(1),
    event_uids: texts("the event uids of a quarantined batch"),
    /** The code of the refusal. */
    error: text(),
    /** What the hub said about it, at most 4096 bytes. */
    detail: nullable(text()),
    created_at: instant(),
    /** This column and the next two are set once an operator has skipped or retried the batch. */
    skipped_at: nullable(instant()),
    skipped_by: nullable(text()),
    skip_reason: nullable(text()),
  },
  belongs: { project: "project_uid" },
  lifecycle: { ...BESIDE_BINDING, restore: "as exported" },
  record: { kind: "federation_quarantine" },
});

/**
 * A hub's permission for one spoke to read and write a project, or all its projects. A revoked enrollment stays in the
 * list. Its token is stored nowhere.
 */
export const federation_enrollment = table({
  folded: { not: NOT_IN_LOG, writable: true },
  numbered: false,
  key: ["id"],
  columns: {
    id: integer(1),
    /** SHA-256 of the token, as 64 lower-case hex digits. */
    token_hash: text(),
    spoke_instance_uid: uid(),
    /** Null for all projects. */
    project_uid: nullable(projectUid()),
    /** Sorted, without duplicates. */
    capabilities: texts("the capabilities of an enrollment"),
    bound_actor: text(),
    allow_adoption_snapshot_authors: flag({ absent: 0 }),
    adoption_baseline_open: flag({ absent: 0 }),
    adoption_baseline_next_source_event_id: nullable(integer(0)),
    adoption_baseline_end_source_event_id: nullable(integer(0)),
    /** The API token of the caller who made the enrollment. Null if the caller had no token of their own. */
    made_with_token_uid: nullable(uid()),
    created_at: instant(),
    updated_at: instant(),
    revoked_at: nullable(instant()),
  },
  belongs: { project: "project_uid" },
  lifecycle: { ...BESIDE_BINDING, restore: "as exported" },
  record: { kind: "federation_enrollment" },
});

/**
 * How far the spoke of an enrollment has read a project, and the stamps by which the hub notices a duplicate of the
 * spoke's database.
 */
export const federation_replica = table({
  folded: { not: "a reader changes nothing", writable: true },
  numbered: false,
  key: ["enrollment_id", "project_uid"],
  columns: {
    enrollment_id: integer(1),
    project_uid: projectUid(),
    /** The stamps that the next poll may carry, and the one before them (`Stamps`); null before the first poll. */
    stamp: nullable(text()),
    former_stamp: nullable(text()),
    /** The cursor of the last poll. */
    after_event_id: integer(0),
    seen_at: instant(),
  },
  belongs: { project: "project_uid" },
  lifecycle: {
    merge: BESIDE_BINDING.merge,
    move: BESIDE_BINDING.move,
    purge: BESIDE_BINDING.purge,
  },
  record: { none: "a restored database cannot know how far its spokes have read since" },
});

/**
 * How many events of a project both the hub and the copy have, with the sum of their hashes, and the result of the
 * copy's last comparison. Both the hub and the copy keep such rows. A row is valid only for the binding, log, horizon
 * and purges that it names (`ops/federation/event-count.ts`).
 */
export const federation_digest = table({
  folded: { not: "it is counted from the log", writable: true },
  numbered: false,
  key: ["project_uid"],
  columns: {
    project_uid: projectUid(),
    /** The `created_at` of the counted binding. If the project is bound again, the row is no longer valid. */
    bound_at: instant(),
    /** The epoch of the hub's log. */
    log_epoch: text(),
    /** The events from this id to `through_event_id` are counted. Both are ids in the hub's log. */
    from_event_id: integer(0),
    /**
     * The event id of the last purge or reset of the project in this database at the time of the count. After a later
     * purge or reset, the events are counted again from the beginning.
     */
    reset_after_event_id: integer(0),
    through_event_id: integer(0),
    event_count: integer(0),
    /** The sum of the events' content hashes modulo 2^256, as 64 hex digits. */
    hash_sum: text(),
    /** When counting began at `from_event_id`. */
    begun_at: instant(),
    /** Of a copy, like the next three columns: when it was last compared with its hub. Null if it never was. */
    compared_at: nullable(instant()),
    compared_through_event_id: nullable(integer(0)),
    /** How many comparisons in a row found a difference. */
    unequal_passes: integer(0),
    hub_fold_version: nullable(integer(0)),
  },
  belongs: { project: "project_uid" },
  lifecycle: {
    merge: BESIDE_BINDING.merge,
    move: BESIDE_BINDING.move,
    purge: BESIDE_BINDING.purge,
  },
  record: { none: "it is counted again" },
});

/** A spoke's request for a lease, which its hub has not answered yet. */
export const pending_lease = table({
  folded: { not: "the hub decides about leases; its answer is the event", writable: true },
  numbered: false,
  key: ["request_uid"],
  columns: {
    request_uid: uid(),
    project_uid: projectUid(),
    issue_uid: uid(),
    holder: text(),
    holder_instance_uid: uid(),
    client_kind: text(),
    claim_kind: oneOf(["hard", "timed"]),
    ttl_seconds: nullable(integer(1)),
    purpose: text(),
    requested_at: instant(),
    last_attempt_at: nullable(instant()),
    last_error: nullable(text()),
    rejected_at: nullable(instant()),
    resolved_at: nullable(instant()),
  },
  belongs: { project: "project_uid" },
  lifecycle: { ...BESIDE_BINDING, restore: "as exported" },
  record: { kind: "pending_claim_request" },
});

/** A lease as a spoke last heard of it from its hub. */
export const mirrored_lease = table({
  folded: { not: "the hub decides about leases; this is what it answered", writable: true },
  numbered: false,
  key: ["issue_uid"],
  columns: {
    issue_uid: uid(),
    project_uid: projectUid(),
    claim_uid: uid(),
    holder: text(),
    holder_instance_uid: uid(),
    client_kind: text(),
    purpose: text(),
    claim_kind: oneOf(["hard", "timed"]),
    acquired_at: instant(),
    expires_at: nullable(instant()),
    released_at: nullable(instant()),
    release_reason: nullable(text()),
    revision: integer(1),
    updated_at: instant(),
    /** The hub's time when it answered. */
    heard_at: instant(),
  },
  belongs: { project: "project_uid" },
  lifecycle: {
    merge: BESIDE_BINDING.merge,
    move: BESIDE_BINDING.move,
    purge: BESIDE_BINDING.purge,
  },
  record: { none: "the hub is asked again" },
});

/** A spoke that is leaving its hub. While it has a row here, nothing is read; a join removes the row. */
export const federation_leave = table({
  folded: { not: NOT_IN_LOG, writable: true },
  numbered: false,
  key: ["project_uid"],
  columns: { project_uid: projectUid(), actor: text(), prepared_at: instant() },
  belongs: { project: "project_uid" },
  lifecycle: {
    merge: BESIDE_BINDING.merge,
    move: BESIDE_BINDING.move,
    purge: BESIDE_BINDING.purge,
  },
  record: { none: "a restored database leaves nothing: its operator decides anew" },
});
