import type { IdempotencyRow, ImportRow } from "../../domain/state.ts";
import { statement } from "../statement.ts";

/** What was asked once already: answers that are kept, and issues that came from elsewhere. */

export const putIdempotency = statement((db, p: IdempotencyRow) =>
  db
    .insertInto("idempotency")
    .values({
      scope_uid: p.scope_uid,
      operation: p.operation,
      key: p.key,
      fingerprint: p.fingerprint,
      event_uid: p.event_uid,
      created_at: p.created_at,
    })
    .onConflict((conflict) =>
      conflict.columns(["scope_uid", "operation", "key"]).doUpdateSet({
        fingerprint: p.fingerprint,
        event_uid: p.event_uid,
        created_at: p.created_at,
      }),
    ),
);

export const removeIdempotency = statement(
  (db, p: Pick<IdempotencyRow, "scope_uid" | "operation" | "key">) =>
    db
      .deleteFrom("idempotency")
      .where("scope_uid", "=", p.scope_uid)
      .where("operation", "=", p.operation)
      .where("key", "=", p.key),
);

export const putImport = statement((db, p: ImportRow) =>
  db
    .insertInto("import")
    .values({
      project_uid: p.project_uid,
      source: p.source,
      external_id: p.external_id,
      issue_uid: p.issue_uid,
      imported_at: p.imported_at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["project_uid", "source", "external_id"])
        .doUpdateSet({ issue_uid: p.issue_uid, imported_at: p.imported_at }),
    ),
);

export const removeImport = statement(
  (db, p: Pick<ImportRow, "project_uid" | "source" | "external_id">) =>
    db
      .deleteFrom("import")
      .where("project_uid", "=", p.project_uid)
      .where("source", "=", p.source)
      .where("external_id", "=", p.external_id),
);
