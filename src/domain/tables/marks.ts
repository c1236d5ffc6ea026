import { instant, issueUid, oneOf, text, uid } from "./columns.ts";
import { table } from "./table.ts";

/**
 * A request with an idempotency key, the fingerprint of its content and its event
 * (docs/contract/http-api.md#17-idempotency-keys). A key belongs to the database that was asked: two daemons may use
 * one key for different requests.
 */
export const idempotency = table({
  folded: true,
  numbered: false,
  key: ["scope_uid", "operation", "key", "origin_instance_uid"],
  columns: {
    /** The uid of the project for create and close, of the issue for comment and take. */
    scope_uid: uid(),
    operation: oneOf(["create", "comment", "close", "take"]),
    key: text(),
    origin_instance_uid: uid(),
    fingerprint: text(),
    event_uid: uid(),
    created_at: instant(),
  },
  belongs: {
    none: "a key of a project is purged with the event that answered it (store/purge/events.ts)",
  },
  undo: { none: "a repeated request still gets the answer to the first" },
  record: { none: "an import reads it from the events" },
});

/** Which issue an imported record became. */
export const imported = table({
  folded: true,
  numbered: false,
  key: ["project_uid", "source", "external_id"],
  columns: {
    source: text(),
    external_id: text(),
    project_uid: uid({
      constants: { object_type: "issue" },
      // If the export does not contain the project, because it was purged or another project is exported, the record
      // has the project's uid instead of its local id.
      reference: {
        to: "project",
        id: "project_id",
        uid: { field: "project_uid", stands: "instead" },
      },
    }),
    issue_uid: issueUid(),
    imported_at: instant(),
  },
  belongs: { issue: ["issue_uid"] },
  undo: { none: "a later import still finds the issue of a record" },
  record: { kind: "import_mapping", ignored: ["id"] },
});
