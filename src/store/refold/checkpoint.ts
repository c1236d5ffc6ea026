import { sql } from "kysely";
import type { Rows } from "../../domain/tables/tables.ts";
import type { Connection } from "../connection.ts";
import { isIn, statement } from "../rows/statement.ts";
import { putRows } from "../rows/table-rows.ts";

export type Verified = Rows["doctor_checkpoint"];

/** Returns the name of a stretch of the log in doctor's checkpoint. Issues are named by their uid. */
export function stretchName(after: number): string {
  return `log ${after}`;
}

/** Returns what earlier runs have stored about these subjects. */
export async function verifiedBefore(
  connection: Connection,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, Verified>> {
  const found = await rowsOfSubjects.all(connection, { subjects });
  return new Map(found.map((row) => [row.subject, row]));
}

const rowsOfSubjects = statement((db, p: { subjects: readonly string[] }, dialect) =>
  db
    .selectFrom("doctor_checkpoint")
    .selectAll()
    .where(({ ref }) => isIn(dialect, ref("subject"), p.subjects)),
);

/** Stores what was verified. Must run in a transaction. */
export async function keepVerified(
  connection: Connection,
  verified: readonly Verified[],
): Promise<void> {
  await putRows(connection, "doctor_checkpoint", verified);
}

/** Returns, for each of these issues, the id of the last event that is about it or names it. */
export async function lastEventNaming(
  connection: Connection,
  uids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const last = new Map<string, number>();
  for (const { uid, id } of await naming.all(connection, { uids }))
    last.set(uid, Math.max(last.get(uid) ?? 0, Number(id)));
  return last;
}

const naming = statement((db, p: { uids: readonly string[] }, dialect) =>
  db
    .selectFrom("event")
    .select([sql<string>`issue_uid`.as("uid"), sql<number>`max(id)`.as("id")])
    .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids))
    .groupBy("issue_uid")
    .unionAll((more) =>
      more
        .selectFrom("event")
        .select([sql<string>`related_issue_uid`.as("uid"), sql<number>`max(id)`.as("id")])
        .where(({ ref }) => isIn(dialect, ref("related_issue_uid"), p.uids))
        .groupBy("related_issue_uid"),
    )
    .unionAll((more) =>
      more
        .selectFrom("event_mention")
        .select([sql<string>`issue_uid`.as("uid"), sql<number>`max(event_id)`.as("id")])
        .where(({ ref }) => isIn(dialect, ref("issue_uid"), p.uids))
        .groupBy("issue_uid"),
    ),
);

/** Returns the next issues in the order of their uids: issues with a stored row, and issues that events name. */
export async function issuesAfter(
  connection: Connection,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const stored = await storedAfter.all(connection, { after, limit });
  const told = await toldAfter.all(connection, { after, limit });
  const all = new Set([...stored, ...told].map(({ uid }) => uid));
  return [...all].sort().slice(0, limit);
}

const storedAfter = statement((db, p: { after: string; limit: number }) =>
  db.selectFrom("issue").select("uid").where("uid", ">", p.after).orderBy("uid").limit(p.limit),
);

const toldAfter = statement((db, p: { after: string; limit: number }) =>
  db
    .selectFrom("event")
    .select(sql<string>`issue_uid`.as("uid"))
    .where("issue_uid", "is not", null)
    .where("issue_uid", ">", p.after)
    .groupBy("issue_uid")
    .orderBy("issue_uid")
    .limit(p.limit),
);
