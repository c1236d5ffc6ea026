import { z } from "zod";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { BRIDGE_PAYLOADS, ExternalSource } from "./bridge-events.ts";
import type { EventKind } from "./event-kinds.ts";
import { type OutputOf, type Shape, shape } from "./shape.ts";

const Metadata = (): z.ZodType<JsonObject> =>
  z.custom<JsonObject>((value) => typeof value === "object" && value !== null);
const Value = (): z.ZodType<JsonValue> => z.custom<JsonValue>();
const Diff = () =>
  z.record(z.string(), z.looseObject({ from: Value().optional(), to: Value().optional() }));
const UpdatedAt = () => z.looseObject({ updated_at: z.string() });
const LinkType = () => z.enum(["parent", "blocks", "related"]);
const Uids = () => z.array(z.string()).optional();

const CommentPayload = () =>
  z.looseObject({
    comment_uid: z.string(),
    author: z.string(),
    body: z.string(),
    created_at: z.string(),
    teammate: z.string().optional(),
    idempotency_key: z.string().optional(),
    idempotency_fingerprint: z.string().optional(),
    /** Set if the comment was imported from the root of the issue. */
    source: ExternalSource().optional(),
  });

const CreatedPayload = () =>
  z.looseObject({
    uid: z.string(),
    short_id: z.string(),
    title: z.string(),
    body: z.string(),
    author: z.string(),
    owner: z.string().optional(),
    priority: z.number().optional(),
    status: z.enum(["open", "closed"]),
    metadata: Metadata(),
    labels: z.array(z.string()).optional(),
    links: z
      .array(
        z.looseObject({
          type: LinkType(),
          to_issue_uid: z.string(),
          to_short_id: z.string(),
          incoming: z.boolean().optional(),
          author: z.string(),
        }),
      )
      .optional(),
    created_at: z.string(),
    /** Set by an import: when the issue was last changed in the other tracker. */
    updated_at: z.string().optional(),
    closed_reason: z.string().optional(),
    closed_at: z.string().optional(),
    idempotency_key: z.string().optional(),
    idempotency_fingerprint: z.string().optional(),
    recurrence_uid: z.string().optional(),
    occurrence_key: z.string().optional(),
    source: z.string().optional(),
    external_id: z.string().optional(),
    /** Further ids that the issue has in its source. */
    other_external_ids: z.array(z.string()).optional(),
  });

const LinkedPayload = () =>
  z.looseObject({
    type: LinkType(),
    from_short_id: z.string(),
    from_uid: z.string(),
    to_short_id: z.string(),
    to_uid: z.string(),
    incoming: z.boolean().optional(),
    updated_at: z.string(),
  });

/** A lease; `fence` grows with each lease of the issue (docs/contract/events.md#34-leases). */
const ClaimPayload = () =>
  z.looseObject({
    claim_uid: z.string(),
    fence: z.number(),
    holder: z.string(),
    holder_instance_uid: z.string(),
    client_kind: z.string(),
    claim_kind: z.enum(["hard", "timed"]),
    purpose: z.string(),
    acquired_at: z.string(),
    expires_at: z.string().optional(),
    released_at: z.string().optional(),
    reason: z.string().optional(),
    updated_at: z.string(),
  });

/**
 * The idempotency key of a request and a fingerprint of its content, which identify a repeat
 * (docs/contract/http-api.md#17-idempotency-keys).
 */
const Key = () => ({
  idempotency_key: z.string().optional(),
  idempotency_fingerprint: z.string().optional(),
});

/**
 * An issue with everything that belongs to it, as it was when a project's baseline was written
 * (docs/contract/federation.md#88-the-baseline).
 */
