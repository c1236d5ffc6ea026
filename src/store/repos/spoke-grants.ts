import { sql } from "kysely";
import type { Connection } from "../connection.ts";
import { parsed } from "../rows/rows.ts";
import { statement } from "../rows/statement.ts";
import type { Federation } from "../types/federation.ts";

/** The enrollments and leases that a hub has given a spoke. */
export function spokeGrants(
  connection: Connection,
): Pick<Federation, "grantsTo" | "leasesOfSpoke"> {
  return {
    grantsTo: async (spoke) => await grants.all(connection, { spoke }),
    leasesOfSpoke: async (spoke, after, limit) =>
      await leases.all(connection, { spoke, after, limit }),
  };
}

const grants = statement((db, p: { spoke: string }) =>
  db
    .selectFrom("federation_enrollment")
    .selectAll()
    .where("spoke_instance_uid", "=", p.spoke)
    .where("revoked_at", "is", null)
    .orderBy("id"),
).map((row) => parsed("federation_enrollment", row));

/** Begins with the leases, of which there are few: SQLite keeps the order of a cross join. */
const leases = statement((db, p: { spoke: string; after: number; limit: number }) =>
  db
    .selectFrom("lease as l")
    .crossJoin("issue as i")
    .select(["l.id", "l.issue_uid", "i.project_uid"])
    .whereRef("i.uid", "=", "l.issue_uid")
    .where("l.released_at", "is", null)
    .where("l.holder_instance_uid", "=", p.spoke)
    .where("l.id", ">", p.after)
    .orderBy("l.id")
    .limit(sql<number>`${p.limit}`),
);
