import { sql } from "kysely";
import type { IdempotencyRow } from "../../domain/state.ts";
import type { Connection } from "../connection.ts";
import { isIn, rowsWith, statement } from "../statement.ts";
import type { Marks } from "../types/store.ts";

export function marks(connection: Connection): Marks {
  return {
    idempotencyKeys: async (operation, keys) => {
      if (keys.length === 0) return [];
      const scopes = [...new Set(keys.map(({ scope_uid }) => scope_uid))];
      const names = [...new Set(keys.map(({ key }) => key))];
      return await idempotencyRows.all(connection, { operation, scopes, names });
    },
    findImports: async (project_uid, source, ids) => {
      if (ids.length === 0) return new Map();
      const rows = await importedRows.all(connection, { project_uid, source, ids });
      return new Map(rows.map(({ external_id, issue_uid }) => [external_id, issue_uid]));
    },
    findIdempotency: async (scope_uid, operation, key) =>
      await idempotency.one(connection, { scope_uid, operation, key }),
    findTake: async (key) => await take.one(connection, { key }),
    findImport: async (project_uid, source, external_id) =>
      await imported.one(connection, { project_uid, source, external_id }),
    importSources: async (project_uid) =>
      (await sources.all(connection, { project_uid })).map(({ source }) => source),
    sharedImports: async (project_uid, other_uid) =>
      await shared.all(connection, { project_uid, other_uid }),
  };
}

const idempotency = rowsWith("idempotency", ["scope_uid", "operation", "key"]);

/**
 * A key may be used again after it has expired, so the newest row counts. The operation is a literal, because the
 * partial index covers only this operation.
 */
const take = statement((db, p: { key: string }) =>
  db
    .selectFrom("idempotency")
    .selectAll()
    .where("operation", "=", sql.lit("take"))
    .where("key", "=", p.key)
    .orderBy("created_at", "desc")
    .orderBy("event_uid", "desc")
    .limit(1),
);

const idempotencyRows = statement(
  (
    db,
    p: {
      operation: IdempotencyRow["operation"];
      scopes: readonly string[];
      names: readonly string[];
    },
    dialect,
  ) =>
    db
      .selectFrom("idempotency")
      .selectAll()
      .where("operation", "=", p.operation)
      .where(({ ref }) => isIn(dialect, ref("scope_uid"), p.scopes))
      .where(({ ref }) => isIn(dialect, ref("key"), p.names)),
);

const importedRows = statement(
  (db, p: { project_uid: string; source: string; ids: readonly string[] }, dialect) =>
    db
      .selectFrom("import")
      .select(["external_id", "issue_uid"])
      .where("project_uid", "=", p.project_uid)
      .where("source", "=", p.source)
      .where(({ ref }) => isIn(dialect, ref("external_id"), p.ids)),
);

const imported = rowsWith("import", ["project_uid", "source", "external_id"]);

const sources = statement((db, p: { project_uid: string }) =>
  db
    .selectFrom("import")
    .select("source")
    .distinct()
    .where("project_uid", "=", p.project_uid)
    .orderBy("source"),
);

const shared = statement((db, p: { project_uid: string; other_uid: string }) =>
  db
    .selectFrom("import as a")
    .innerJoin("import as b", (join) =>
      join.onRef("a.source", "=", "b.source").onRef("a.external_id", "=", "b.external_id"),
    )
    .select(["a.source", "a.external_id"])
    .where("a.project_uid", "=", p.project_uid)
    .where("b.project_uid", "=", p.other_uid)
    .orderBy("a.source")
    .orderBy("a.external_id"),
);
