import { sql } from "kysely";
import type { StoredEvent } from "../../contract/events.ts";
import { mappingsOf } from "../../domain/mappings.ts";
import { rowKey } from "../../domain/memory.ts";
import { type Connection, rowsOf } from "../connection.ts";
import { existingIssues } from "../load/statements.ts";
import { rowsOfIssues } from "../refold/stored-rows.ts";
import { eventOf } from "../rows/rows.ts";
import { payloadHas } from "../rows/statement.ts";
import type { Selected } from "../schema.ts";

/**
 * Returns other issues that also come from an imported record of this issue, according to events in the log. If this
 * issue is purged, the others must be folded again, since one of them gets the record. Two issues can come from one
 * record only in a federated project, so the log is searched only there.
 */
export async function issuesMappedToo(
  connection: Connection,
  issue_uid: string,
): Promise<readonly string[]> {
  const mappings = await rowsOfIssues(connection, "import", [issue_uid]);
  const others = new Set<string>();
  for (const project_uid of new Set(mappings.map((row) => row.project_uid))) {
    const own = mappings.filter((row) => row.project_uid === project_uid);
    const keys = new Set(own.map((row) => rowKey("import", row)));
    for (const event of await eventsNaming(connection, project_uid, own))
      if (mappingsOf(event).some((mapping) => keys.has(rowKey("import", mapping))))
        others.add(event.issue_uid ?? "");
  }
  others.delete(issue_uid);
  return [...(await existingIssues(connection, [...others]))];
}

async function eventsNaming(
  connection: Connection,
  project_uid: string,
  mappings: readonly { readonly external_id: string }[],
): Promise<readonly StoredEvent[]> {
  const named = mappings.map(({ external_id }) =>
    payloadHas(connection.dialect, JSON.stringify(external_id)),
  );
  const rows = await rowsOf<Selected<"event">>(
    connection,
    sql`select * from event where feed_uid = ${project_uid}
      and type in ('issue.created', 'issue.snapshot', 'issue.imported')
      and exists (select 1 from event as baseline where baseline.feed_uid = ${project_uid}
        and baseline.type = 'project.federation_enabled')
      and (${sql.join(named, sql` or `)})`,
  );
  return rows.map(eventOf);
}
