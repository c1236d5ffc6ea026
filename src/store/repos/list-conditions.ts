import { type SqlBool, sql } from "kysely";
import { builder, type Dialect } from "../connection.ts";
import { indexed } from "../rows/meta-key.ts";
import { unindexed } from "../rows/statement.ts";
import type { Selected } from "../schema.ts";
import type { PageFilter } from "../types/issues.ts";
import {
  containsText,
  type Driver,
  datedUids,
  isChild,
  isRelated,
  issuesIn,
  labelFilters,
  lookedUp,
  unleased,
} from "./filters.ts";
import { isReady } from "./list-scan.ts";

/**
 * Selects the issues that satisfy the whole filter except its status. Includes deleted issues only with `deletedToo`.
 */
export function filtered(
  dialect: Dialect,
  filter: PageFilter,
  driver: Driver | undefined,
  { deletedToo }: { readonly deletedToo: boolean } = { deletedToo: false },
) {
  const {
    project_uid,
    owner,
    unowned,
    priority,
    max_priority,
    labels = [],
    exclude_labels = [],
    meta = [],
    takeable,
    parent_uid,
    author,
    blocked,
    changed_since,
    owners,
    any_labels,
    related,
    contains,
    dated,
    ready_if_open,
  } = filter;
  // `unindexed` keeps SQLite from using the indexes of these columns. For a value that many issues have, it would sort
  // all of these issues to return one page.
  const column = (name: "owner" | "author" | "priority") => unindexed(dialect, `i.${name}`);
  let query = builder(dialect)
    .selectFrom(issueTable(driver).as("i"))
    .innerJoin("project as p", "p.uid", "i.project_uid")
    .where(labelFilters("i.uid", labels, exclude_labels));
  if (!deletedToo) query = query.where("i.deleted_at", "is", null);
  if (project_uid !== undefined) query = query.where("i.project_uid", "=", project_uid);
  else query = query.where("p.deleted_at", "is", null);
  if (owner !== undefined) query = query.where(column("owner"), "=", owner);
  if (unowned === true) query = query.where(column("owner"), "is", null);
  if (parent_uid !== undefined) query = query.where(isChild("i.uid", parent_uid));
  if (author !== undefined) query = query.where(column("author"), "=", author);
  if (blocked !== undefined)
    query = query.where("i.open_blockers", blocked ? ">" : "=", sql.lit(0));
  if (changed_since !== undefined) query = query.where("i.updated_at", ">=", changed_since);
  if (takeable !== undefined) {
    query = query
      .where(({ or, eb }) => or([eb("i.owner", "is", null), eb("i.owner", "=", takeable.by)]))
      .where(unleased("i.uid", takeable.now));
  }
  if (priority !== undefined)
    query = query.where(column("priority"), priority === null ? "is" : "=", priority);
  if (max_priority !== undefined) query = query.where(column("priority"), "<=", max_priority);
  if (owners !== undefined) query = query.where(column("owner"), "in", owners);
  if (any_labels !== undefined)
    query = query.where(
      sql<SqlBool>`exists (select 1 from label where label.issue_uid = i.uid and label.label in (${sql.join(any_labels)}))`,
    );
  if (related !== undefined) query = query.where(isRelated("i.uid", related));
  if (contains !== undefined) query = query.where(containsText(dialect, contains));
  if (dated !== undefined) query = query.where(sql<SqlBool>`i.uid in (${datedUids(dated)})`);
  if (ready_if_open !== undefined)
    query = query.where(
      sql<SqlBool>`(i.status = 'closed' or (${isReady} and (i.ready_from is null or i.ready_from <= ${ready_if_open})))`,
    );
  const end = lookedUp(dialect, meta.length);
  for (const { key, value } of meta) {
    const same = value === undefined ? sql`` : sql`and m.value = ${indexed(value)}`;
    query = query.where(
      sql<SqlBool>`exists (select 1 from issue_meta m where m.issue_uid = i.uid and m.key = ${indexed(key)} ${same} ${end})`,
    );
  }
  return query;
}

function issueTable(driver: Driver | undefined) {
  return driver === undefined ? sql<Selected<"issue">>`issue` : issuesIn(driver);
}

export type Query = ReturnType<typeof filtered>;
