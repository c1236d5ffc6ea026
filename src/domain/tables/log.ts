import { instant, integer, nullable, object, oneOf, text, uid } from "./columns.ts";
import { table } from "./table.ts";

/**
 * The event log. Events (`StoredEvent`) are not plain rows: separate code converts them to and from rows and export
 * records.
 */
export const event = table({
  folded: { not: "everything else is folded from it" },
  numbered: false,
  key: ["id"],
  columns: {
    id: integer(1),
    uid: uid(),
    origin_instance_uid: uid(),
    project_uid: uid(),
    /**
     * The project whose feed shows the event. This is the event's own project, until that project is merged or purged.
     */
    feed_uid: uid(),
    issue_uid: nullable(uid()),
    related_issue_uid: nullable(uid()),
    type: text(),
    actor: text(),
    payload: object("the payload of event {id} ({uid})"),
    hlc_physical_ms: integer(0),
    hlc_counter: integer(0),
    content_hash: text(),
    created_at: instant(),
    /**
     * The hash of the predecessor's chain and of `content_hash` (`store/log/chain.ts`). It is local: it follows the
     * order in which the events arrived here.
     */
    chain: text({ absent: "" }),
    /**
     * The short ids that this database uses in place of those in the payload (`StoredEvent`). They are local too. Null
     * in nearly all events.
     */
    assigned_ids: nullable(object("the assigned short ids of event {id} ({uid})")),
    /** The id that the event has on the hub of its project (`StoredEvent`). */
    hub_event_id: nullable(integer(1)),
    /** Who wrote the event here, if the hub gets it in the name of another `actor` (`StoredEvent`). */
    local_actor: nullable(text()),
    /** Set if the hub refused the event and somebody decided not to send it again (`StoredEvent`). */
    skipped_at: nullable(instant()),
  },
  belongs: { none: "it is purged with its issue or its feed (store/purge/events.ts)" },
  record: { kind: "event" },
});

/** The issues that an event's payload names as the other end of a link (`store/fold/mentions.ts`). */
export const event_mention = table({
  folded: { not: "an index of the log" },
  numbered: false,
  key: ["issue_uid", "event_id"],
  columns: { issue_uid: uid(), event_id: integer(1) },
  belongs: { issue: ["issue_uid"] },
  record: { none: "a restore reads it from the log" },
});

/**
 * An index of the events that each import wrote, and of the events that undid or redid them
 * (`store/fold/import-events.ts`).
 */
export const import_event = table({
  folded: { not: "an index of the log" },
  numbered: false,
  key: ["batch_uid", "issue_uid", "event_id"],
  columns: {
    batch_uid: text(),
    issue_uid: uid(),
    event_id: integer(1),
    /** What the event did to the issue. `noted`: nothing; it only records what the import read. */
    kind: oneOf(["created", "changed", "deleted", "noted", "undone", "redone"]),
  },
  belongs: { issue: ["issue_uid"] },
  record: { none: "a restore reads it from the log" },
});

/** The events that change a job, a workflow or a run (`store/fold/cron-events.ts`). */
export const cron_event = table({
  folded: { not: "an index of the log" },
  numbered: false,
  key: ["row_uid", "event_id"],
  columns: { row_uid: uid(), event_id: integer(1) },
  belongs: { none: "it is deleted with its event (store/fold/cron-events.ts)" },
  record: { none: "a restore reads it from the log" },
});

/**
 * The places from which events were deleted, by a purge for example. Each row keeps the chain on both sides of a run of
 * deleted events, so that the chain of the log can still be checked (`store/log/gaps.ts`).
 */
export const log_gap = table({
  folded: { not: "it is about events that are deleted" },
  numbered: false,
  key: ["before_id"],
  columns: {
    /** The last event before the gap; 0 if the log begins with the gap. */
    before_id: integer(0),
    before_chain: text(),
    /**
     * The id of the last deleted event. The chain of the event after the gap was computed from the chain of this event.
     */
    last_id: integer(1),
    last_chain: text(),
  },
  belongs: { daemon: "a file that is merged into another database gets new chains" },
  record: { kind: "log_gap" },
});

/**
 * A single row: the id of the last event (or the last id that a purge reserved), the last clock of the database
 * (projects in `project_clock` have their own), the chain of the last event, and the epoch of the log
 * (`store/log/identity.ts`).
 */
export const log_head = table({
  folded: { not: "the end of the log" },
  numbered: false,
  key: ["one"],
  columns: {
    one: integer(1),
    last_event_id: integer(0),
    hlc_physical_ms: integer(0),
    hlc_counter: integer(0),
    chain: text(),
    epoch: text(),
  },
  belongs: { none: "it describes the whole log" },
  record: { none: "a restore reads it from the log" },
});

/**
 * The clock of each project that is read, or was read, from a hub: no event of the project is ahead of it. Other
 * projects have the clock in `log_head` (`store/log/project-clocks.ts`).
 */
export const project_clock = table({
  folded: { not: "the end of a project's log" },
  numbered: false,
  key: ["project_uid"],
  columns: { project_uid: uid(), hlc_physical_ms: integer(0), hlc_counter: integer(0) },
  belongs: { project: "project_uid" },
  record: { none: "a restore reads it from the log" },
});
