import { type RawBuilder, sql } from "kysely";
import type { LinkType, ListedTable } from "../../domain/state.ts";
import type { Table } from "../../domain/tables/table.ts";
import {
  FOLDED,
  type FoldedTable,
  type OneKeyTable,
  type Rows,
  TABLES,
} from "../../domain/tables/tables.ts";
import type { Connection, Dialect, Value } from "../connection.ts";
import { parsed } from "../rows/rows.ts";
import {
  isIn,
  listAs,
  rowsWith,
  type Statement,
  sqlStatement,
  statement,
} from "../rows/statement.ts";
import type { Selected } from "../schema.ts";

export async function rowsByKeys<T extends OneKeyTable>(
  connection: Connection,
  table: T,
  keys: readonly string[],
): Promise<readonly Rows[T][]> {
  const found = await selectByKeys[table].all(connection, { keys });
  return found.map((row) => parsed<T>(table, row));
}

/** Returns the rows of a project in the order of their ids, or of their keys in tables without ids. */
export async function rowsOfProject<T extends ListedTable>(
  connection: Connection,
  table: T,
  uid: string,
): Promise<readonly Rows[T][]> {
  const found = await selectOfProject[table].all(connection, { uid });
  return found.map((row) => parsed<T>(table, row));
}

type Selects<P> = { readonly [T in FoldedTable]: Statement<P, Selected<T>> };

function selectsWhere<P extends { readonly [K in keyof P]: Value }>(
  where: (table: Table, p: P, dialect: Dialect) => RawBuilder<unknown>,
): Selects<P> {
  const selects = FOLDED.map((name) => {
    const table: Table = TABLES[name];
    const columns = sql.join(Object.keys(table.columns).map((column) => sql.ref(column)));
    const statement = sqlStatement<P, unknown>(
      (p, dialect) =>
        sql`select ${columns} from ${sql.table(name)} where ${where(table, p, dialect)}`,
    );
    return [name, statement];
  });
  return Object.fromEntries(selects) as unknown as Selects<P>;
}

const selectByKeys = selectsWhere<{ readonly keys: readonly string[] }>(
  ({ key: [key = ""] }, p, dialect) => isIn(dialect, sql.ref(key), p.keys),
);

const selectOfProject = selectsWhere<{ readonly uid: string }>(
  ({ numbered, key }, p) =>
    sql`project_uid = ${p.uid} order by ${sql.join((numbered ? ["id"] : key).map((name) => sql.ref(name)))}`,
);

export const issuesByUid = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("issue")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids)),
);

/** Returns the uids that belong to issues, including deleted issues. */
export async function existingIssues(
  connection: Connection,
  uids: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set((await existing.all(connection, { uids })).map(({ uid }) => uid));
}

const existing = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("issue")
    .select("uid")
    .where(({ ref }) => isIn(dialect, ref("uid"), p.uids)),
);

export const labelByKey = rowsWith("label", ["issue_uid", "label"]);

export const labelsByIssue = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("label")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids)),
);

export const linksFrom = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("link")
    .select(["from_uid", "to_uid", "type", "author", "created_at"])
    .where(({ ref }) => isIn(dialect, ref("from_uid"), p.uids)),
);

export const childrenOf = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("link")
    .select(["from_uid", "to_uid"])
    .where("type", "=", "parent")
    .where(({ ref }) => isIn(dialect, ref("to_uid"), p.uids)),
);

export const parentLinks = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("link")
    .select(["from_uid", "to_uid", "type", "author", "created_at"])
    .where("type", "=", "parent")
    .where(({ ref }) => isIn(dialect, ref("from_uid"), p.uids)),
);

export const linkByKey = statement((db, p: { from_uid: string; to_uid: string; type: LinkType }) =>
  db
    .selectFrom("link")
    .select(["from_uid", "to_uid", "type", "author", "created_at"])
    .where("from_uid", "=", p.from_uid)
    .where("type", "=", p.type)
    .where("to_uid", "=", p.to_uid),
);

export const uidsByProject = statement((db, p: { uid: string }) =>
  db.selectFrom("issue").select("uid").where("project_uid", "=", p.uid).orderBy("id"),
);

