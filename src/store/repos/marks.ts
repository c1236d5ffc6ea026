import { sql } from "kysely";
import { type JsonObject, parseJson } from "../../base/json.ts";
import type { IdempotencyRow } from "../../domain/state.ts";
import type { Connection } from "../connection.ts";
import { isIn, rowsWith, sqlStatement, statement, unindexed } from "../rows/statement.ts";
import type { Marks } from "../types/store.ts";

export function marks(connection: Connection): Marks {
  return {
    findImports: async (project_uid, source, ids) => {
      if (ids.length === 0) return new Map();
      const rows = await importedRows.all(connection, { project_uid, source, ids });
      return new Map(rows.map(({ external_id, issue_uid }) => [external_id, issue_uid]));
    },
    externalIds: async (source, uids) => {
      if (uids.length === 0) return new Map();
      const rows = await externalIds.all(connection, { source, uids });
      return new Map(rows.map(({ external_id, issue_uid }) => [issue_uid, external_id]));
    },
    syncedIssues: async (uids) => {
      if (uids.length === 0) return new Map();
      const rows = await synced.all(connection, { uids });
      return new Map(
        rows.map(({ issue_uid, provider, config, source, external_id }) => [
          issue_uid,
          { provider, config: parseJson(config) as JsonObject, source, external_id },
        ]),
      );
    },
    findIdempotency: async (scope_uid, operation, key) =>
      await idempotency.one(connection, { scope_uid, operation, key }),
    findTake: async (key) => await take.one(connection, { key }),
    findImport: async (project_uid, source, external_id) =>
      await imported.one(connection, { project_uid, source, external_id }),
    waitingIssues: async () =>
      (await waiting.all(connection, {})).flatMap(({ issue_uid }) => issue_uid ?? []),
    importedAs: async (project_uid, external_id) =>
      await importedAs.all(connection, { project_uid, external_id }),
    importsOf: async (project_uid, source) =>
      await importsOf.all(connection, { project_uid, source }),
    importSources: async (project_uid) =>
      (await sources.all(connection, { project_uid })).map(({ source }) => source),
    importedUnder: async (project_uid, ids) => {
      const found: { source: string; issue_uid: string }[] = [];
      for (const { source } of await sources.all(connection, { project_uid })) {
        const dashed = await firstImported.one(connection, { project_uid, source });
        const prefix = /^[^-]+-/.exec(dashed?.external_id ?? "")?.[0];
        const allIds = prefix === undefined ? ids : [...ids, ...ids.map((id) => prefix + id)];
        const rows = await importedRows.all(connection, { project_uid, source, ids: allIds });
        found.push(...rows.map(({ issue_uid }) => ({ source, issue_uid })));
      }
      return found;
    },
    importedByUuid: async (project_uid, firstDigits) => {
      const found: { source: string; issue_uid: string }[] = [];
      for (const { source } of await sources.all(connection, { project_uid }))
        found.push(...(await withUuid.all(connection, { project_uid, source, firstDigits })));
      return found;
    },
    closedBy: async (sha, limit) => {
      const prefixes = Array.from({ length: sha.length - LEAST_SHA + 1 }, (_, at) =>
        sha.slice(0, LEAST_SHA + at),
      );
      const rows = await commits.all(connection, { from: sha, to: `${sha}g`, prefixes, limit });
      return rows.map(({ issue_uid }) => issue_uid);
    },
    sharedImports: async (project_uid, other_uid) =>
      await shared.all(connection, { project_uid, other_uid }),
  };
}

/** SQL: the uid of this database. Keys of requests to other daemons do not count. */
const OWN = sql<string>`(select value from meta where meta.key = 'instance_uid')`;

const idempotency = statement((db, p: Pick<IdempotencyRow, "scope_uid" | "operation" | "key">) =>
  db
    .selectFrom("idempotency")
    .selectAll()
    .where("scope_uid", "=", p.scope_uid)
    .where("operation", "=", p.operation)
    .where("key", "=", p.key)
    .where("origin_instance_uid", "=", OWN),
);

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
    .where("origin_instance_uid", "=", OWN)
    .orderBy("created_at", "desc")
    .orderBy("event_uid", "desc")
    .limit(1),
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