const SnapshotPayload = () =>
  z.looseObject({
    uid: z.string(),
    short_id: z.string(),
    title: z.string(),
    body: z.string(),
    author: z.string(),
    owner: z.string().optional(),
    priority: z.number().optional(),
    status: z.enum(["open", "closed"]),
    closed_reason: z.string().optional(),
    closed_at: z.string().optional(),
    deleted_at: z.string().optional(),
    metadata: Metadata(),
    revision: z.number(),
    created_at: z.string(),
    updated_at: z.string(),
    /** The series and the day that the issue belongs to. The series itself stays on its own daemon. */
    recurrence_uid: z.string().optional(),
    occurrence_key: z.string().optional(),
    /** The ids that the issue has in other trackers. */
    sources: z
      .array(
        z.looseObject({ source: z.string(), external_id: z.string(), imported_at: z.string() }),
      )
      .optional(),
    labels: z
      .array(z.looseObject({ label: z.string(), author: z.string(), created_at: z.string() }))
      .optional(),
    /**
     * The links that are stored from this issue: to its parent, to the issues that it blocks, and to related issues
     * with a larger uid. All other links are in the snapshots of the issues at their other end.
     */
    links: z
      .array(
        z.looseObject({
          type: LinkType(),
          to_issue_uid: z.string(),
          author: z.string(),
          created_at: z.string(),
        }),
      )
      .optional(),
    /** The comments with their present texts. */
    comments: z
      .array(
        z.looseObject({
          comment_uid: z.string(),
          author: z.string(),
          body: z.string(),
          created_at: z.string(),
          teammate: z.string().optional(),
        }),
      )
      .optional(),
    /** Present if a record of another tracker owns title and body. */
    external_root: z
      .looseObject({
        binding_uid: z.string(),
        connector_instance: z.string(),
        enabled: z.boolean(),
      })
      .optional(),
  });

/**
 * The hybrid clock of the event that wrote a definition or an observation, and the daemon that made it
 * (docs/contract/events.md#36-jobs-workflows-runs).
 */
const EventClock = () =>
  z.looseObject({
    version: z.literal(1),
    physical_ms: z.number(),
    counter: z.number(),
    origin_instance_uid: z.string(),
  });

/** The whole job or workflow after the change (docs/contract/events.md#36-jobs-workflows-runs). */
const DefinitionPayload = () =>
  z.looseObject({
    uid: z.string(),
    project_uid: z.string(),
    name: z.string(),
    definition: Metadata(),
    author: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    /** Only in a deleted definition. */
    deleted_at: z.string().optional(),
  });

/** A job or workflow with its revision on the sending daemon, and the event that last changed it. */
const DefinitionSnapshotPayload = () =>
  DefinitionPayload().extend({
    definition_event_uid: z.string(),
    definition_hlc: EventClock(),
    revision: z.number(),
  });

/** A new series. The existing issue `initial_issue_uid` becomes its first issue, for the day `occurrence_key`. */
const RecurrencePayload = () =>
  z.looseObject({
    recurrence_uid: z.string(),
    rrule: z.string(),
    dtstart: z.string(),
    timezone: z.string(),
    template_title: z.string(),
    template_body: z.string(),
    template_owner: z.string().optional(),
    template_priority: z.number().optional(),
    template_labels: z.array(z.string()),
    template_metadata: Metadata(),
    next_occurrence_key: z.string().nullable(),
    initial_issue_uid: z.string().optional(),
    occurrence_key: z.string().optional(),
  });

/**
 * The whole run, with everything that programs have reported about it so far
 * (docs/contract/events.md#36-jobs-workflows-runs).
 */
const RunPayload = () =>
  z.looseObject({
    uid: z.string(),
    project_uid: z.string(),
    job_uid: z.string().optional(),
    definition_event_uid: z.string().optional(),
    workflow_uid: z.string().optional(),
    workflow_definition_event_uid: z.string().optional(),
    occurrence_key: z.string().optional(),
    issue_uid: z.string().optional(),
    actor: z.string(),
    teammate: z.string().optional(),
    executor_label: z.string().optional(),
    status: z.enum(["running", "succeeded", "failed", "cancelled", "unknown"]),
    summary: Metadata(),
    revision: z.number(),
    created_at: z.string(),
    started_at: z.string().optional(),
    ended_at: z.string().optional(),
    updated_at: z.string(),
  });

/** Names the token, its actor and its label. The plaintext is in no event. */
const TokenPayload = () =>
  z.looseObject({ token_uid: z.string(), actor: z.string(), name: z.string().optional() });

