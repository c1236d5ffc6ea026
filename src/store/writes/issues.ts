import { sql } from "kysely";
import { canonicalJson } from "../../base/json.ts";
import type { CommentRow, IssueRow, LabelRow, LinkRow } from "../../domain/state.ts";
import type { Connection } from "../connection.ts";
import { nextId } from "../migrate.ts";
import { statement } from "../statement.ts";
import type { Derived } from "../types.ts";
import { updateDiffering } from "./differing.ts";

/** The statements by which the projection writes issues and what belongs to them. Nothing else writes them. */

type IssueValues = Omit<IssueRow, "metadata"> & Derived & { readonly metadata: string };

/** Metadata is kept canonical, so that a row and the fold of the log say the same text. */
export function issueValues(row: IssueRow, derived: Derived): IssueValues {
  return { ...row, ...derived, metadata: canonicalJson(row.metadata) };
}

export async function insertIssue(
  connection: Connection,
  row: IssueRow,
  derived: Derived,
): Promise<void> {
  await issueInsert.run(connection, issueValues(row, derived));
}

const issueInsert = statement((db, p: IssueValues) =>
  db.insertInto("issue").values({
    id: nextId("issue"),
    uid: p.uid,
    project_uid: p.project_uid,
    short_id: p.short_id,
    title: p.title,
    body: p.body,
    status: p.status,
    closed_reason: p.closed_reason,
    owner: p.owner,
    priority: p.priority,
    author: p.author,
    metadata: p.metadata,
    revision: p.revision,
    created_at: p.created_at,
    updated_at: p.updated_at,
    closed_at: p.closed_at,
    deleted_at: p.deleted_at,
    open_blockers: p.open_blockers,
    open_children: p.open_children,
    total_children: p.total_children,
    parked: p.parked,
    held: p.held,
    ready_from: p.ready_from,
    recurrence_uid: p.recurrence_uid,
    occurrence_key: p.occurrence_key,
  }),
);

export async function updateIssue(
  connection: Connection,
  before: IssueValues,
  after: IssueValues,
): Promise<void> {
  await updateDiffering(connection, "issue", { ...before }, { ...after });
}

/** Gives an issue the local id of its series. */
export const linkSeries = statement((db, p: { uid: string }) =>
  db
    .updateTable("issue")
    .set({
      recurrence_id: sql<
        number | null
      >`(select recurrence.id from recurrence where recurrence.uid = issue.recurrence_uid)`,
    })
    .where("uid", "=", p.uid),
);

export const putLabel = statement((db, p: LabelRow) =>
  db
    .insertInto("label")
    .values({ issue_uid: p.issue_uid, label: p.label, author: p.author, created_at: p.created_at })
    .onConflict((conflict) =>
      conflict
        .columns(["issue_uid", "label"])
        .doUpdateSet({ author: p.author, created_at: p.created_at }),
    ),
);

export const removeLabel = statement((db, p: Pick<LabelRow, "issue_uid" | "label">) =>
  db.deleteFrom("label").where("issue_uid", "=", p.issue_uid).where("label", "=", p.label),
);

export const insertLink = statement((db, p: LinkRow) =>
  db.insertInto("link").values({
    id: nextId("link"),
    from_uid: p.from_uid,
    to_uid: p.to_uid,
    type: p.type,
    author: p.author,
    created_at: p.created_at,
  }),
);

export const updateLink = statement((db, p: LinkRow) =>
  db
    .updateTable("link")
    .set({ author: p.author, created_at: p.created_at })
    .where("from_uid", "=", p.from_uid)
    .where("type", "=", p.type)
    .where("to_uid", "=", p.to_uid),
);

export const removeLink = statement((db, p: Pick<LinkRow, "from_uid" | "to_uid" | "type">) =>
  db
    .deleteFrom("link")
    .where("from_uid", "=", p.from_uid)
    .where("type", "=", p.type)
    .where("to_uid", "=", p.to_uid),
);

export const putComment = statement((db, p: CommentRow) =>
  db
    .insertInto("comment")
    .values({
      id: nextId("comment"),
      uid: p.uid,
      issue_uid: p.issue_uid,
      author: p.author,
      body: p.body,
      created_at: p.created_at,
      teammate: p.teammate,
    })
    .onConflict((conflict) =>
      conflict.column("uid").doUpdateSet({ author: p.author, body: p.body }),
    ),
);

export const removeComment = statement((db, p: Pick<CommentRow, "uid">) =>
  db.deleteFrom("comment").where("uid", "=", p.uid),
);

export const putMeta = statement(
  (db, p: { issue_uid: string; key: string; value: string | null }) =>
    db
      .insertInto("issue_meta")
      .values({ issue_uid: p.issue_uid, key: p.key, value: p.value })
      .onConflict((conflict) =>
        conflict.columns(["issue_uid", "key"]).doUpdateSet({ value: p.value }),
      ),
);

export const removeMeta = statement((db, p: { issue_uid: string; key: string }) =>
  db.deleteFrom("issue_meta").where("issue_uid", "=", p.issue_uid).where("key", "=", p.key),
);
