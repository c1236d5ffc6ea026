import {
  flag,
  instant,
  integer,
  issueUid,
  nullable,
  object,
  oneOf,
  text,
  texts,
  uid,
} from "./columns.ts";
import { table } from "./table.ts";

const NOT_IN_LOG = "it says how this daemon keeps an issue and a record elsewhere alike";

/**
 * Says that a record of another tracker owns the title and body of the issue. The events of the bridge set and remove
 * it, so a daemon that only has a copy of the project knows it too (docs/contract/connectors.md#4-what-is-stored).
 */
export const external_root = table({
  folded: true,
  numbered: false,
  key: ["issue_uid"],
  columns: {
    issue_uid: issueUid(),
    binding_uid: uid(),
    connector_instance: text(),
    /** 0 while the bridge is paused, which changes nothing about who owns the title and body. */
    enabled: flag(),
  },
  belongs: { issue: ["issue_uid"] },
  undo: { none: "a bridge is ended by hand (svc bridge unbind)" },
  record: { kind: "external_root" },
});

/**
 * The bridge of an issue to a record of another tracker, on the daemon that runs its connector. The row stays after the
 * end of the bridge (`active` 0), so that the record is never bound to another issue
 * (docs/contract/connectors.md#4-what-is-stored).
 */
export const external_root_binding = table({
  folded: { not: NOT_IN_LOG, writable: true },
  numbered: true,
  key: ["uid"],
  columns: {
    uid: uid(),
    issue_uid: issueUid(),
    connector_instance: text(),
    external_root_key: text(),
    /** SHA-256 of instance, NUL and account, as 64 lower-case hex digits. The account itself is stored nowhere. */
    external_account_digest: text(),
    /** 1 until the bridge is ended. */
    active: flag(),
    /** 0 while the bridge is paused, and after its end. */
    enabled: flag(),
    receive_comments: flag(),
    publish_comments: flag(),
    complete_external: flag(),
    /** The run that works on the bridge now. An export does not contain it. */
    claim_token: nullable(uid()),
    claim_started_at: nullable(instant()),
    last_external_revision: nullable(text()),
    /** SHA-256 of the title, NUL and body of the root at that revision, as 64 lower-case hex digits. */
    last_external_digest: nullable(text()),
    last_external_state: nullable(oneOf(["open", "complete", "deleted"])),
    last_external_updated_at: nullable(instant()),
    last_attempt_at: nullable(instant()),
    last_success_at: nullable(instant()),
    /** One of four fixed texts, and the error code behind `: ` if there is one; never a text of the connector. */
    last_error: nullable(text()),
    last_error_at: nullable(instant()),
    /** Failures since the last success. */
    consecutive_failures: integer(0),
    /** Null: at the next scan. */
    next_attempt_at: nullable(instant()),
    paused_reason: nullable(text()),
    /** The comment that is being published: the provider may have it, and this database does not know yet. */
    pending_comment_uid: nullable(uid()),
    pending_comment_started_at: nullable(instant()),
    /** The last request about the state of the root: `complete` or `open`, and the revision that caused it. */
    requested_state: nullable(oneOf(["open", "complete"])),
    requested_revision: nullable(text()),
    created_at: instant(),
    updated_at: instant(),
    unbound_at: nullable(instant()),
  },
  belongs: { issue: ["issue_uid"] },
  record: { kind: "external_root_binding", without: ["claim_token", "claim_started_at"] },
});

/**
 * What a bridge knows of one comment. A comment that is on both sides has two rows, one for each side, so that each is
 * found by its own id.
 */
export const external_comment = table({
  folded: { not: NOT_IN_LOG, writable: true },
  numbered: false,
  key: ["binding_uid", "side", "comment_id"],
  columns: {
    binding_uid: uid(),
    issue_uid: issueUid(),
    side: oneOf(["external", "local"]),
    /** The provider's id of the comment, or the uid of the comment here. */
    comment_id: text(),
    /**
     * - `seen`, of an external comment: it was there at the bind, with this revision, and is not imported.
     * - `imported`: the comment here is a copy of the external one.
     * - `published`: the external comment is a copy of the one here.
     * - `skipped`, of a comment here: it is never published.
     */
    state: oneOf(["seen", "imported", "published", "skipped"]),
    /** The id of the comment on the other side; null if `seen` or `skipped`. */
    other_id: nullable(text()),
    /** This column and the next two are set for external comments, as the provider gave them last. */
    revision: nullable(text()),
    external_updated_at: nullable(instant()),
    /** SHA-256 of the body, as 64 lower-case hex digits. */
    body_digest: nullable(text()),
    created_at: instant(),
    updated_at: instant(),
  },
  belongs: { issue: ["issue_uid"] },
  record: { kind: "external_comment" },
});

/** The field of a connector's records that is kept equal to a date field of issues, for all bridges of the instance. */
export const external_field_mapping = table({
  folded: { not: NOT_IN_LOG, writable: true },
  numbered: false,
  key: ["uid"],
  columns: {
    uid: uid(),
    connector_instance: text(),
    svc_field: oneOf(["scheduled_on", "deadline_on"]),
    external_field_id: text(),
    external_field_name: text(),
    accepted_kinds: texts("the kinds of an external field"),
    nullable: flag(),
    writable: flag(),
    schema_revision: text(),
    /** 0 after the field was unmapped, or mapped anew: then another row is active. */
    active: flag(),
    created_at: instant(),
    updated_at: instant(),
  },
  belongs: { none: "all projects share it" },
  record: { kind: "external_field_mapping" },
});

/** The value that both sides of a bridge last agreed on for one mapped field, and the conflict since then. */
export const external_field_state = table({
  folded: { not: NOT_IN_LOG, writable: true },
  numbered: false,
  key: ["binding_uid", "mapping_uid"],
  columns: {
    binding_uid: uid(),
    issue_uid: issueUid(),
    mapping_uid: uid(),
    /** Null before the first agreement. */
    baseline: nullable(object("the value of an external field")),
    conflicted: flag(),
    /**
     * The values of both sides when the conflict was found; null if there is none, or if a value is not valid. Without
     * a conflict, the local one is the value that was sent to the provider, until it is known whether it arrived.
     */
    conflict_local: nullable(object("the local value of an external field")),
    conflict_external: nullable(object("the external value of an external field")),
    conflict_at: nullable(instant()),
    updated_at: instant(),
  },
  belongs: { issue: ["issue_uid"] },
  record: { kind: "external_field_state" },
});