export const PAYLOADS = {
  "project.created": shape(() =>
    z.looseObject({ name: z.string(), metadata: Metadata().optional() }),
  ),
  "project.renamed": shape(() => z.looseObject({ from: z.string(), to: z.string() })),
  "project.alias_added": shape(() =>
    z.looseObject({ alias_identity: z.string(), alias_kind: z.enum(["git", "local"]) }),
  ),
  "project.alias_removed": shape(() =>
    z.looseObject({
      alias_identity: z.string(),
      alias_kind: z.enum(["git", "local"]),
      was_last: z.boolean().optional(),
      force: z.boolean().optional(),
    }),
  ),
  "project.removed": shape(() =>
    z.looseObject({
      alias_count: z.number(),
      open_issues: z.number(),
      force: z.boolean().optional(),
    }),
  ),
  "project.restored": shape(() => z.looseObject({})),
  "project.metadata_updated": shape(() =>
    z.looseObject({ diff: Diff(), revision_new: z.number(), updated_at: z.string() }),
  ),
  /** Everything of the source project is now in the event's project. The source project no longer exists. */
  "project.merged": shape(() =>
    z.looseObject({
      source_uid: z.string(),
      source_name: z.string(),
      /** The issues that got a longer short id, because an issue of the target has the same short id. */
      short_id_extensions: z.array(
        z.looseObject({
          uid: z.string(),
          pre_merge_short_id: z.string(),
          post_merge_short_id: z.string(),
        }),
      ),
      /** Plans of the source that got a new name because the target has a plan of the same name. */
      plans_renamed: z.array(z.looseObject({ from: z.string(), to: z.string() })).optional(),
    }),
  ),
  "project.author_rewritten": shape(() =>
    z.looseObject({
      project_uid: z.string(),
      from: z.string(),
      to: z.string(),
      issue_authors: z.number(),
      issue_owners: z.number(),
      comment_authors: z.number(),
      link_authors: z.number(),
      total: z.number(),
      updated_at: z.string(),
    }),
  ),
  /**
   * The first event of a baseline. It contains what a joining daemon must know in addition to the snapshots that
   * follow.
   */
  "project.federation_enabled": shape(() =>
    z.looseObject({
      project_uid: z.string(),
      project_name: z.string(),
      metadata: Metadata().optional(),
      /** The revision of the project, which is compared when a change of its metadata expects a revision. */
      revision: z.number().optional(),
      /** The issues of the project that were purged. Events about them are dropped wherever they arrive. */
      purged_uids: z.array(z.string()),
      /** The short ids of purged issues, which no other issue gets. */
      spent_short_ids: z.array(z.string()),
      /** The short ids that issues had in the project before they moved to another one. No other issue gets them. */
      former_short_ids: z.array(z.looseObject({ short_id: z.string(), issue_uid: z.string() })),
    }),
  ),
  "issue.created": shape(CreatedPayload),
  "issue.snapshot": shape(SnapshotPayload),
  "issue.updated": shape(() =>
    z.looseObject({
      title: z.string().optional(),
      old_title: z.string().optional(),
      body: z.string().optional(),
      owner: z.string().nullable().optional(),
      old_owner: z.string().nullable().optional(),
      updated_at: z.string(),
      /** Set if title and body are those of the root of the issue. */
      source: ExternalSource().optional(),
    }),
  ),
  "issue.assigned": shape(() =>
    z.looseObject({ owner: z.string(), updated_at: z.string(), ...Key() }),
  ),
  "issue.unassigned": shape(() => z.looseObject({ owner: z.null(), updated_at: z.string() })),
  "issue.priority_set": shape(() =>
    z.looseObject({
      priority: z.number(),
      old_priority: z.number().optional(),
      updated_at: z.string(),
    }),
  ),
  "issue.priority_cleared": shape(() =>
    z.looseObject({ old_priority: z.number().optional(), updated_at: z.string() }),
  ),
  "issue.labeled": shape(() =>
    z.looseObject({
      label: z.string(),
      /** For a restored label: who added it first, and when. */
      author: z.string().optional(),
      created_at: z.string().optional(),
      updated_at: z.string(),
    }),
  ),
  "issue.unlabeled": shape(() => z.looseObject({ label: z.string(), updated_at: z.string() })),
  "issue.linked": shape(LinkedPayload),
  "issue.unlinked": shape(() =>
    LinkedPayload().extend({ link_from_uid: z.string(), link_to_uid: z.string() }),
  ),
  "issue.links_changed": shape(() =>
    UpdatedAt().extend({
      /** For an imported or restored link: who made it first, and when. */
      author: z.string().optional(),
      created_at: z.string().optional(),
      parent_set: z.string().optional(),
      parent_set_uid: z.string().optional(),
      parent_removed: z.string().optional(),
      parent_removed_uid: z.string().optional(),
      blocks_added: Uids(),
      blocks_added_uids: Uids(),
      blocks_removed: Uids(),
      blocks_removed_uids: Uids(),
      blocked_by_added: Uids(),
      blocked_by_added_uids: Uids(),
      blocked_by_removed: Uids(),
      blocked_by_removed_uids: Uids(),
      related_added: Uids(),
      related_added_uids: Uids(),
      related_removed: Uids(),
      related_removed_uids: Uids(),
    }),
  ),
  "issue.commented": shape(CommentPayload),
  "issue.comment_edited": shape(() =>
    z.looseObject({
      comment_uid: z.string(),
      body: z.string(),
      edited_at: z.string(),
      source: ExternalSource().optional(),
    }),
  ),
  "issue.closed": shape(() =>
    z.looseObject({
      reason: z.string(),
      closed_at: z.string(),
      message: z.string().optional(),
      evidence: z.array(z.looseObject({ type: z.string() })).optional(),
      parent_uid: z.string(),
      parent_short_id: z.string(),
      idempotency_key: z.string().optional(),
      idempotency_fingerprint: z.string().optional(),
    }),
  ),
  "issue.reopened": shape(() => z.looseObject({ reopened_at: z.string(), updated_at: z.string() })),
  "issue.soft_deleted": shape(() =>
    z.looseObject({ deleted_at: z.string(), reason: z.string().optional() }),
  ),
  "issue.restored": shape(() => z.looseObject({ restored_at: z.string(), updated_at: z.string() })),
  "issue.metadata_updated": shape(() =>
    z.looseObject({ diff: Diff(), revision_new: z.number(), updated_at: z.string() }),
  ),
  /**
   * Records what an import read. The issue does not change. `fields` has the values that the next import compares with.
   */
  "issue.imported": shape(() =>
    z.looseObject({
      source: z.string(),
      external_id: z.string(),
      /**
       * All ids that the issue has in the source. Set when an issue that was imported from a file is found again by a
       * source that knows it under other ids.
       */
      external_ids: z.array(z.string()).optional(),
      /** Values by field name; null if the source has no value for the field. */
      fields: z.record(z.string(), Value()),
      /**
       * All links of the issue to issues that are not imported yet. Absent if they have not changed since the last
       * import.
       */
      waiting: z
        .array(
          z.looseObject({
            type: LinkType(),
            incoming: z.boolean().optional(),
            target_external_id: z.string(),
            author: z.string().optional(),
            created_at: z.string().optional(),
          }),
        )
        .optional(),
      /** When the issue was last changed in the source. The issue's own `updated_at` does not move. */
      source_updated_at: z.string().optional(),
      /** Older versions set this instead of `source_updated_at`. It also moved the issue's `updated_at`. */
      updated_at: z.string().optional(),
    }),
  ),
  /** The event belongs to the target project. */
  "issue.moved": shape(() =>
    z.looseObject({
      from_project_uid: z.string(),
      to_project_uid: z.string(),
      from_short_id: z.string(),
      to_short_id: z.string(),
      updated_at: z.string(),
    }),
  ),
  ...BRIDGE_PAYLOADS,
  "claim.acquired": shape(() => ClaimPayload().extend(Key())),
  /** Records in the log how long the lease lasts. The answer to a renewal carries no event. */
  "claim.renewed": shape(ClaimPayload),
  "claim.released": shape(ClaimPayload),
  "claim.expired": shape(ClaimPayload),
  "claim.force_released": shape(ClaimPayload),
  /**
   * A replica changed the issue while somebody else had the lease. The change stays; the lease named here is the one
   * that it ignored (docs/contract/federation.md#9-leases).
   */
  "claim.violated": shape(() =>
    ClaimPayload().extend({
      issue_uid: z.string(),
      offending_event_uid: z.string(),
      offending_event_type: z.string(),
      offending_origin_instance_uid: z.string(),
    }),
  ),
  "recurrence.created": shape(RecurrencePayload),
  "recurrence.updated": shape(() =>
    z.looseObject({
      recurrence_uid: z.string(),
      diff: Diff(),
      revision_new: z.number(),
      updated_at: z.string(),
    }),
  ),
  "recurrence.deleted": shape(() =>
    z.looseObject({ recurrence_uid: z.string(), deleted_at: z.string() }),
  ),
  "recurrence.materialized": shape(() =>
    z.looseObject({
      recurrence_uid: z.string(),
      occurrence_key: z.string(),
      issue_uid: z.string(),
      next_occurrence_key: z.string().nullable(),
      updated_at: z.string(),
    }),
  ),
  /**
   * The day already has an issue, so none was created. `next_occurrence_key` is the next day of the series. It is
   * absent if the series is already past the skipped day.
   */
  "recurrence.materialization_skipped": shape(() =>
    z.looseObject({
      recurrence_uid: z.string(),
      occurrence_key: z.string(),
      existing_issue_uid: z.string(),
      reason: z.enum(["already_exists"]),
      next_occurrence_key: z.string().nullable().optional(),
      updated_at: z.string(),
    }),
  ),
  /**
   * A close was refused. `cohort` names the siblings that were closed shortly before. `prior` names the sibling that
   * was closed with the same message.
   */
  "close.throttled": shape(() =>
    z.looseObject({
      reason: z.enum(["sibling-burst", "duplicate-message"]),
      parent: z.string(),
      cohort: z.array(z.string()).optional(),
      prior: z.string().optional(),
    }),
  ),
  "cron.job.created": shape(DefinitionPayload),
  "cron.job.updated": shape(DefinitionPayload),
  "cron.job.deleted": shape(DefinitionPayload),
  "cron.job.restored": shape(DefinitionPayload),
  "cron.job.snapshot": shape(DefinitionSnapshotPayload),
  "cron.workflow.created": shape(DefinitionPayload),
  "cron.workflow.updated": shape(DefinitionPayload),
  "cron.workflow.deleted": shape(DefinitionPayload),
  "cron.workflow.restored": shape(DefinitionPayload),
  "cron.workflow.snapshot": shape(DefinitionSnapshotPayload),
  "cron.run.observed": shape(RunPayload),
  /** The run with the event of its last observation. */
  "cron.run.snapshot": shape(() =>
    RunPayload().extend({ observation_event_uid: z.string(), observation_hlc: EventClock() }),
  ),
  "token.created": shape(() =>
    TokenPayload().extend({
      token_hash: z.string().describe("SHA-256 of the plaintext, 64 lower-case hex digits"),
      ...Key(),
    }),
  ),
  "token.revoked": shape(() => TokenPayload().extend({ revoked_at: z.string() })),
} as const satisfies Record<EventKind, Shape<z.ZodType<object>>>;