const externalIds = statement((db, p: { source: string; uids: readonly string[] }, dialect) =>
  db
    .selectFrom("import")
    .select(["external_id", "issue_uid"])
    .where("source", "=", p.source)
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids)),
);

interface SyncedRow {
  readonly issue_uid: string;
  readonly provider: string;
  readonly config: string;
  readonly source: string;
  readonly external_id: string;
}

/**
 * Finds the issues that an enabled binding of issue sync reads. Starts with the enabled bindings, because most
 * databases have none, and looks up the import rows by the index of their issues. An issue that was moved to another
 * project is found too, since its import rows stay with the bound project.
 */
const synced = sqlStatement<{ uids: readonly string[] }, SyncedRow>(
  (p, dialect) => sql`
    select i.issue_uid, i.external_id, i.source, b.provider, b.config
    from issue_sync_binding b cross join import i
    where b.enabled = 1
      and ${isIn(dialect, sql.ref("i.issue_uid"), p.uids)}
      and ${unindexed(dialect, "i.project_uid")} = b.project_uid
      and ${unindexed(dialect, "i.source")} = b.source_key
      and i.external_id like 'issue-number:%'`,
);

const imported = rowsWith("import", ["project_uid", "source", "external_id"]);

/** Finds payloads whose list `waiting` is not empty. Payloads are canonical JSON, so the pattern needs no spaces. */
const waiting = statement((db, _p: Record<never, never>) =>
  db
    .selectFrom("event")
    .select("issue_uid")
    .distinct()
    .where("type", "=", "issue.imported")
    .where("payload", "like", '%"waiting":[{%'),
);

const importedAs = rowsWith("import", ["project_uid", "external_id"], ["source"]);

const importsOf = rowsWith("import", ["project_uid", "source"], ["external_id"]);

/** Steps from one source to the next in the index, because a project has many imports and few sources. */
const sources = sqlStatement<{ project_uid: string }, { source: string }>(
  (p) => sql`with recursive source_of (source) as (
      select min(source) from import where project_uid = ${p.project_uid}
      union all
      select (select min(i.source) from import i where i.project_uid = ${p.project_uid} and i.source > s.source)
      from source_of s where s.source is not null
    )
    select source from source_of where source is not null order by source`,
);

/** The minimum number of digits of a commit hash in close evidence. */
const LEAST_SHA = 7;

/** Matches commits that begin with the given hash, and shortened hashes that are a prefix of the given hash. */
const commits = statement(
  (db, p: { from: string; to: string; prefixes: readonly string[]; limit: number }, dialect) =>
    db
      .selectFrom("issue_commit")
      .select("issue_uid")
      .distinct()
      .where(({ eb, ref }) =>
        eb.or([
          eb.and([eb("sha", ">=", p.from), eb("sha", "<", p.to)]),
          isIn(dialect, ref("sha"), p.prefixes),
        ]),
      )
      .orderBy("issue_uid")
      .limit(p.limit),
);

/**
 * The first external id of a source. It shows the prefix that all ids of a tracker may share, such as `bd-`, so that a
 * search for an id without the prefix finds the issue too.
 */
const firstImported = statement((db, p: { project_uid: string; source: string }) =>
  db
    .selectFrom("import")
    .select("external_id")
    .where("project_uid", "=", p.project_uid)
    .where("source", "=", p.source)
    .orderBy("external_id")
    .limit(1),
);

/** At most this many ids are read for the same first digits. Two are already ambiguous, and more are unlikely. */
const MOST_UUIDS = 3;

/** Searches a range of the index. In a UUID, a dash follows the first digits, and `.` is the character after `-`. */
const withUuid = statement((db, p: { project_uid: string; source: string; firstDigits: string }) =>
  db
    .selectFrom("import")
    .select(["source", "issue_uid"])
    .where("project_uid", "=", p.project_uid)
    .where("source", "=", p.source)
    .where("external_id", ">=", sql<string>`${p.firstDigits} || '-'`)
    .where("external_id", "<", sql<string>`${p.firstDigits} || '.'`)
    .where("external_id", "like", "________-____-____-____-____________")
    .orderBy("external_id")
    .limit(MOST_UUIDS),
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
