import { flag, instant, integer, nullable, object, projectUid, text } from "./columns.ts";
import { table } from "./table.ts";

/** The repository of a code host from which a project's issues are read. A project has one at most. */
export const issue_sync_binding = table({
  folded: {
    not: "it is a setting of this database; the issues that it brings are",
    writable: true,
  },
  numbered: false,
  key: ["project_uid"],
  columns: {
    project_uid: projectUid(),
    provider: text(),
    /** `<provider>:<remote_id>`, which is also the `source` of the imported issues. */
    source_key: text(),
    remote_id: text(),
    /** `owner/repo`, as the host spells it. */
    display_name: text(),
    config: object("the config of an issue sync binding"),
    enabled: flag(),
    interval_seconds: integer(1),
    /** Start of the last successful run. The next run asks for what changed since then; null asks for everything. */
    last_cursor_at: nullable(instant()),
    created_at: instant(),
    updated_at: instant(),
  },
  belongs: { project: "project_uid" },
  lifecycle: {
    merge: { refuse: "project_has_issue_sync" },
    move: "stay",
    purge: "delete",
    restore: { set: { enabled: 0 } },
  },
  record: { kind: "issue_sync_binding", ignored: ["id"] },
});

/** The result of a binding's last run, and the start of a run that has not ended. */
export const issue_sync_status = table({
  folded: { not: "a run of issue sync is no change of an issue", writable: true },
  numbered: false,
  key: ["project_uid"],
  columns: {
    project_uid: projectUid(),
    /**
     * The start of the run that is under way or was killed, otherwise null. A run whose start is no longer stored here
     * has lost its claim.
     */
    sync_started_at: nullable(instant()),
    last_attempt_at: nullable(instant()),
    last_success_at: nullable(instant()),
    last_error_at: nullable(instant()),
    last_error: nullable(text()),
    last_created: integer(0),
    last_updated: integer(0),
    last_unchanged: integer(0),
    last_comments: integer(0),
  },
  belongs: { project: "project_uid" },
  lifecycle: {
    // A project with a binding cannot be merged into another one, so a status that is deleted here belongs to no
    // binding.
    merge: "delete",
    move: "stay",
    purge: "delete",
    restore: { set: { sync_started_at: null } },
  },
  record: { kind: "issue_sync_status", ignored: ["binding_id"] },
});
