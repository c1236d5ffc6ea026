import { instant, integer, issueUid, nullable, text, uid } from "./columns.ts";
import { table } from "./table.ts";

/**
 * Facts about the database: `instance_uid`, `schema_version`, `timezone`. A daemon recognizes its own SQLite file by
 * the database page that contains this table (`store/sqlite/file-content.ts`). So the table must fit into one page, and
 * other unfolded data has tables of its own.
 */
export const meta = table({
  folded: { not: "it describes this database, into which the log of another one can be restored" },
  numbered: false,
  key: ["key"],
  columns: { key: text(), value: text() },
  belongs: { daemon: "it describes the database" },
  record: { none: "the first lines of an export contain what an import needs of it" },
});

/** PostgreSQL only: which of several daemons is elected to run each engine (`store/postgres/elections.ts`). */
export const election = table({
  folded: { not: "it is about daemons, not about issues" },
  numbered: false,
  key: ["name"],
  columns: {
    name: text(),
    /** The daemon that was elected; empty after it gave up the term. */
    holder: text(),
    /** Grows by one each time another daemon takes over. */
    term: integer(1),
    since: instant(),
    /** When the term ends unless it is renewed. */
    until: instant(),
    /** The previous holder, if its term expired. Null if it released the term or is the current holder. */
    taken_from: nullable(text()),
  },
  belongs: { daemon: "it is about the daemons that run now" },
  record: { none: "it is about the daemons that run now" },
});

/**
 * PostgreSQL only: the last commit of each daemon. A daemon that lost the answer to a commit finds here whether it was
 * made (`store/log/daemon-commits.ts`).
 */
export const daemon_commit = table({
  folded: { not: "it is about daemons, not about issues" },
  numbered: false,
  key: ["daemon"],
  columns: {
    /** A random name that a daemon chooses at each start. */
    daemon: text(),
    /** The number of the daemon's last commit. A daemon counts its commits from 1. */
    number: integer(1),
    /** The time of this commit, by the clock of the daemon. */
    at: instant(),
  },
  belongs: { daemon: "it is about the daemons that run now" },
  record: { none: "it is about the daemons that run now" },
});

/**
 * What svc doctor has verified: an issue, or a stretch of the log. As long as the rows have this digest, and no later
 * event is about the issue, the next run does not fold the issue again.
 */
export const doctor_checkpoint = table({
  folded: { not: "it says what was verified in this database" },
  numbered: false,
  key: ["subject"],
  columns: {
    /** The uid of an issue, or the name of a stretch of the log (`store/refold/checkpoint.ts`). */
    subject: text(),
    digest: text(),
    /** The last event of the log that this check covered. */
    event_id: integer(0),
  },
  belongs: { issue: ["subject"] },
  record: { none: "it says what was verified in this database" },
});

/**
 * The metadata keys of live and deleted issues, so that issues with a key are found without reading all metadata.
 * `store/rows/meta-key.ts` says what `value` contains.
 */
export const issue_meta = table({
  folded: { not: "an index of the metadata of issues" },
  numbered: false,
  key: ["issue_uid", "key"],
  columns: { issue_uid: issueUid(), key: text(), value: nullable(text()) },
  belongs: { issue: ["issue_uid"] },
  record: { none: "a restore derives it" },
});

/**
 * Number of issues with a label in a project, not counting deleted issues. A label that is no longer used may stay with
 * 0.
 */
export const label_count = table({
  folded: { not: "a count of folded rows" },
  numbered: false,
  key: ["project_uid", "label"],
  columns: { project_uid: uid(), label: text(), count: integer(0) },
  belongs: { project: "project_uid" },
  record: { none: "a restore derives it" },
});

/** Commits that the close of an issue named as evidence (`store/fold/closing-commits.ts`). */
export const issue_commit = table({
  folded: { not: "an index of the log" },
  numbered: false,
  key: ["sha", "issue_uid"],
  columns: { sha: text(), issue_uid: issueUid() },
  belongs: { issue: ["issue_uid"] },
  record: { none: "a restore derives it" },
});

/** Each word of the full-text index (`store/text/vocabulary.ts`). */
export const text_word = table({
  folded: { not: "a part of the full-text index" },
  numbered: false,
  key: ["word"],
  columns: { word: text() },
  belongs: { none: "a purge empties it" },
  record: { none: "a restore derives it" },
});
