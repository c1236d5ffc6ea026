import { instant, integer, issueUid, nullable, text, uid } from "./columns.ts";
import { table } from "./table.ts";

/**
 * What a database says of itself: `instance_uid`, `schema_version`, `timezone`. It stays on one page: by this page a
 * daemon sees that the file is still its own (`store/file-content.ts`). What else is not folded has tables of its own.
 */
export const meta = table({
  folded: { not: "it is of the database, and the log of any database can be restored into it" },
  numbered: false,
  key: ["key"],
  columns: { key: text(), value: text() },
  belongs: { none: "it is of the database" },
  record: { none: "an export says what it needs of it in its first lines" },
});

/** PostgreSQL alone: which daemon does a work that one of them does for all (`store/elections.ts`). */
export const election = table({
  folded: { not: "it says nothing of issues" },
  numbered: false,
  key: ["name"],
  columns: {
    name: text(),
    /** Empty when it was given away. */
    holder: text(),
    /** One higher each time that the work changes hands. */
    term: integer(1),
    since: instant(),
    /** The end of the term unless it is renewed. */
    until: instant(),
    /** Whose term ran out before this one began; null when the work was given away, or is the same daemon's. */
    taken_from: nullable(text()),
  },
  belongs: { none: "it is of the daemons" },
  record: { none: "it is of the daemons that run now" },
});

/** Metadata keys of live and deleted issues, so that lists can be driven by one: see `store/meta-key.ts` for `value`. */
export const issue_meta = table({
  folded: { not: "an index of the metadata of issues" },
  numbered: false,
  key: ["issue_uid", "key"],
  columns: { issue_uid: issueUid(), key: text(), value: nullable(text()) },
  belongs: { issue: ["issue_uid"] },
  record: { none: "a restore derives it" },
});

/** How many issues of a project carry a label, deleted ones apart; what no issue carries any more may stay with 0. */
export const label_count = table({
  folded: { not: "a count of folded rows" },
  numbered: false,
  key: ["project_uid", "label"],
  columns: { project_uid: uid(), label: text(), count: integer(0) },
  belongs: { project: "project_uid" },
  record: { none: "a restore derives it" },
});