export const issuesByName = statement((db, p: { uid: string; name: string }) =>
  db
    .selectFrom("issue")
    .select("uid")
    .where("project_uid", "=", p.uid)
    .where(({ or, eb }) => or([eb("author", "=", p.name), eb("owner", "=", p.name)]))
    .orderBy("id"),
);

export const commentsByName = statement((db, p: { uid: string; name: string }) =>
  db
    .selectFrom("comment as c")
    .innerJoin("issue as i", "i.uid", "c.issue_uid")
    .select(["c.uid", "c.issue_uid", "c.author", "c.body", "c.created_at", "c.teammate"])
    .where("i.project_uid", "=", p.uid)
    .where("c.author", "=", p.name)
    .orderBy("c.id"),
);

export const linksByName = statement((db, p: { uid: string; name: string }) =>
  db
    .selectFrom("link as l")
    .innerJoin("issue as i", "i.uid", "l.from_uid")
    .select(["l.from_uid", "l.to_uid", "l.type", "l.author", "l.created_at"])
    .where("i.project_uid", "=", p.uid)
    .where("l.author", "=", p.name)
    .orderBy("l.id"),
);

export const waitingByName = statement((db, p: { uid: string; name: string }) =>
  db
    .selectFrom("waiting_link as l")
    .innerJoin("issue as i", "i.uid", "l.from_uid")
    .select(["l.from_uid", "l.to_uid", "l.type", "l.author", "l.created_at"])
    .where("i.project_uid", "=", p.uid)
    .where("l.author", "=", p.name)
    .orderBy("l.from_uid")
    .orderBy("l.to_uid")
    .orderBy("l.type"),
);

/** The waiting links with an end at one of these issues. The issues may be missing. */
export const waitingAt = statement((db, p: { uids: readonly string[] }, dialect) => {
  const all = db.selectFrom("waiting_link").selectAll();
  return all
    .where(({ ref }) => isIn(dialect, ref("from_uid"), p.uids))
    .union(all.where(({ ref }) => isIn(dialect, ref("to_uid"), p.uids)));
});

export const waitingFrom = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("waiting_link")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("from_uid"), p.uids)),
);

export const waitingParentLinks = statement((db, _p: Record<never, never>) =>
  db
    .selectFrom("waiting_link")
    .selectAll()
    .where("type", "=", sql.lit("parent" as const)),
);

export const purgedAmong = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("purged_issue")
    .select("issue_uid")
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids)),
);

/** Those of these issues that have a child. */
export const parentsAmong = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("issue")
    .select("issue.uid")
    .where(({ ref }) => isIn(dialect, ref("issue.uid"), p.uids))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("link")
          .whereRef("link.to_uid", "=", "issue.uid")
          .where("link.type", "=", sql.lit("parent" as const))
          .select(sql.lit(1).as("one")),
      ),
    ),
);

/**
 * These issues and all their ancestors, through shown and waiting parent links. The query ends even in a circle of
 * parents, because `union` keeps no row twice.
 */
export const withAncestors = sqlStatement<
  { readonly uids: readonly string[] },
  { readonly uid: string }
>(
  (p, dialect) => sql`with recursive line(uid) as (
    select value${collated(dialect)} from ${listAs(dialect, p.uids, "starts")}
    union
    select coalesce(
      (select to_uid from link where from_uid = line.uid and type = 'parent'),
      (select to_uid from waiting_link where from_uid = line.uid and type = 'parent'))
    from line where line.uid is not null)
    select uid from line where uid is not null`,
);

/** PostgreSQL wants both parts of a recursive query to sort texts alike, as the columns do. */
function collated(dialect: Dialect) {
  return dialect === "sqlite" ? sql`` : sql` collate "C"`;
}

/** The missing issues at which a waiting link starts. */
export async function missingStarts(connection: Connection): Promise<readonly string[]> {
  return (await startsMissing.all(connection, {})).map(({ from_uid }) => from_uid);
}

const startsMissing = statement((db, _p: Record<never, never>) =>
  db
    .selectFrom("waiting_link")
    .select("from_uid")
    .distinct()
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("issue")
            .whereRef("issue.uid", "=", "waiting_link.from_uid")
            .select(sql.lit(1).as("one")),
        ),
      ),
    )
    .orderBy("from_uid"),
);