export type { EventKind } from "./event-kinds.ts";
export type Payload<K extends EventKind> = OutputOf<(typeof PAYLOADS)[K]>;

/** An event that is not in the log yet. `tx.append` adds its id and its time by the hybrid logical clock (`hlc_…`). */
export type EventDraft<K extends EventKind = EventKind> = {
  [T in K]: {
    readonly type: T;
    readonly actor: string;
    /**
     * Who wrote the event, if this is not `actor`: a copy that sends its events to a hub writes them in the name of the
     * actor of its enrollment. Not hashed and never sent.
     */
    readonly local_actor?: string;
    readonly project_uid: string;
    readonly issue_uid?: string;
    readonly related_issue_uid?: string;
    readonly payload: Payload<T>;
  };
}[K];

/**
 * An event of the log (docs/contract/events.md#12-fields and docs/contract/events.md#14-the-content-hash). Immutable.
 */
export type StoredEvent<K extends EventKind = EventKind> = EventDraft<K> & {
  /** Usable as a cursor: ids grow in commit order. */
  readonly id: number;
  readonly uid: string;
  readonly origin_instance_uid: string;
  readonly hlc_physical_ms: number;
  readonly hlc_counter: number;
  /** The project whose feed shows the event, if the event's own project was merged or purged. */
  readonly feed_uid?: string;
  /**
   * 64 lower-case hex digits: the SHA-256 of the content that the event has in every database
   * (`store/log/content-hash.ts`).
   */
  readonly content_hash: string;
  readonly created_at: string;
  /**
   * 32 lower-case hex digits: the hash of the chain of the event before it and of `content_hash`
   * (`store/log/chain.ts`). Empty in an event of a file without chains; the store computes it.
   */
  readonly chain: string;
  /**
   * The short ids that this database gave to issues whose short ids in the payload belonged to other issues when the
   * event arrived (`store/fold/assign-short-ids.ts`): by the uid of the issue, then by the uid of the project. Not
   * hashed.
   */
  readonly assigned_ids?: AssignedIds;
  /**
   * The id that the event has on the hub of its project (docs/contract/federation.md#2-state). Absent in an event of
   * this database's own project, and in one that the hub does not have yet.
   */
  readonly hub_event_id?: number;
  /**
   * Set if the hub refused the event and somebody decided not to send it again: the time of this decision
   * (docs/contract/federation.md#87-quarantine). The event stays in the log, and changes nothing. Not hashed.
   */
  readonly skipped_at?: string;
};

export type AssignedIds = Readonly<Record<string, Readonly<Record<string, string>>>>;
