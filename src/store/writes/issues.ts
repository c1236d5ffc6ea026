import { sql } from "kysely";
import { canonicalJson } from "../../base/json.ts";
import type { CommentRow, IssueRow, LabelRow, LinkRow } from "../../domain/state.ts";
import { type Connection, together } from "../connection.ts";
import { insertion } from "../insertion.ts";
import { updateMany } from "../many-rows.ts";
import type { Tables } from "../schema.ts";
import { statement } from "../statement.ts";
import type { Derived } from "../types.ts";
import { type Deferrable, WriteBehind } from "../write-behind.ts";
import { updateAllDiffering } from "./differing.ts";

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
  await issueInsertion.run(connection, issueValues(row, derived));
}

const issueInsertion = insertion<IssueValues>(
  "issue",
  [
    "uid",
    "project_uid",
    "short_id",
    "title",
    "body",
    "status",
    "closed_reason",
    "owner",
    "priority",
    "author",
    "metadata",
    "revision",
    "created_at",
    "updated_at",
    "closed_at",
    "deleted_at",
    "open_blockers",
    "open_children",
    "total_children",
    "parked",
    "held",
    "ready_from",
    "recurrence_uid",
    "occurrence_key",
  ],
  { rank: 1, numbered: true, key: ["uid"] },
);

/** A row that waits to be inserted is inserted as it became; other changes of one row are written as one. */
export async function updateIssue(
  connection: Connection,
  before: IssueValues,
  after: IssueValues,
): Promise<void> {
  if (!(connection instanceof WriteBehind))
    await issueUpdate.write(connection, [{ before, after }]);
  else if (!connection.replace(issueInsertion, after))
    await connection.hold(issueUpdate, { before, after });
}

const issueUpdate: Deferrable<{ readonly before: IssueValues; readonly after: IssueValues }> = {
  rank: 2,
  sendsAtOnce: () => true,
  keyOf: ({ after }) => after.uid,
  joined: ({ before }, { after }) => ({ before, after }),
  write: async (connection, updates) => await updateAllDiffering(connection, "issue", updates),
};

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

export const putLabel = insertion<LabelRow>(
  "label",
  ["issue_uid", "label", "author", "created_at"],
  {
    rank: 3,
    conflict: {
      key: ["issue_uid", "label"],
      set: { author: "excluded.author", created_at: "excluded.created_at" },
    },
  },
);

export const removeLabel = statement((db, p: Pick<LabelRow, "issue_uid" | "label">) =>
  db.deleteFrom("label").where("issue_uid", "=", p.issue_uid).where("label", "=", p.label),
);

export const insertLink = insertion<LinkRow>(
  "link",
  ["from_uid", "to_uid", "type", "author", "created_at"],
  { rank: 3, numbered: true },
);

/** After links that wait to be inserted: it may change one of them. */
export const updateLink: Deferrable<LinkRow> & {
  run(connection: Connection, row: LinkRow): Promise<void>;
} = {
  rank: 4,
  sendsAtOnce: () => true,
  keyOf: ({ from_uid, type, to_uid }) => `${from_uid} ${type} ${to_uid}`,
  joined: (_earlier, later) => later,
  write: async (connection, rows) => {
    const columns = { key: ["from_uid", "type", "to_uid"], columns: ["author", "created_at"] };
    if (connection.dialect === "postgres" && rows.length > 1)
      return await updateMany(connection, "link", columns, rows);
    await together(
      connection,
      rows.map((row) => async () => await updateOneLink.run(connection, row)),
    );
  },
  run: async (connection, row) => {
    if (connection instanceof WriteBehind) await connection.hold(updateLink, row);
    else await updateLink.write(connection, [row]);
  },
};

const updateOneLink = statement((db, p: LinkRow) =>
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

export const putComment = insertion<CommentRow>(
  "comment",
  ["uid", "issue_uid", "author", "body", "created_at", "teammate"],
  {
    rank: 3,
    numbered: true,
    conflict: { key: ["uid"], set: { author: "excluded.author", body: "excluded.body" } },
  },
);

export const removeComment = statement((db, p: Pick<CommentRow, "uid">) =>
  db.deleteFrom("comment").where("uid", "=", p.uid),
);

export const putMeta = insertion<Tables["issue_meta"]>(
  "issue_meta",
  ["issue_uid", "key", "value"],
  {
    rank: 3,
    conflict: { key: ["issue_uid", "key"], set: { value: "excluded.value" } },
  },
);

export const removeMeta = statement((db, p: { issue_uid: string; key: string }) =>
  db.deleteFrom("issue_meta").where("issue_uid", "=", p.issue_uid).where("key", "=", p.key),
);
