import type { IdempotencyRow, ImportRow } from "../../domain/state.ts";
import { insertion } from "../insertion.ts";
import { removal } from "../removal.ts";
import { statement } from "../statement.ts";

/** What was asked once already: answers that are kept, and issues that came from elsewhere. */

export const putIdempotency = insertion<IdempotencyRow>(
  "idempotency",
  ["scope_uid", "operation", "key", "fingerprint", "event_uid", "created_at"],
  {
    rank: 3,
    conflict: {
      key: ["scope_uid", "operation", "key"],
      set: {
        fingerprint: "excluded.fingerprint",
        event_uid: "excluded.event_uid",
        created_at: "excluded.created_at",
      },
    },
  },
);

export const removeIdempotency = statement(
  (db, p: Pick<IdempotencyRow, "scope_uid" | "operation" | "key">) =>
    db
      .deleteFrom("idempotency")
      .where("scope_uid", "=", p.scope_uid)
      .where("operation", "=", p.operation)
      .where("key", "=", p.key),
);

export const putImport = insertion<ImportRow>(
  "import",
  ["project_uid", "source", "external_id", "issue_uid", "imported_at"],
  {
    rank: 3,
    conflict: {
      key: ["project_uid", "source", "external_id"],
      set: { issue_uid: "excluded.issue_uid", imported_at: "excluded.imported_at" },
    },
  },
);

export const removeImport = removal<ImportKey, ImportRow>(
  "import",
  ["project_uid", "source", "external_id"],
  {
    put: putImport,
    one: statement((db, p: ImportKey) =>
      db
        .deleteFrom("import")
        .where("project_uid", "=", p.project_uid)
        .where("source", "=", p.source)
        .where("external_id", "=", p.external_id),
    ),
  },
);

type ImportKey = Pick<ImportRow, "project_uid" | "source" | "external_id">;
