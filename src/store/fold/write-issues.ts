import { sql } from "kysely";
import { canonicalJson } from "../../base/json.ts";
import type { IssueRow, LinkRow } from "../../domain/state.ts";
import type { Inserts } from "../../domain/tables/tables.ts";
import type { Connection } from "../connection.ts";
import { insertion } from "../rows/insertion.ts";
import { removal } from "../rows/removal.ts";
import { statement } from "../rows/statement.ts";
import { update } from "../rows/update.ts";
import type { Derived } from "../types/rows.ts";

/**
 * Converts an issue for the database: its metadata becomes canonical JSON text. This is faster than `unparsed`, which
 * does the same for any table, and each change of an issue needs it. The type of the result makes the compiler reject
 * metadata that was not converted to text.
 */
export function issueValues(row: IssueRow, derived: Derived): Inserts["issue"] {
  return { ...row, ...derived, metadata: canonicalJson(row.metadata) };
}

export const insertIssue = insertion("issue", { rank: 1, replaced: true });

export const updateIssue = update("issue", insertIssue, 2);

/** Sets the local id of the issue's series from its uid. */
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

export const insertLink = insertion("link", { rank: 3 });

export const updateLink = update("link", insertLink, 4);

const linkRemoval = removal("link", insertLink);

/** Deletes the link at once instead of deferring it, so that deferred changes of the same link are written first. */
export async function removeLink(
  connection: Connection,
  ends: Pick<LinkRow, "from_uid" | "to_uid" | "type">,
): Promise<void> {
  await linkRemoval.write(connection, [ends]);
}
