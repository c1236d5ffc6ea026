import {
  flag,
  instant,
  integer,
  issueUid,
  metadata,
  nullable,
  oneOf,
  projectUid,
  text,
  uid,
} from "./columns.ts";
import { table } from "./table.ts";

const count = () => integer(0, { initial: 0 });

export const issue = table({
  folded: true,
  numbered: true,
  key: ["uid"],
  columns: {
    uid: uid(),
    project_uid: projectUid(),
    short_id: text(),
    title: text(),
    body: text(),
    status: oneOf(["open", "closed"]),
    closed_reason: nullable(text()),
    owner: nullable(text()),
    priority: nullable(integer(0)),
    author: text(),
    created_at: instant(),
    updated_at: instant(),
    closed_at: nullable(instant()),
    deleted_at: nullable(instant()),
    metadata: metadata(),
    revision: integer(1),
    /** The series that the issue belongs to; `occurrence_key` is its day in the series. */
    recurrence_uid: nullable(
      uid({
        reference: {
          to: "recurrence",
          id: "recurrence_id",
          uid: { field: "recurrence_uid", stands: "beside" },
        },
      }),
    ),
    occurrence_key: nullable(text()),
  },
  /** Lists filter and sort by these columns (docs/architecture/issues.md, Readiness). */
  derived: {
    open_blockers: count(),
    open_children: count(),
    total_children: count(),
    parked: flag({ initial: 0 }),
    held: flag({ initial: 0 }),
    ready_from: nullable(instant()),
    /**
     * Grows with each change of title or body. Tells whether vectors of the text are current. No part of the fold: it
     * begins at 1 again after a restore, and the doctor does not compare it.
     */
    content_revision: integer(1, { initial: 1 }),
  },
  /** The local id of the series; null if the database does not contain the series. */
  beside: { recurrence_id: nullable(integer(1)) },
  belongs: { project: "project_uid" },
  undo: "facets",
  record: { kind: "issue" },
});

export const comment = table({
  folded: true,
  numbered: true,
  key: ["uid"],
  columns: {
    uid: uid(),
    issue_uid: issueUid(),
    author: text(),
    body: text(),
    created_at: instant(),
    teammate: nullable(text()),
  },
  belongs: { issue: ["issue_uid"] },
  undo: "facets",
  record: { kind: "comment" },
});

export const label = table({
  folded: true,
  numbered: false,
  key: ["issue_uid", "label"],
  columns: { issue_uid: issueUid(), label: text(), author: text(), created_at: instant() },
  belongs: { issue: ["issue_uid"] },
  undo: "facets",
  record: { kind: "issue_label" },
});

const linkEnd = (name: "from" | "to") =>
  uid({
    reference: {
      to: "issue",
      id: `${name}_issue_id`,
      uid: { field: `${name}_issue_uid`, stands: "beside" },
    },
  });

const linkColumns = {
  from_uid: linkEnd("from"),
  to_uid: linkEnd("to"),
  type: oneOf(["parent", "blocks", "related"]),
  author: text(),
  created_at: instant(),
} as const;

/** `parent`: child → parent; `blocks`: blocker → blocked; `related`: the smaller uid → the larger. */
export const link = table({
  folded: true,
  numbered: true,
  key: ["from_uid", "to_uid", "type"],
  columns: linkColumns,
  belongs: { issue: ["from_uid", "to_uid"] },
  undo: "facets",
  // Older export files repeat the project, which the issues already determine.
  record: { kind: "link", ignored: ["project_id"] },
});

/**
 * Links that are set but not shown (`evolve/link-changes.ts`): an issue of the link is missing, the link would close a
 * circle of parents, or it leads out of the projects of a hub.
 */
export const waiting_link = table({
  folded: true,
  numbered: false,
  key: ["from_uid", "to_uid", "type"],
  columns: { ...linkColumns, from_uid: uid(), to_uid: uid() },
  belongs: { issue: ["from_uid", "to_uid"] },
  undo: { none: "no command shows it, so nobody can have changed it" },
  record: { kind: "waiting_link" },
});

/** A short id that an issue had in a project before it moved to another project. No other issue gets this short id. */
export const former = table({
  folded: true,
  numbered: false,
  key: ["project_uid", "short_id"],
  columns: { project_uid: projectUid(), short_id: text(), issue_uid: issueUid() },
  belongs: { issue: ["issue_uid"] },
  undo: { none: "no other issue may get the short id" },
  record: { none: "an import reads it from the events" },
});
